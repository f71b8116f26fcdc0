import type { Caller } from '../../domain/doors.ts'
import type { Capture, Consequence, Draft } from '../../domain/draft.ts'
import { assert, type FieldIssue, LimitError, MunimentError } from '../../domain/errors.ts'
import { type MemoryId, parseMemoryId, parseRef, type Ref, toRef } from '../../domain/ids.ts'
import type { RecordKind } from '../../domain/kind-names.ts'
import { type BodyInputOf, type BodyOf, contentText, parseBody } from '../../domain/kinds/table.ts'
import { LIMITS } from '../../domain/limits.ts'
import {
  inputError,
  type Payload,
  type ProvenancePayload,
  type RoutedPayload,
  readPayload,
} from '../../domain/payload.ts'
import type { CapturePlace } from '../../ledger/chance.ts'

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
}

/** A write for the open epoch, built again when another epoch turns out to be open. */
export type PlacedRequest<K extends RecordKind = RecordKind> = (
  epoch: MemoryId | null,
) => WriteRequest<K>

/** Input for both kinds of write, with the required completeness of provenance. */
export interface RawParts {
  readonly kind: RecordKind
  readonly id: unknown
  readonly body: unknown
  readonly provenance: unknown
  readonly completeness: 'full' | 'routed'
  readonly captures: readonly CaptureRequest[]
  readonly revises: Draft['revises']
  readonly given?: readonly string[]
  readonly consequence: Draft['consequence']
  readonly caller: Caller
}

/** Source of ids. A capture's id follows from its draft's id, so a repeated draft stays equal. */
export interface Ids {
  readonly next: () => MemoryId
  readonly capture: (of: MemoryId, place: CapturePlace) => MemoryId
}

/** Parses unknown input into a draft; an error names every bad field of body and provenance. */
export function draftOf(parts: RawParts, ids: Ids): Draft {
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
