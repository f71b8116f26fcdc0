import { type ClaimRequest, type ParsedClaim, parseClaimRequest } from '../../domain/claims.ts'
import { MunimentError } from '../../domain/errors.ts'
import { parseRef, type Ref } from '../../domain/ids.ts'
import type { Cardinality, Criticality } from '../../domain/kinds/claim.ts'
import type { JsonValue } from '../../domain/kinds/json-value.ts'
import {
  type Attribution,
  authorStated,
  isFirstHand,
  type Label,
  label,
} from '../../domain/labels.ts'
import type { RoutedPayload } from '../../domain/provenance.ts'
import { type Granularity, type Instant, tryParseDate } from '../../domain/time.ts'
import type { Disposition } from '../../domain/vocabulary.ts'
import type { WriteResult } from '../../domain/write.ts'
import type { Engine } from '../engine.ts'
import { toldEntry } from '../read/merged-steps.ts'
import { type ActOptions, readable, speakerOf } from '../write/arguments.ts'
import { dateGiven } from './answer.ts'

/** The author and the reader of a claim. */
export interface ClaimOptions extends Omit<ActOptions, 'label'> {
  readonly modelId?: string
  /** The named origin of the claim, in free words. */
  readonly source?: string
}

/** The outcome of a claim. A refusal is a value: `claimRef` is null, `message` says why. */
export interface ClaimResult extends Omit<WriteResult, 'ref' | 'id'> {
  readonly claimRef: Ref | null
  readonly disposition: Disposition
  /** First-hand claims that exclude this claim, as listed in its entry. */
  readonly contestedWith: readonly Ref[]
  /** Earlier claims of the same actor that this claim replaces. */
  readonly succeeded: readonly Ref[]
}

/** The protocol's entry point: one labelled claim through the gate. */
export async function ingestClaim(
  engine: Engine,
  given: ClaimRequest,
  options: ClaimOptions,
): Promise<ClaimResult> {
  const claim = readable(() => parseClaimRequest(given))
  if (claim.agentId !== undefined && claim.agentId !== engine.stackId) {
    throw new MunimentError('invalid_input', `agentId: this stack is ${engine.stackId}.`, {
      issues: [{ path: 'agentId', message: `is ${engine.stackId} here` }],
    })
  }
  const { modelId, source, ...act } = options
  const who = { ...act, label: claim.provenance }
  const { caller } = speakerOf(engine.stackId, 'ingest_claim', who)
  const provenance = provenanceOf(engine, claim, { ...options, caller })
  const { derivedFrom } = claim
  // A direct claim captures its own words, so that lineage always ends at a raw memory.
  const captures = derivedFrom.length > 0 ? [] : ([{ kind: 'raw', body: 'own words' }] as const)
  const body = bodyOf(claim)
  const result = await engine.write({ kind: 'claim', body, provenance, captures }, caller)
  return resultOf(engine, result)
}

const ROLES = { UserAsserted: 'user', ExternalFirstHand: 'tool' } as const

function provenanceOf(
  { stackId }: Engine,
  { provenance, confidence, derivedFrom, externalAnchorRef, quote }: ParsedClaim,
  {
    caller,
    actor,
    modelId,
    source,
  }: ClaimOptions & { readonly caller: { door: string; operation: string } },
): RoutedPayload {
  const role = provenance.type === 'External' ? ROLES[provenance.kind] : 'model'
  const sourceId = actor ?? `${stackId}:${role}`
  return {
    sourceType: isFirstHand(provenance) ? 'direct_experience' : 'inference',
    label: provenance,
    sourceId,
    sourceEntity: source ?? null,
    ingestionPath: `${caller.door}:${caller.operation}`,
    confidence: confidence.valueConfidence,
    llmModel: provenance.type === 'ModelDerived' ? (modelId ?? `unknown:${sourceId}`) : null,
    derivedFrom: derivedFrom.map((ref) => parseRef(ref)),
    document: externalAnchorRef,
    quote,
  }
}

