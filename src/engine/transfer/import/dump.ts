import { isTier, lowerTier, type Tier } from '../../../domain/doors.ts'
import { LimitError, MunimentError, ProvenanceError } from '../../../domain/errors.ts'
import {
  KINDS,
  type Kind,
  parseRef,
  parseStackId,
  type Ref,
  type StackId,
  splitRef,
} from '../../../domain/ids.ts'
import { type LabelName, labelName, tryParseLabel } from '../../../domain/labels.ts'
import { type Instant, isInstant } from '../../../domain/time.ts'
import { GROUNDLESS } from '../../../domain/vocabulary.ts'
import { contentHash } from '../../../ledger/ledger.ts'
import type { Hasher, Sha256 } from '../../../ledger/sha256.ts'
import type { Memory } from '../../read/memory-view.ts'
import { SealDigest, sealText } from './own-export.ts'

export const DUMP_FORMAT = 'muniment/dump/1'

/** The memories of a stack as JSON. An export file adds ledger and seal; `dump` neither. */
export interface Dump {
  readonly format: typeof DUMP_FORMAT
  readonly stack: string
  readonly memories: readonly unknown[]
  /** The lines of the stack's bundle, without their line feeds. */
  readonly ledger?: readonly string[]
  /** A signed note about everything in the file; null where the exporter could not sign. */
  readonly seal?: string | null
}

/** A dump with checked outer members and unchecked memories. */
export interface DumpFile {
  readonly stackId: StackId
  readonly memories: readonly unknown[]
  readonly ledger: readonly string[] | null
  readonly seal: string | null
}

type Fields = Readonly<Record<string, unknown>>

/** One memory of a dump; members for the gate alone are unchecked. */
export interface DumpItem {
  readonly index: number
  readonly ref: Ref
  readonly kind: Kind
  readonly body: unknown
  readonly provenance: Fields
  readonly confidence: unknown
  /** Label and tier at the origin: an upper bound for the import. */
  readonly label: LabelName
  readonly tier: Tier
  readonly at: Instant
  /** Time of birth; for a revised memory, earlier than `at`. */
  readonly bornAt: Instant
  /** Entry number at the origin, where the dump has the number. */
  readonly seq: number
  readonly captured: boolean
  readonly parents: readonly Ref[]
  /** Sources that neither the file nor this stack holds; they are not among the parents. */
  readonly missing: readonly Ref[]
  readonly evidence: readonly Ref[]
  /** The replaced belief: cited, or named in a field of older stacks. */
  readonly supersedes: Ref | null
  /** The replacing belief, named in a field of older stacks. */
  readonly supersededBy: Ref | null
}

/** Checks the outer members and the number of memories. */
export function readDump(value: unknown, memoriesMax: number): DumpFile {
  if (!isFields(value) || value.format !== DUMP_FORMAT || !Array.isArray(value.memories)) {
    throw new MunimentError('invalid_input', `That is not a dump of the format ${DUMP_FORMAT}.`, {
      hint: `{ "format": "${DUMP_FORMAT}", "stack": "…", "memories": [ … ] }`,
    })
  }
  const { memories, ledger, seal } = value
  if (memories.length > memoriesMax) throw tooMany(memories.length, memoriesMax)
  return {
    stackId: parseStackId(value.stack),
    memories,
    ledger:
      Array.isArray(ledger) && ledger.every((line) => typeof line === 'string') ? ledger : null,
    seal: typeof seal === 'string' ? seal : null,
  }
}

const tooMany = (count: number, max: number): LimitError =>
  new LimitError('importMemoriesMax', max, count, {
    issues: [{ path: 'memories', message: `holds ${count}, and at most ${max} are taken at once` }],
    hint: 'Nothing was imported. Split the file, or import the file on the machine itself: muniment stack import.',
  })

/** Reads the members that decide about admission and order; throws for a bad member. */
export function readItem(value: unknown, index: number, sha256: Sha256): DumpItem {
  const fields = isFields(value) ? value : {}
  const ref = parseRef(fields.ref)
  const { kind, id } = splitRef(ref)
  if ((fields.kind ?? kind) !== kind || (fields.id ?? id) !== id) {
    throw new MunimentError('invalid_ref', 'ref, kind and id name different memories.')
  }
  const own = KINDS.find((known) => known === kind)
  if (own === undefined) {
    throw new MunimentError('refused', `A ${kind} is a matter of the stack that made it.`)
  }
  assertNotSetAside(fields)
  const provenance = isFields(fields.provenance) ? fields.provenance : {}
  const { label, trustTier, timestamp } = certified(provenance)
  const stated = provenance.contentHash
  if (stated !== undefined && stated !== contentHash(sha256, fields.body)) {
    throw badProvenance('contentHash', 'is not the hash of the body')
  }
  const entry = isFields(fields.entry) ? fields.entry : {}
  // A revision is imported as one memory, so its added sources count like the sources of its birth.
  const parents = [
    ...refsIn(provenance.derivedFrom, 'derivedFrom'),
    ...refsIn(provenance.revisedFrom, 'revisedFrom'),
  ]
  const { body, ...succession } =
    kind === 'belief' ? beliefOf(fields.body, parents) : { body: fields.body, ...NO_SUCCESSION }
  return {
    index,
    ref,
    kind: own,
    body,
    ...succession,
    provenance,
    confidence: lowerOf(provenance.confidence, fields.confidence),
    label,
    // Trust may have changed since the birth: only the lower tier is carried over.
    tier: isTier(fields.tier) ? lowerTier(trustTier, fields.tier) : trustTier,
    at: timestamp,
    bornAt: isInstant(fields.createdAt) ? fields.createdAt : timestamp,
    seq: typeof entry.seq === 'number' ? entry.seq : index,
    captured: provenance.captured === true,
    parents,
    missing: [],
    evidence: refsIn(provenance.sourceEpisodes, 'sourceEpisodes'),
  }
}

