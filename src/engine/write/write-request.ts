import type { Change } from '../../domain/change.ts'
import type { Caller } from '../../domain/doors.ts'
import { assert, type FieldIssue, LimitError, MunimentError } from '../../domain/errors.ts'
import {
  isKind,
  type Kind,
  type MemoryId,
  parseMemoryId,
  parseRef,
  type RecordKind,
  type Ref,
  type StackId,
  toRef,
} from '../../domain/ids.ts'
import {
  type BodyInputOf,
  type BodyOf,
  contentText,
  definitionOf,
  parseBody,
} from '../../domain/kinds/table.ts'
import { type Label, label, tryParseLabel } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import {
  inputError,
  type Payload,
  type ProvenancePayload,
  type RoutedPayload,
  readPayload,
} from '../../domain/provenance.ts'
import { toMs } from '../../domain/time.ts'
import type { Arrival, Capture, Consequence, Draft, WriteResult } from '../../domain/write.ts'
import { type CapturePlace, captureId } from '../../ledger/chance.ts'
import type { World } from '../world.ts'
import { readable } from './arguments.ts'

/**
 * A record for the low-level `save*`: the body's own fields, an optional id, complete provenance.
 */
export type SaveRecord<K extends RecordKind> = BodyInputOf<K> & {
  readonly id?: string
  readonly provenance: ProvenancePayload
}

/** A source to capture with a memory in the same commit; each capture cites the one before. */
export type CaptureRequest =
  | { readonly kind: 'raw'; readonly body: BodyInputOf<'raw'> }
  /** The memory's own words, kept as the source. */
  | { readonly kind: 'raw'; readonly body: 'own words' }
  | (OnSources & { readonly kind: 'note'; readonly body: BodyInputOf<'note'> })
  | (OnSources & { readonly kind: 'episode'; readonly body: BodyInputOf<'episode'> })

/** A first capture may cite existing memories; each further capture rests on the one before. */
interface OnSources {
  readonly derivedFrom?: readonly string[]
}

/** A write as the core and the doors route writes. */
export interface WriteRequest<K extends RecordKind = RecordKind> {
  readonly kind: K
  readonly id?: string
  readonly body: BodyInputOf<K>
  readonly provenance: RoutedPayload
  readonly captures?: readonly CaptureRequest[]
  readonly revises?: NonNullable<Draft['revises']>
  /** Names of the body's fields that the caller gave; all fields by default. */
  readonly given?: readonly string[]
  readonly consequence?: Consequence
  /** The memory and its captures belong to the epoch that is open at the commit. */
  readonly inOpenEpoch?: true
}

/** A change of one memory, as use cases request changes. */
export interface ChangeRequest {
  readonly ref: Ref
  readonly change: Change
  readonly text?: string | null
  readonly label: Label
  readonly actor: string
  readonly caller: Caller
}

export interface WrittenAll {
  readonly refused: false
  readonly results: readonly WriteResult[]
}

/** The outcome of drafts: results for all, or the refusal of one. */
export type Written =
  | WrittenAll
  | { readonly refused: true; readonly index: number; readonly result: WriteResult }

/** Input for both kinds of write, with the required completeness of provenance. */
interface RawParts {
  readonly kind: RecordKind
  readonly id: unknown
  readonly body: unknown
  readonly provenance: unknown
  readonly completeness: 'full' | 'routed'
  readonly captures: readonly CaptureRequest[]
  readonly revises: Draft['revises']
  readonly given?: readonly string[]
  readonly consequence: Draft['consequence']
  readonly inOpenEpoch?: true
  readonly caller: Caller
}

/** The moment of arrival, from which ids are drawn. */
interface ArrivedAt {
  readonly world: Pick<World, 'ids' | 'sha256'>
  readonly arrival: Arrival
}

/** A capture's id follows from its draft's id, so a repeated draft stays equal. */
interface Ids {
  readonly next: () => MemoryId
  readonly capture: (of: MemoryId, place: CapturePlace) => MemoryId
}

const idsAt = ({ world: { ids, sha256 }, arrival: { time } }: ArrivedAt): Ids => ({
  next: () => ids.next(toMs(time)),
  capture: (of, place) => parseMemoryId(captureId(sha256, of, place)),
})

/** A routed write: the door or the use case states the provenance. */
export function routedDraft(request: WriteRequest, caller: Caller, at: ArrivedAt): Draft {
  const { kind, id, body, provenance, inOpenEpoch } = request
  const { captures = [], revises = null, consequence = null, given = namesIn(body) } = request
  const what = { kind, id, body, given, provenance, captures, revises, consequence } as const
  const parts = { ...what, caller, ...(inOpenEpoch ? { inOpenEpoch } : {}) }
  return draftOf({ ...parts, completeness: 'routed' }, idsAt(at))
}

