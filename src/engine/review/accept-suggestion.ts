import { isBelieved } from '../../domain/distrust.ts'
import type { Caller } from '../../domain/doors.ts'
import { MunimentError } from '../../domain/errors.ts'
import { type Kind, type MemoryId, type Ref, splitRef, toRef } from '../../domain/ids.ts'
import { identityParts } from '../../domain/kinds/content.ts'
import { contentText, parseBody } from '../../domain/kinds/table.ts'
import { label, labelName } from '../../domain/labels.ts'
import type { RoutedPayload } from '../../domain/payload.ts'
import { kindPolicyOf, type Policy } from '../../domain/policy.ts'
import { isAccepted, type WriteResult } from '../../domain/write.ts'
import { isLive } from '../../fold/fold-memory.ts'
import { contentHash } from '../../ledger/ledger.ts'
import type { Engine } from '../engine.ts'
import { given, readable, shareOf } from '../write/arguments.ts'
import { refusalError } from '../write/refusal.ts'
import { type ActOptions, speakerOf } from '../write/speaker.ts'
import type { CaptureRequest, WriteRequest } from '../write/write-request.ts'
import { getSuggestion, maySettle } from './suggestions.ts'

const PROMOTED_BY = 'muniment:suggestion-promotion'

/** Turns a pending suggestion into a memory in one commit; null where not pending or allowed. */
export async function acceptSuggestion(
  engine: Engine,
  id: string,
  modifications: Readonly<Record<string, unknown>> | null,
  act?: ActOptions | null,
): Promise<MemoryId | null> {
  const options = given(act)
  const suggestion = await getSuggestion(engine, id)
  if (suggestion?.status !== 'pending') return null
  const speaker = speakerOf(engine.stackId, 'accept_suggestion', options)
  if (!maySettle(suggestion, speaker)) return null
  const kind: Kind = suggestion.memoryType
  const { confidence = suggestion.confidence, ...changed } = given(modifications)
  const body = readable(() => parseBody(kind, { ...suggestion.content, ...changed }))
  const { policy } = await engine.moment()
  const sources = suggestion.sourceRefs as readonly Ref[] // parsed as refs on save
  const { caller, actor } = speaker
  const said = options.label ?? (caller.person ? label.userAsserted() : label.modelDerived())
  const isPerson = labelName(said) === 'UserAsserted'
  if (!isPerson && !isBelieved(suggestion.disposition, policy)) return null
  const provenance: RoutedPayload = {
    sourceType: 'consolidation',
    label: said,
    sourceId: actor,
    sourceEntity: PROMOTED_BY,
    ingestionPath: `${caller.door}:${caller.operation}`,
    confidence: shareOf('confidence', confidence),
    llmModel: said.type === 'ModelDerived' ? `unknown:${PROMOTED_BY}` : null,
    // The words belong to the author of the suggestion, unless a person adopts them.
    ...(isPerson ? {} : { trustTier: suggestion.tier }),
  }
  const isModified = Object.keys(given(modifications)).length > 0
  const status = isModified ? 'modified' : 'promoted'
  const consequence = { type: 'promotes', ref: suggestion.ref, status } as const
  const requests = await chained(engine, { kind, body, provenance, sources, consequence, policy })
  const result = await accepted(engine, requests, caller)
  if (result === null) return null
  if (!isAccepted(result)) {
    if (result.rule === 'lint') return null
    throw refusalError(result)
  }
  await markProcessed(engine, sources, { into: result.ref, options })
  return result.id
}

interface Promotion {
  readonly kind: Kind
  readonly body: object
  readonly provenance: RoutedPayload
  readonly sources: readonly Ref[]
  readonly consequence: WriteRequest['consequence']
  readonly policy: Policy
}