interface Dated {
  readonly at: Instant | null
  readonly granularity: Granularity | null
}

const NO_DATE: Dated = { at: null, granularity: null }

const dateOf = (text: string | null): Dated =>
  (text === null ? undefined : tryParseDate(text)) ?? NO_DATE

/** Parses a window of dates; `names` are the option names for errors. */
export function windowOf(
  from: string | undefined,
  until: string | undefined,
  names: readonly [from: string, until: string],
) {
  const [start, end] = [
    from === undefined ? NO_DATE : dateGiven(names[0], from),
    until === undefined ? NO_DATE : dateGiven(names[1], until),
  ]
  return {
    start: start.at,
    startGranularity: start.granularity,
    end: end.at,
    endGranularity: end.granularity,
  }
}

function bodyOf(claim: ParsedClaim) {
  const { subject, predicate, value, cardinality, criticality, holds, validTime } = claim
  const [start, end] = [dateOf(validTime.start), dateOf(validTime.end)]
  return {
    subject,
    predicate,
    value: value as JsonValue, // checked by its schema
    cardinality,
    criticality,
    holds,
    validTime: {
      start: start.at,
      startGranularity: start.granularity,
      end: end.at,
      endGranularity: end.granularity,
      confidence: claim.confidence.validTimeConfidence,
    },
  }
}

/** Only an entry of the rule `conflict` names opposing claims; other entries have none. */
async function resultOf(
  { read }: Engine,
  { ref, id: _, ...result }: WriteResult,
): Promise<ClaimResult> {
  const { rule, entry } = result
  const [row] =
    rule === 'conflict' ? await read({ type: 'entries', from: entry.seq, limit: 1 }) : []
  const facts = row ? toldEntry(row.bytes).decision.facts : {}
  const refs = (fact: unknown): readonly Ref[] => (Array.isArray(fact) ? (fact as Ref[]) : []) // written by the gate
  return {
    claimRef: ref,
    ...result,
    contestedWith: refs(facts.against),
    succeeded: refs(facts.succeeds),
  }
}

/** The dates, the actor and the label of a claim in short. */
export interface RememberOptions extends ClaimOptions, Attribution {
  /** Valid from: 2024, 2024-05, 2024-05-15 or a time. `until` includes the whole named period. */
  readonly from?: string
  readonly until?: string
  readonly confidence?: number
  readonly cardinality?: Cardinality
  readonly criticality?: Criticality
  readonly derivedFrom?: readonly string[]
  readonly document?: string
  /** For a model's claim: a whole sentence of a first-hand memory in `derivedFrom`, verbatim. */
  readonly quote?: string
  /** UserAsserted by default. */
  readonly label?: Label
}

/** A shorter form of `ingestClaim` for people: subject, predicate, value and options. */
export function remember(
  engine: Engine,
  [subject, predicate, value]: readonly [string, string, JsonValue],
  options: RememberOptions,
): Promise<ClaimResult> {
  const { from, until, confidence = 1, cardinality, criticality, derivedFrom, document } = options
  const { label: said = label.userAsserted(), actor } = authorStated(options)
  const { caller, session, turn, modelId, source } = options
  const request: ClaimRequest = {
    subject,
    predicate,
    value,
    provenance: said,
    confidence: { valueConfidence: confidence, validTimeConfidence: confidence },
    validTime: { start: from ?? null, end: until ?? null },
    externalAnchorRef: document ?? null,
    quote: options.quote ?? null,
    ...(cardinality === undefined ? {} : { cardinality }),
    ...(criticality === undefined ? {} : { criticality }),
    ...(derivedFrom === undefined ? {} : { derivedFrom: [...derivedFrom] }),
  }
  const who = { actor, caller, session, turn, modelId, source }
  const given = Object.entries(who).filter(([, member]) => member !== undefined)
  return ingestClaim(engine, request, Object.fromEntries(given))
}
