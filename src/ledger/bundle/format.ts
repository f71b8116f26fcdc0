import { DOORS } from '../../domain/doors.ts'
import type { SealedRow } from '../../domain/entry.ts'
import { type ErrorDetails, LimitError, MunimentError } from '../../domain/errors.ts'
import { type Hash, isHash, tryParseRef } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { ActorKey, Burst, Tally, Tombstone } from '../../domain/state.ts'
import { isInstant } from '../../domain/time.ts'
import { CHANGE_RULE_NAMES, RULE_NAMES } from '../../domain/vocabulary.ts'
import { canonicalize, readJson } from '../canonical.ts'
import { fromHex, type Hasher, utf8 } from '../sha256.ts'

/** The format's name; docs/ledger-format.md defines the format. */
export const BUNDLE_FORMAT = 'muniment/bundle/1'

/** The sections after the header, in this order; the header gives the number of lines of each. */
export const SECTIONS = [
  'entries',
  'sealed',
  'actorKeys',
  'tallies',
  'bursts',
  'tombstones',
] as const

type SectionName = (typeof SECTIONS)[number]

/** Sections with rows under a tag; a line of `entries` holds the bytes of the entry. */
export type RowSection = Exclude<SectionName, 'entries'>

export type Counts = Readonly<Record<SectionName, number>>

export interface BundleHeader {
  readonly format: typeof BUNDLE_FORMAT
  readonly stack: string
  readonly uid: string
  readonly head: { readonly seq: number; readonly hash: Hash }
  readonly root: Hash
  readonly counts: Counts
}

/** A sealed row with its bytes as text. */
interface SealedLine {
  readonly seq: number
  readonly ref: string
  /** 32 bytes as hex. */
  readonly salt: string
  readonly text: string
}

/** The only member of a row's line. */
export const TAGS: Readonly<Record<RowSection, string>> = {
  sealed: 'sealed',
  actorKeys: 'actorKey',
  tallies: 'tally',
  bursts: 'burst',
  tombstones: 'tombstone',
}

/** The line number of a section's n-th row; the header is line 1. */
export function lineOf(counts: Counts, section: SectionName, index: number): number {
  let line = 2 + index
  for (const before of SECTIONS) {
    if (before === section) break
    line += counts[before]
  }
  return line
}

/** Names a bad line and its fault, never its content, which may be a memory. */
export const badLine = (line: number, what: string, details: ErrorDetails = {}): MunimentError =>
  new MunimentError('invalid_bundle', `Line ${line} of the bundle ${what}.`, {
    hint: 'Nothing was restored. Export the stack again, or take another copy.',
    ...details,
    facts: { line, ...details.facts },
  })

const UNIT_BYTES_MAX = 3 // UTF-8 bytes for one UTF-16 unit

export type TextLines = AsyncIterable<string> | Iterable<string>

/** The lines of a bundle in order, counted, measured and hashed on the way. */
export class LineReader {
  readonly #lines: AsyncIterator<string> | Iterator<string>
  readonly #hasher: Hasher
  #number = 0

  constructor(lines: TextLines, hasher: Hasher) {
    this.#lines =
      Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]()
    this.#hasher = hasher
  }

  /** The number of the line read last; the first is 1. */
  get number(): number {
    return this.#number
  }

  /** The next line without its line feed; the digest at the end of the bundle covers both. */
  async next(): Promise<string> {
    const line = await this.#take()
    this.#hasher.update(`${line}\n`)
    return line
  }

  /** The last line, the digest of all lines before. */
  async last(): Promise<{ readonly line: string; readonly digest: Hash }> {
    const line = await this.#take()
    const { done } = await this.#lines.next()
    if (done !== true) throw badLine(this.#number + 1, 'stands behind the last one')
    return { line, digest: this.#hasher.digest() }
  }

  /** The source of the lines may still hold a file open. */
  async close(): Promise<void> {
    await this.#lines.return?.()
  }

  async #take(): Promise<string> {
    const { done, value } = await this.#lines.next()
    this.#number += 1
    if (done === true) throw badLine(this.#number, 'is missing')
    if (typeof value !== 'string') throw badLine(this.#number, 'is not text')
    const line = value.endsWith('\n') ? value.slice(0, -1) : value
    if (!line.isWellFormed()) throw badLine(this.#number, 'holds half a character')
    const bytes = line.length * UNIT_BYTES_MAX > LIMITS.jsonBytesMax ? utf8(line).length : 0
    if (bytes > LIMITS.jsonBytesMax) throw tooLong(this.#number, bytes)
    if (line.includes('\n')) throw badLine(this.#number, 'is several lines')
    return line
  }
}

/** A line is a JSON document, under the same length limit as any other document. */
export const tooLong = (line: number, actual: number): LimitError =>
  new LimitError('jsonBytesMax', LIMITS.jsonBytesMax, actual, {
    issues: [{ path: `line ${line}`, message: 'is longer than a line may be' }],
    hint: 'Nothing was restored. Lines of a bundle end with a line feed, and with nothing else.',
  })

export function jsonIn(line: string, number: number): unknown {
  const value = parsed(line)
  if (value === undefined || !isCanonical(value, line)) {
    throw badLine(number, 'is not JSON in canonical form, as lines of a bundle are')
  }
  return value
}

function parsed(line: string): unknown {
  try {
    return readJson(line)
  } catch {
    return undefined
  }
}

function isCanonical(value: unknown, line: string): boolean {
  try {
    return canonicalize(value) === line
  } catch {
    return false
  }
}

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

interface ReadRow<Row> {
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
