import { parseMemoryId, type Ref, toRef } from '../domain/ids.ts'
import type { SUGGESTED_KINDS } from '../domain/kinds/suggestion.ts'
import { LIMITS } from '../domain/limits.ts'
import { type Instant, toMs } from '../domain/time.ts'
import { readEntry } from '../hash/ledger.ts'
import { find, limitOf } from './finding.ts'
import { type Memory, openNote, viewOf } from './memory-view.ts'
import { type ActOptions, speakerOf } from './speaker.ts'
import type { Uses } from './uses.ts'

/** A proposed memory and what became of it. */
export type Suggestion = Omit<Memory<'suggestion'>, 'status'> & {
  readonly memoryType: (typeof SUGGESTED_KINDS)[number]
  readonly content: Readonly<Record<string, unknown>>
  readonly sourceRefs: readonly string[]
  readonly status: string
  /** The words it was proposed or answered with. */
  readonly reason: string | null
  /** When it was answered, and what it became. */
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

export async function getSuggestion(uses: Uses, id: string): Promise<Suggestion | null> {
  const stored = await uses.read({ type: 'memory', ref: toRef('suggestion', parseMemoryId(id)) })
  if (!stored) return null
  return suggestionOf(uses, viewOf<'suggestion'>(stored, await uses.moment()))
}

export async function getSuggestions(
  uses: Uses,
  options: SuggestionsOptions = {},
): Promise<readonly Suggestion[]> {
  const { status, memoryType, minConfidence, maxAgeHours, sourceRawId } = options
  const limit = limitOf(options.limit ?? SUGGESTIONS_LIMIT)
  const oldest = maxAgeHours === undefined ? -Infinity : toMs(uses.now()) - maxAgeHours * 3_600_000
  const isWanted = ({ body, createdAt }: Memory<'suggestion'>): boolean =>
    body.confidence >= (minConfidence ?? 0) &&
    toMs(createdAt) >= oldest &&
    (sourceRawId === undefined || cites(body.sourceRefs, sourceRawId))
  const found: Memory<'suggestion'>[] = []
  let { after } = options
  while (found.length < limit) {
    const page = await find(uses, 'suggestion', {
      limit: LIMITS.pageItemsMax,
      includeForgotten: true,
      includeSetAside: true,
      ...(status === undefined ? {} : { status }),
      ...(memoryType === undefined ? {} : { subtype: memoryType }),
      ...(after === undefined ? {} : { after }),
    })
    found.push(...page.filter(isWanted))
    const last = page.at(-1)
    if (last === undefined || page.length < LIMITS.pageItemsMax) break
    after = last.id
  }
  return Promise.all(found.slice(0, limit).map((memory) => suggestionOf(uses, memory)))
}

const cites = (refs: readonly string[], raw: string): boolean =>
  refs.includes(raw.includes(':') ? raw : `raw:${raw}`)

/** What became of it stands in the ledger; only answered ones are looked up there. */
async function suggestionOf(uses: Uses, memory: Memory<'suggestion'>): Promise<Suggestion> {
  const { body, ref } = memory
  const status = memory.status ?? body.status
  const base = {
    ...memory,
    memoryType: body.memoryType,
    content: body.content as Readonly<Record<string, unknown>>, // a JSON object by its schema
    /** What the proposed memory would start with. */
    confidence: body.confidence,
    sourceRefs: body.sourceRefs,
    status,
  }
  if (status === body.status) {
    return { ...base, reason: body.reason ?? null, resolvedAt: null, promotedTo: null }
  }
  const rows = await uses.read({ type: 'entriesAbout', ref })
  const answer = rows.map(({ bytes }) => readEntry(bytes)).findLast(isAnswer)
  const [sealed] = answer?.commitment
    ? await uses.read({ type: 'sealed', from: answer.seq, to: answer.seq })
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
  uses: Uses,
  id: string,
  reason: string | null,
  options: ActOptions = {},
): Promise<boolean> {
  return resolveAs(uses, id, { status: 'dismissed', reason, options })
}

async function resolveAs(
  uses: Uses,
  id: string,
  how: {
    readonly status: 'dismissed' | 'expired'
    readonly reason: string | null
    readonly options: ActOptions
  },
): Promise<boolean> {
  const ref = toRef('suggestion', parseMemoryId(id))
  const speaker = speakerOf(uses.stackId, `${how.status}_suggestion`, how.options)
  const change = { type: 'resolve', status: how.status, into: null } as const
  const { changed } = await uses.change({ ref, change, text: how.reason, ...speaker })
  return changed
}

/** Suggestions nobody answered in time; how many expired. */
export async function expireSuggestions(uses: Uses): Promise<number> {
  const { policy, now } = await uses.moment()
  const oldest = toMs(now) - policy.numbers.suggestionTtlHours * 3_600_000
  let expired = 0
  for (;;) {
    const pending = await find(uses, 'suggestion', {
      status: 'pending',
      limit: LIMITS.pageItemsMax,
      includeForgotten: true,
    })
    const late = pending.filter(({ createdAt }) => toMs(createdAt) < oldest)
    for (const { id } of late) {
      const how = { status: 'expired', reason: null, options: {} } as const
      if (await resolveAs(uses, id, how)) expired += 1
    }
    if (late.length < pending.length || pending.length < LIMITS.pageItemsMax) return expired
  }
}