/** A low-level save with complete provenance; a migration may leave provenance out. */
export function savedDraft(
  kind: RecordKind,
  record: unknown,
  { caller, migratesTo, ...at }: ArrivedAt & { caller: Caller; migratesTo: StackId | null },
): Draft {
  const { id, provenance, ...body } = readable(() => asObject(record))
  const parts = { kind, id, body, captures: [], revises: null, consequence: null, caller } as const
  return readable(() =>
    draftOf(
      migratesTo === null
        ? { ...parts, provenance, completeness: 'full' }
        : { ...parts, provenance: filled(kind, provenance, migratesTo), completeness: 'routed' },
      idsAt(at),
    ),
  )
}

/** Without enforcement, missing provenance is filled in as a model's words from a migration. */
function filled(kind: RecordKind, provenance: unknown, stackId: StackId): RoutedPayload {
  const members = typeof provenance === 'object' && provenance !== null ? provenance : {}
  const given: Partial<RoutedPayload> = Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  )
  const chosen = given.label ?? label.modelDerived()
  return {
    sourceType: 'inference',
    label: chosen,
    sourceId: `${stackId}:model`,
    ingestionPath: `migration:save_${kind}`,
    confidence: definitionOf(kind).confidence,
    llmModel: tryParseLabel(chosen)?.type === 'ModelDerived' ? 'unknown:migration' : null,
    ...given,
  }
}

/** A record that is not an object has no fields; the parser then names the missing fields. */
const asObject = (record: unknown): Record<string, unknown> =>
  typeof record === 'object' && record !== null && !Array.isArray(record)
    ? { ...(record as Record<string, unknown>) } // read-only view of unknown members
    : {}

export function listOf<T>(items: readonly T[]): readonly T[] {
  if (Array.isArray(items)) return items
  throw new MunimentError('invalid_input', 'Several are given as a list.')
}

/** A kind whose revisions are new accounts: each belongs to the epoch of its own writing. */
export const TOLD_ANEW = 'self_narrative'

/**
 * A memory belongs to the epoch of its birth, and a revision keeps this epoch. Records of the stack
 * about itself, and epochs, belong to none.
 */
const bearsEpoch = ({ kind, revises }: Pick<RawParts, 'kind' | 'revises'>): boolean =>
  isKind(kind) && kind !== 'epoch' && (revises === null || kind === TOLD_ANEW)

/** Puts a draft and its captures into an epoch; a capture of the memory's own words stays outside. */
export function inEpoch(draft: Draft, epochId: MemoryId | null): Draft {
  if (epochId === null || draft.inOpenEpoch !== true) return draft
  const captures = draft.captures.map((capture) =>
    capture.isOwnWords ? capture : { ...capture, body: { epochId, ...capture.body } },
  )
  return { ...draft, body: { epochId, ...draft.body }, captures }
}

/** Parses unknown input into a draft; an error names every bad field of body and provenance. */
function draftOf(parts: RawParts, ids: Ids): Draft {
  const { body, error: bodyError } = readBody(parts.kind, parts.body)
  const payload = readPayload(withSession(parts), parts.completeness)
  const error = inputError(bodyError, isIssues(payload) ? payload : [])
  if (error) throw error
  assert(body !== null && !isIssues(payload), 'a draft is read whole or refused')
  const id = parts.id === undefined ? ids.next() : parseMemoryId(parts.id)
  const revision = revisionOf(parts.revises)
  const own = { content: contentText(parts.kind, body) }
  const captures = capturesOf(parts.captures, own, (index) =>
    revision === null ? ids.next() : ids.capture(id, { index, revision }),
  )
  const last = captures.at(-1)
  const derivedFrom = unique(
    last ? [...payload.derivedFrom, toRef(last.kind, last.id)] : payload.derivedFrom,
  )
  if (derivedFrom.length > LIMITS.parentsMax) {
    throw new LimitError('parentsMax', LIMITS.parentsMax, derivedFrom.length)
  }
  return {
    kind: parts.kind,
    id,
    body,
    captures,
    derivedFrom,
    sourceEpisodes: unique(payload.sourceEpisodes),
    quote: payload.quote,
    revises: parts.revises,
    given: parts.given ?? namesIn(parts.body),
    consequence: parts.consequence,
    ...(parts.inOpenEpoch && bearsEpoch(parts) ? { inOpenEpoch: true } : {}),
    ...claimsOf(payload, parts.caller),
  }
}

