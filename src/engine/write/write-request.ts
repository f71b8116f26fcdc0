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

/** A record for the low-level `save*`: the body's own fields, an id if it has one, full provenance. */
export type SaveRecord<K extends RecordKind> = BodyInputOf<K> & {
  readonly id?: string
  readonly provenance: ProvenancePayload
}

/** Something to write down with a memory in the same commit; each cites the one before it. */
export type CaptureRequest =
  | { readonly kind: 'raw'; readonly body: BodyInputOf<'raw'> }
  /** What the memory itself says, kept as the words it was made from. */
  | { readonly kind: 'raw'; readonly body: 'own words' }
  | (OnSources & { readonly kind: 'note'; readonly body: BodyInputOf<'note'> })
  | (OnSources & { readonly kind: 'episode'; readonly body: BodyInputOf<'episode'> })

/** A first capture may rest on memories that exist; each further one rests on the one before. */
interface OnSources {
  readonly derivedFrom?: readonly string[]
}

/** A write as the core and the doors route it. */
export interface WriteRequest<K extends RecordKind = RecordKind> {
  readonly kind: K
  readonly id?: string
  readonly body: BodyInputOf<K>
  readonly provenance: RoutedPayload
  readonly captures?: readonly CaptureRequest[]
  readonly revises?: NonNullable<Draft['revises']>
  /** Names of the body's fields that the caller gave; all of them unless said otherwise. */
  readonly given?: readonly string[]
  readonly consequence?: Consequence
}

/** A write that bears the epoch that is open, made anew where that turns out to be another. */
export type PlacedRequest<K extends RecordKind = RecordKind> = (
  epoch: MemoryId | null,
) => WriteRequest<K>

/** One way in for both: parts as they came, and how complete the provenance has to be. */
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

/** Where ids come from. A capture's follows from its draft's, so that a draft sent again is the same. */
export interface Ids {
  readonly next: () => MemoryId
  readonly capture: (of: MemoryId, place: CapturePlace) => MemoryId
}

/** `unknown` becomes a draft here, once; every bad field of body and provenance is named. */
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

/** A door that knows its session and turn is believed over the write; both are read alike. */
function withSession({ provenance, caller: { session, turn } }: RawParts): unknown {
  if (typeof provenance !== 'object' || provenance === null) return provenance
  const given: Readonly<Record<string, unknown>> = { ...provenance }
  return { ...given, session: session ?? given.session, turn: turn ?? given.turn }
}

/** Fields without a value were not given. */
export const namesIn = (body: unknown): readonly string[] =>
  Object.entries(Object(body)).flatMap(([name, value]) => (value === undefined ? [] : [name]))

/** The revision it will be; null where the caller does not say, and every sending is another one. */
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
    // The type says so already; a caller in JavaScript has not read it (PROV-NOBYPASS).
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
