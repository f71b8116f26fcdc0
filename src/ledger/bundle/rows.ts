import { DOORS } from '../../domain/doors.ts'
import type { SealedRow } from '../../domain/entry.ts'
import { isHash, tryParseRef } from '../../domain/ids.ts'
import type { ActorKey, Burst, Tally, Tombstone } from '../../domain/state.ts'
import { isInstant } from '../../domain/time.ts'
import { CHANGE_RULE_NAMES, RULE_NAMES } from '../../domain/vocabulary.ts'
import { fromHex, utf8 } from '../sha256.ts'
import { type RowSection, type SealedLine, TAGS } from './format.ts'

type Members<Row> = Readonly<Record<keyof Row, (value: unknown, row: Row) => boolean>>

interface Shape<Row> {
  readonly members: Members<Row>
  /** Rows are sorted by this key, and no two rows share a key. */
  readonly keyOf: (row: Row) => string
}

const rules: ReadonlySet<unknown> = new Set([...RULE_NAMES, ...CHANGE_RULE_NAMES])
const doors: ReadonlySet<unknown> = new Set(DOORS)

const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const isRef = (value: unknown): boolean => tryParseRef(value) !== undefined
const orNull =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || is(value)

/** A tally without repeats has no dates, and a tally with repeats has both. */
const isDateOf = (value: unknown, { count }: Tally): boolean =>
  count === 0 ? value === null : isInstant(value)

const SEQ_DIGITS = 16 // of the largest safe integer

const SHAPES: {
  readonly sealed: Shape<SealedLine>
  readonly actorKeys: Shape<ActorKey>
  readonly tallies: Shape<Tally>
  readonly bursts: Shape<Burst>
  readonly tombstones: Shape<Tombstone>
} = {
  sealed: {
    members: { seq: isCount, ref: isRef, salt: isHash, text: isText },
    keyOf: ({ seq }) => String(seq).padStart(SEQ_DIGITS, '0'),
  },
  actorKeys: {
    members: { actor: isText, key: isHash, since: isCount },
    keyOf: ({ actor }) => actor,
  },
  tallies: {
    members: {
      key: isText,
      rule: (value) => rules.has(value),
      about: orNull(isRef),
      actor: orNull(isText),
      door: orNull((value) => doors.has(value)),
      pseudonym: orNull(isHash),
      entrySeq: isCount,
      entryHash: isHash,
      count: isCount,
      firstAt: isDateOf,
      lastAt: isDateOf,
    },
    keyOf: ({ key }) => key,
  },
  bursts: {
    members: {
      actor: isText,
      identity: isHash,
      times: (value) => Array.isArray(value) && value.every(isInstant),
      quarantined: orNull(isRef),
    },
    keyOf: ({ actor, identity }) => identity + actor, // identities are all of equal length
  },
  tombstones: {
    members: { mark: isHash, seq: isCount },
    keyOf: ({ mark }) => mark,
  },
}

type Shapes = typeof SHAPES
export type RowIn<Section extends RowSection> =
  Shapes[Section] extends Shape<infer Row> ? Row : never

export interface ReadRow<Row> {
  readonly row: Row
  readonly key: string
}

/** A row from a line's JSON, or the fault of the line. Every member is checked. */
export function rowIn<Section extends RowSection>(
  section: Section,
  value: unknown,
): ReadRow<RowIn<Section>> | string {
  const tag = TAGS[section]
  if (!isObject(value) || Object.keys(value).join() !== tag) return `is not a line of ${tag}`
  const found = value[tag]
  // The section determines the shape; TypeScript does not follow the pair.
  const { members, keyOf } = SHAPES[section] as unknown as Shape<RowIn<Section>>
  const names = Object.keys(members).sort() as (keyof RowIn<Section> & string)[]
  if (!isObject(found) || Object.keys(found).join() !== names.join()) {
    return `does not have the members of ${tag}`
  }
  const row = found as RowIn<Section> // every member is checked next
  const bad = names.find((name) => !members[name](row[name], row))
  return bad === undefined ? { row, key: keyOf(row) } : `does not say ${bad} as it should`
}

/** The sealed bytes are the UTF-8 bytes of the text, so the commitment can check them. */
export const sealedRowOf = ({ seq, ref, salt, text }: SealedLine): SealedRow => ({
  seq,
  ref: ref as SealedRow['ref'], // checked to be a ref when the line was read
  salt: fromHex(salt),
  bytes: utf8(text),
})

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