/** The session and turn of the door replace those of the write; both are parsed alike. */
function withSession({ provenance, caller: { session, turn } }: RawParts): unknown {
  if (typeof provenance !== 'object' || provenance === null) return provenance
  const given: Readonly<Record<string, unknown>> = { ...provenance }
  return { ...given, session: session ?? given.session, turn: turn ?? given.turn }
}

/** Fields without a value count as omitted. */
export const namesIn = (body: unknown): readonly string[] =>
  Object.entries(Object(body)).flatMap(([name, value]) => (value === undefined ? [] : [name]))

/**
 * The number of the resulting revision; null where the caller expects no version, so every repeat
 * is a new revision.
 */
function revisionOf(revises: Draft['revises']): number | null {
  if (revises === null) return 1
  return revises.expectedVersion === null ? null : revises.expectedVersion + 1
}

function readBody<K extends RecordKind>(kind: K, input: unknown) {
  try {
    return { body: parseBody(kind, input) as BodyOf<K>, error: null }
  } catch (error) {
    if (error instanceof MunimentError && error.code !== 'invariant') return { body: null, error }
    throw error
  }
}

const isIssues = (value: Payload | readonly FieldIssue[]): value is readonly FieldIssue[] =>
  Array.isArray(value)

const unique = (refs: readonly Ref[]): readonly Ref[] =>
  refs.length < 2 ? refs : [...new Set(refs)]

const CAPTURED: ReadonlySet<string> = new Set(['raw', 'note', 'episode'])

function capturesOf(
  requests: readonly CaptureRequest[],
  own: BodyInputOf<'raw'>,
  idAt: (index: number) => MemoryId,
): readonly Capture[] {
  const captures: Capture[] = []
  for (const [index, request] of requests.entries()) {
    const { kind, body } = request
    // Callers in plain JavaScript bypass the type, so the check runs here too (PROV-NOBYPASS).
    if (!CAPTURED.has(kind)) {
      throw new MunimentError('invalid_input', 'Only a raw, a note or an episode is captured.')
    }
    const before = captures.at(-1)
    captures.push({
      kind,
      id: idAt(index),
      body: parseBody(kind, body === 'own words' ? own : body),
      derivedFrom: before ? [toRef(before.kind, before.id)] : sourcesOf(request),
      ...(body === 'own words' ? { isOwnWords: true } : {}),
    })
  }
  return captures
}

const sourcesOf = (request: CaptureRequest): readonly Ref[] =>
  'derivedFrom' in request ? (request.derivedFrom ?? []).map((ref) => parseRef(ref)) : []

function claimsOf(payload: Payload, caller: Caller) {
  const { contentHash, policyHash, trustTier, timestamp } = payload
  return {
    origin: {
      sourceType: payload.sourceType,
      label: payload.label,
      sourceId: payload.sourceId,
      sourceEntity: payload.sourceEntity,
      ingestionPath: payload.ingestionPath,
      eventTime: payload.eventTime,
      relayed: payload.relayed,
      document: payload.document,
      llmModel: payload.llmModel,
    },
    confidence: payload.confidence,
    supplied: { contentHash, policyHash, trustTier, timestamp },
    caller: { ...caller, session: payload.session, turn: payload.turn },
  }
}

/** Directly asserted kinds: the own words are captured as the source. */
export const SAID_DIRECTLY: ReadonlySet<Kind> = new Set(['episode', 'note', 'claim'])

const REASONED_FROM_NOTE: ReadonlySet<Kind> = new Set(['belief', 'claim'])
const REASONED_FROM_EPISODE: ReadonlySet<Kind> = new Set([
  'goal',
  'relationship',
  'drive',
  'playbook',
  'summary',
  'self_narrative',
])

/** Captures that keep a reason as the source of a memory; none for a kind that rests on beliefs. */
export function reasonCaptures(kind: Kind, reason: string): readonly CaptureRequest[] {
  const raw = { kind: 'raw', body: { content: reason } } as const
  if (REASONED_FROM_NOTE.has(kind)) return [raw, { kind: 'note', body: { content: reason } }]
  if (REASONED_FROM_EPISODE.has(kind)) {
    const body = { objective: `Decide on a ${kind.replace('_', ' ')}`, outcome: reason }
    return [raw, { kind: 'episode', body }]
  }
  return SAID_DIRECTLY.has(kind) ? [raw] : []
}
