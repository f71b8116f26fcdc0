import { isBelieved } from '../../domain/distrust.ts'
import type { Caller } from '../../domain/doors.ts'
import { MunimentError } from '../../domain/errors.ts'
import {
  type Kind,
  type MemoryId,
  parseMemoryId,
  parseRef,
  type Ref,
  splitRef,
  toRef,
} from '../../domain/ids.ts'
import { identityParts } from '../../domain/kinds/content.ts'
import { SUGGESTED_KINDS, SUGGESTION_STATUSES } from '../../domain/kinds/suggestion.ts'
import { contentText, parseBody } from '../../domain/kinds/table.ts'
import { isFirstHand, label, labelName } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import { kindPolicyOf, type Policy } from '../../domain/policy.ts'
import type { RoutedPayload } from '../../domain/provenance.ts'
import { HOUR_MS, type Instant, toMs } from '../../domain/time.ts'
import { isAccepted, type WriteResult } from '../../domain/write.ts'
import { isLive } from '../../fold/fold-memory.ts'
import { contentHash } from '../../ledger/ledger.ts'
import type { Engine } from '../engine.ts'
import { find, findAll } from '../read/list.ts'
import { type Memory, openNote, viewOf } from '../read/memory-view.ts'
import { toldEntry } from '../read/merged-steps.ts'
import {
  type ActOptions,
  given,
  limitOf,
  oneOf,
  readable,
  type Speaker,
  shareOf,
  speakerOf,
  wrong,
} from '../write/arguments.ts'
import { refusalError } from '../write/outcomes.ts'
import type { CaptureRequest, WriteRequest } from '../write/write-request.ts'

/** A proposed memory. */
export type Suggestion = Omit<Memory<'suggestion'>, 'status'> & {
  readonly memoryType: (typeof SUGGESTED_KINDS)[number]
  readonly content: Readonly<Record<string, unknown>>
  readonly sourceRefs: readonly string[]
  readonly status: string
  readonly reason: string | null
  /** Time of the answer, and the memory from the suggestion. */
  readonly resolvedAt: Instant | null
  readonly promotedTo: Ref | null
}

export interface SuggestionsOptions {
  readonly status?: string
  readonly memoryType?: string
  readonly limit?: number
  readonly minConfidence?: number
  readonly maxAgeHours?: number
  readonly sourceRawId?: string
  readonly after?: string
}

const SUGGESTIONS_LIMIT = 100

export async function getSuggestion(engine: Engine, id: string): Promise<Suggestion | null> {
  const stored = await engine.read({ type: 'memory', ref: toRef('suggestion', parseMemoryId(id)) })
  if (!stored) return null
  return suggestionOf(engine, viewOf<'suggestion'>(stored, await engine.moment()))
}

export async function getSuggestions(
  engine: Engine,
  options?: SuggestionsOptions | null,
): Promise<readonly Suggestion[]> {
  const asked = given(options)
  const limit = limitOf(asked.limit, SUGGESTIONS_LIMIT)
  const { status, memoryType } = asked
  const narrowed = {
    ...(status === undefined ? {} : { status: oneOf('status', status, SUGGESTION_STATUSES) }),
    ...(memoryType === undefined
      ? {}
      : { subtype: oneOf('memoryType', memoryType, SUGGESTED_KINDS) }),
  }
  const isWanted = wantedBy(asked, toMs(engine.now()))
  const found: Memory<'suggestion'>[] = []
  for (let { after } = asked; found.length < limit; ) {
    const page = await find(engine, 'suggestion', {
      ...narrowed,
      limit: LIMITS.pageItemsMax,
      includeForgotten: true,
      includeSetAside: true,
      ...(after === undefined ? {} : { after }),
    })
    found.push(...page.filter(isWanted))
    const last = page.at(-1)
    if (last === undefined || page.length < LIMITS.pageItemsMax) break
    after = last.id
  }
  return Promise.all(found.slice(0, limit).map((memory) => suggestionOf(engine, memory)))
}

