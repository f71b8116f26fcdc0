import { parseMemoryId, parseRef, type Ref, toRef } from '../../domain/ids.ts'
import { SUGGESTED_KINDS, SUGGESTION_STATUSES } from '../../domain/kinds/suggestion.ts'
import { isFirstHand } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import { HOUR_MS, type Instant, toMs } from '../../domain/time.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { Engine } from '../engine.ts'
import { find, findAll } from '../read/list.ts'
import { type Memory, openNote, viewOf } from '../read/memory-view.ts'
import { given, limitOf, oneOf, shareOf, wrong } from '../write/arguments.ts'
import { type ActOptions, type Speaker, speakerOf } from '../write/speaker.ts'

/** A suggested memory and its outcome. */
export type Suggestion = Omit<Memory<'suggestion'>, 'status'> & {
  readonly memoryType: (typeof SUGGESTED_KINDS)[number]
  readonly content: Readonly<Record<string, unknown>>
  readonly sourceRefs: readonly string[]
  readonly status: string
  /** The reason of the suggestion or of the answer. */
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
  const answer = rows.map(({ bytes }) => readEntry(bytes)).findLast(isAnswer)
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
export const maySettle = (
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