const NO_SUCCESSION = { supersedes: null, supersededBy: null } as const

/** Removes the two fields that link versions of a belief in older stacks. */
function beliefOf(given: unknown, parents: readonly Ref[]) {
  if (!isFields(given)) return { body: given, ...NO_SUCCESSION }
  const { supersedes, supersededBy, superseded_by: older, ...body } = given
  const cited = parents.find((ref) => splitRef(ref).kind === 'belief')
  return {
    body,
    supersedes: beliefNamed(supersedes, 'supersedes') ?? cited ?? null,
    supersededBy: beliefNamed(supersededBy ?? older, 'supersededBy'),
  }
}

const beliefNamed = (value: unknown, field: string): Ref | null => {
  if (value === undefined || value === null) return null
  const isBare = typeof value === 'string' && !value.includes(':')
  return parseRef(isBare ? `belief:${value}` : value, field)
}

/** Refuses memories that their origin had rejected, retracted or forgotten. */
const SET_ASIDE: ReadonlySet<unknown> = new Set(GROUNDLESS)

function assertNotSetAside({ disposition, strength }: Fields): void {
  if (!SET_ASIDE.has(disposition) && strength !== 0) return
  const word = SET_ASIDE.has(disposition) ? String(disposition).toLowerCase() : 'forgotten'
  throw new MunimentError('refused', `It is ${word} where it comes from.`)
}

function certified({ label, trustTier, timestamp }: Fields) {
  const known = tryParseLabel(label)
  if (!known) throw badProvenance('label', 'is not a label')
  if (!isTier(trustTier)) throw badProvenance('trustTier', 'is not a whole number from 0 to 3')
  if (!isInstant(timestamp)) throw badProvenance('timestamp', 'is not UTC with milliseconds')
  return { label: labelName(known), trustTier, timestamp }
}

const badProvenance = (field: string, message: string): ProvenanceError =>
  new ProvenanceError('invalid_provenance', `provenance.${field} ${message}.`, {
    issues: [{ path: `provenance.${field}`, message }],
  })

const lowerOf = (a: unknown, b: unknown): unknown =>
  typeof a === 'number' && typeof b === 'number' ? Math.min(a, b) : (a ?? b)

function refsIn(value: unknown, path: string): readonly Ref[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw badProvenance(path, 'is not a list')
  return value.map((ref) => parseRef(ref, path))
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface ExportParts {
  readonly stackId: StackId
  readonly memories: readonly Memory[]
  /** The lines of the bundle, each ended by a line feed. */
  readonly lines: AsyncIterable<string>
  readonly hasher: Hasher
  /** Signs the seal; null where nothing can be signed. */
  readonly sign: ((text: string) => string) | null
}

/**
 * The text of an export file: readable memories, the ledger for a restore, and a seal by which this
 * machine recognises its own file.
 */
export async function* exportText(parts: ExportParts): AsyncGenerator<string, void, undefined> {
  const { stackId, memories, lines, hasher, sign } = parts
  const digest = new SealDigest(hasher)
  yield `{\n  "format": "${DUMP_FORMAT}",\n  "stack": ${JSON.stringify(stackId)},\n  "memories": [`
  let comma = ''
  for (const memory of memories) {
    const text = JSON.stringify(memory, null, 2)
    digest.memory(JSON.parse(text))
    yield `${comma}\n    ${text.replaceAll('\n', '\n    ')}`
    comma = ','
  }
  yield '\n  ],\n  "ledger": ['
  let last = ''
  comma = ''
  for await (const line of lines) {
    last = line.slice(0, -1)
    yield `${comma}\n    ${JSON.stringify(last)}`
    comma = ','
  }
  const seal = sign === null ? null : sign(sealText(digest.end(last)))
  yield `\n  ],\n  "seal": ${JSON.stringify(seal)}\n}\n`
}