/** Filters without an index. */
function wantedBy(options: SuggestionsOptions, nowMs: number) {
  const { minConfidence, maxAgeHours, sourceRawId } = options
  const confidenceMin = minConfidence === undefined ? 0 : shareOf('minConfidence', minConfidence)
  if (maxAgeHours !== undefined && !(Number.isFinite(maxAgeHours) && maxAgeHours >= 0)) {
    throw wrong('maxAgeHours', 'a number, 0 or more')
  }
  const source = sourceRawId === undefined ? null : sourceOf(sourceRawId)
  const oldestMs = maxAgeHours === undefined ? -Infinity : nowMs - maxAgeHours * HOUR_MS
  return ({ body, createdAt }: Memory<'suggestion'>): boolean =>
    body.confidence >= confidenceMin &&
    toMs(createdAt) >= oldestMs &&
    (source === null || body.sourceRefs.includes(source))
}

/** Accepts the id of a raw memory, or a whole ref. */
const sourceOf = (id: string): Ref =>
  typeof id === 'string' && id.includes(':') ? parseRef(id) : toRef('raw', parseMemoryId(id))

/** Reads the outcome from the ledger, only for answered suggestions. */
async function suggestionOf(engine: Engine, memory: Memory<'suggestion'>): Promise<Suggestion> {
  const { body, ref } = memory
  const status = memory.status ?? body.status
  const base = {
    ...memory,
    memoryType: body.memoryType,
    content: body.content as Readonly<Record<string, unknown>>, // a JSON object by its schema
    /** Initial confidence of the suggested memory. */
    confidence: body.confidence,
    sourceRefs: body.sourceRefs,
    status,
  }
  if (status === body.status) {
    return { ...base, reason: body.reason ?? null, resolvedAt: null, promotedTo: null }
  }
  const rows = await engine.read({ type: 'entries', about: ref })
  const answer = rows.map(({ bytes }) => toldEntry(bytes)).findLast(isAnswer)
  const [sealed] = answer?.commitment
    ? await engine.read({ type: 'table', name: 'sealed', from: answer.seq, to: answer.seq })
    : []
  return {
    ...base,
    reason: sealed ? openNote(sealed).text : null,
    resolvedAt: answer?.time ?? null,
    promotedTo: (answer?.decision.facts.into as Ref | undefined) ?? null,
  }
}

const isAnswer = ({ op }: { readonly op: string }): boolean => op === 'suggestion.resolved'

export async function dismissSuggestion(
  engine: Engine,
  id: string,
  reason: string | null,
  options?: ActOptions | null,
): Promise<boolean> {
  const suggestion = await getSuggestion(engine, id)
  const speaker = speakerOf(engine.stackId, 'dismissed_suggestion', given(options))
  if (suggestion && !maySettle(suggestion, speaker)) return false
  return resolveAs(engine, id, { status: 'dismissed', reason, options: given(options) })
}

/** A model may not settle a suggestion of a person or a tool. */
const maySettle = (
  { provenance }: Pick<Suggestion, 'provenance'>,
  { label }: Pick<Speaker, 'label'>,
): boolean => isFirstHand(label) || !isFirstHand(provenance.label)

async function resolveAs(
  engine: Engine,
  id: string,
  how: {
    readonly status: 'dismissed' | 'expired'
    readonly reason: string | null
    readonly options: ActOptions
  },
): Promise<boolean> {
  const ref = toRef('suggestion', parseMemoryId(id))
  const speaker = speakerOf(engine.stackId, `${how.status}_suggestion`, how.options)
  const change = { type: 'resolve', status: how.status, into: null } as const
  const { changed } = await engine.change({ ref, change, text: how.reason, ...speaker })
  return changed
}

/** Expires suggestions without an answer in time, and counts them. */
export async function expireSuggestions(engine: Engine): Promise<number> {
  const { policy, now } = await engine.moment()
  const hours = policy.numbers.suggestionTtlHours
  const oldestMs = toMs(now) - hours * HOUR_MS
  const pending = await findAll(engine, 'suggestion', { status: 'pending', includeForgotten: true })
  const how = { status: 'expired', reason: `unanswered for ${hours} hours`, options: {} } as const
  let expired = 0
  for (const { id, createdAt } of pending) {
    if (toMs(createdAt) < oldestMs && (await resolveAs(engine, id, how))) expired += 1
  }
  return expired
}

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

interface Chain {
  readonly derivedFrom: readonly Ref[]
  readonly captures: readonly CaptureRequest[]
  /** True if a belief must be saved first, because a capture cannot stand in for a belief. */
  readonly needsBelief: boolean
}

/**
 * The sources of a memory, and the captures to save first so that no layer is skipped: a belief
 * from raw words needs a note between, a goal an episode.
 */
function chainFor({ kind, text, sources, policy }: Wanted): Chain {
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