/** The memory and its prerequisites, for one commit. */
async function chained(engine: Engine, promotion: Promotion): Promise<readonly WriteRequest[]> {
  const { kind, body, provenance, sources, consequence, policy } = promotion
  const text = contentText(kind, body)
  const chain = chainFor({ kind, text, sources, policy })
  const cited = new Set<string>(chain.derivedFrom)
  const evidence = sources.filter((ref) => !cited.has(ref))
  const last = { kind, body, consequence, captures: chain.captures } as WriteRequest // parsed as this kind
  const papers = { ...provenance, sourceEpisodes: evidence }
  if (!chain.needsBelief) {
    return [{ ...last, provenance: { ...papers, derivedFrom: [...chain.derivedFrom] } }]
  }
  const statement = { statement: 'statement' in body ? String(body.statement) : text }
  const known = await knownBelief(engine, statement)
  if (known) return [{ ...last, provenance: { ...papers, derivedFrom: [known] } }]
  const id = engine.nextId()
  const under = chainFor({ kind: 'belief', text, sources, policy })
  const belief: WriteRequest<'belief'> = {
    kind: 'belief',
    id,
    body: statement,
    provenance: { ...provenance, derivedFrom: [...under.derivedFrom] },
    captures: under.captures,
  }
  const derivedFrom = [toRef('belief', id)]
  return [belief as unknown as WriteRequest, { ...last, provenance: { ...papers, derivedFrom } }]
}

/** Finds an equal belief to cite instead of a second one: a live belief first, then the oldest. */
export async function knownBelief(
  engine: Engine,
  body: { readonly statement: string },
): Promise<Ref | undefined> {
  const identity = contentHash(engine.sha256, identityParts('belief', parseBody('belief', body)))
  const { policy } = await engine.moment()
  const saying = await engine.read({
    type: 'memories',
    as: 'state',
    where: { identity },
    order: 'oldest',
  })
  return (saying.find((state) => isLive(state, policy)) ?? saying[0])?.ref
}

/** Null where another caller answered the suggestion first; no error. */
async function accepted(
  engine: Engine,
  requests: readonly WriteRequest[],
  caller: Caller,
): Promise<WriteResult | null> {
  try {
    const written = await engine.writeAll(requests, caller)
    return written.refused ? written.result : (written.results.at(-1) ?? null)
  } catch (cause) {
    if (cause instanceof MunimentError && cause.facts.reason === 'not_pending') return null
    throw cause
  }
}

/** Marks the captures as processed, because a memory came from them. */
async function markProcessed(
  engine: Engine,
  sources: readonly Ref[],
  { into, options }: { readonly into: Ref; readonly options: ActOptions },
): Promise<void> {
  const speaker = speakerOf(engine.stackId, 'accept_suggestion', options)
  for (const ref of sources) {
    if (splitRef(ref).kind !== 'raw') continue
    await engine.change({ ref, change: { type: 'process', into: [into] }, ...speaker })
  }
}

interface Wanted {
  readonly kind: Kind
  readonly text: string
  readonly sources: readonly Ref[]
  readonly policy: Policy
}

export interface Chain {
  readonly derivedFrom: readonly Ref[]
  readonly captures: readonly CaptureRequest[]
  /** True if a belief must be saved first, because a capture cannot stand in for a belief. */
  readonly needsBelief: boolean
}

/**
 * The sources of a memory, and the captures to save first so that no layer is skipped: a belief
 * from raw words needs a note between, a goal an episode.
 */
export function chainFor({ kind, text, sources, policy }: Wanted): Chain {
  const { from } = kindPolicyOf(policy, kind).sources
  const isDirect = (ref: Ref): boolean => from.some((allowed) => allowed === splitRef(ref).kind)
  const direct = sources.filter(isDirect)
  if (direct.length > 0) return { derivedFrom: direct, captures: [], needsBelief: false }
  const raws = sources.filter((ref) => splitRef(ref).kind === 'raw')
  const words: readonly CaptureRequest[] =
    raws.length > 0 ? [] : [{ kind: 'raw', body: { content: text } }]
  const on = raws.length > 0 ? { derivedFrom: raws } : {}
  if (from.includes('note')) {
    return captured([...words, { kind: 'note', body: { content: text }, ...on }])
  }
  if (from.includes('episode')) {
    const body = { objective: `Review a suggested ${kind.replace('_', ' ')}`, outcome: text }
    return captured([...words, { kind: 'episode', body, ...on }])
  }
  if (from.includes('raw')) return captured(words)
  return { derivedFrom: [], captures: [], needsBelief: from.includes('belief') }
}

const captured = (captures: readonly CaptureRequest[]): Chain => ({
  derivedFrom: [],
  captures,
  needsBelief: false,
})
