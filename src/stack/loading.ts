import { strengthAt, strengthTier } from '../belief/effective.ts'
import { MunimentError } from '../domain/errors.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import { KINDS } from '../domain/kind-names.ts'
import type { Narrowed, StoredMemory } from '../ports/store.ts'
import { type PackCandidate, pack } from '../recall/pack.ts'
import { priorityOf } from '../recall/priority.ts'
import { estimateTokens, tokenBudget } from '../recall/tokens.ts'
import { ungroundedAmong } from './grounding.ts'
import { type Memory, viewOf } from './memory-view.ts'
import type { Moment, Uses } from './uses.ts'

export interface LoadOptions {
  readonly tokenBudget?: number
  /** Memories of this context, and those of none, which hold everywhere. */
  readonly context?: string
  readonly minTier?: number
}

/** Under which name each kind stands in working memory. */
const SHELVES = {
  value: 'values',
  belief: 'beliefs',
  goal: 'goals',
  drive: 'drives',
  claim: 'claims',
  episode: 'episodes',
  note: 'notes',
  relationship: 'relationships',
  playbook: 'playbooks',
  summary: 'summaries',
  self_narrative: 'selfNarratives',
} as const satisfies Partial<Record<RecordKind, string>>

type LoadedKind = keyof typeof SHELVES

/** One memory in working memory: its words, cut where they were too long, and its papers. */
export interface LoadedItem {
  readonly memory: Memory
  readonly content: string
  readonly priority: number
  readonly tokens: number
  readonly cut: boolean
}

export type Loaded = {
  readonly [K in LoadedKind as (typeof SHELVES)[K]]: readonly LoadedItem[]
} & {
  readonly _meta: {
    readonly budgetUsed: number
    readonly budgetTotal: number
    readonly budgetCapped: boolean
    readonly included: number
    readonly excludedCount: number
    /** What was considered and left out, and why. */
    readonly excluded: readonly { readonly ref: string; readonly reason: string }[]
    /** Kinds that hold more than was looked at: what is behind has a lower priority. */
    readonly more: readonly string[]
    /** Beliefs among the included whose every source is gone. */
    readonly ungrounded: readonly string[]
  }
}

const PAGE = 100
const RESERVE_SHARE = 0.05 // of the budget: how much of a kind is looked at when others fill it

/** The most relevant memories within a budget, every kind heard. */
export async function load(uses: Uses, options: LoadOptions = {}): Promise<Loaded> {
  const { tokens: budget, capped } = budgetOf(options.tokenBudget)
  const moment = await uses.moment()
  const candidates: Candidate[] = []
  const more: string[] = []
  let wanted = budget
  for (const kind of kindsByPriority(moment)) {
    const reserve = Math.max(wanted, budget * RESERVE_SHARE)
    const found = await candidatesOf(uses, kind, { moment, options, wanted: reserve })
    candidates.push(...found.candidates)
    if (found.hasMore) more.push(SHELVES[kind])
    wanted = Math.max(0, wanted - found.strong)
  }
  const packed = pack(candidates, budget)
  const byRef = new Map(candidates.map((each) => [each.ref, each]))
  const items = packed.taken.flatMap(({ ref, priority, text, tokens, cut }) => {
    const memory = byRef.get(ref)?.memory
    return memory ? [{ memory, content: text, priority, tokens, cut }] : []
  })
  return {
    ...shelved(items),
    _meta: {
      budgetUsed: packed.used,
      budgetTotal: budget,
      budgetCapped: capped,
      included: items.length,
      excludedCount: packed.left.length,
      excluded: packed.left.map(({ ref, reason }) => ({ ref, reason })),
      more,
      ungrounded: await ungroundedAmong(
        uses,
        items.flatMap(({ memory }) => byRef.get(memory.ref)?.stored ?? []),
      ),
    },
  }
}

function budgetOf(asked: number | undefined) {
  if (asked !== undefined && !(Number.isFinite(asked) && asked >= 0)) {
    throw new MunimentError('invalid_input', 'tokenBudget is a number, 0 or more.')
  }
  return tokenBudget(asked)
}

const isLoaded = (kind: RecordKind): kind is LoadedKind => Object.hasOwn(SHELVES, kind)

/** Highest base first, so that lower kinds are looked at only as far as there may be room. */
function kindsByPriority({ policy }: Moment): readonly LoadedKind[] {
  const baseOf = (kind: RecordKind): number => {
    const load = policy.kinds[kind].load
    return load ? Math.max(load.base, ...Object.values(load.baseByScope ?? {})) : 0
  }
  return KINDS.filter(isLoaded)
    .filter((kind) => policy.kinds[kind].load !== null)
    .sort((a, b) => baseOf(b) - baseOf(a))
}

interface Candidate extends PackCandidate {
  readonly stored: StoredMemory
  /** Opened once: for its words here, and for whoever gets it. */
  readonly memory: Memory
}

interface Wish {
  readonly moment: Moment
  readonly options: LoadOptions
  /** Tokens that may still be filled from this kind. */
  readonly wanted: number
}

/** Candidates of one kind in the order of their priority, until there are enough of them. */
async function candidatesOf(uses: Uses, kind: LoadedKind, { moment, options, wanted }: Wish) {
  const { policy, now } = moment
  const where = whereOf(options, moment)
  const isWeighted = policy.kinds[kind].load?.bonus !== undefined
  const candidates: Candidate[] = []
  let strong = 0
  let behind: { weight: number; seq: number } | null = null
  for (;;) {
    const page: readonly StoredMemory[] = isWeighted
      ? await uses.read({ type: 'heaviest', kind, behind, limit: PAGE, where })
      : await uses.read({ type: 'list', kind, before: behind?.seq ?? null, limit: PAGE, where })
    for (const stored of page) {
      const { state } = stored
      const tier = strengthTier(strengthAt(state, policy, now), policy)
      const { subtype } = state.facets
      const priority = priorityOf(
        { kind, subtype, weight: state.weight, strengthTier: tier },
        policy,
      )
      if (priority === null) continue
      const memory = viewOf(stored, moment)
      const { text } = memory
      candidates.push({ ref: state.ref, kind, priority, text, stored, memory })
      if (tier === 'strong') strong += estimateTokens(text.slice(0, 500))
    }
    const last = page.at(-1)
    const hasMore = last !== undefined && page.length === PAGE
    if (!hasMore || strong >= wanted) return { candidates, strong, hasMore }
    behind = { weight: last.state.weight, seq: last.state.seq }
  }
}

function whereOf({ context, minTier = 1 }: LoadOptions, { policy }: Moment): Narrowed {
  return {
    ...(context === undefined ? {} : { contextOrNone: context }),
    tierMin: minTier,
    strengthMin: policy.numbers.strengthWeakBelow,
    except: policy.notBelieved,
  }
}

/** Every shelf is there, also an empty one. */
function shelved(items: readonly LoadedItem[]): Omit<Loaded, '_meta'> {
  const shelves = Object.entries(SHELVES).map(([kind, name]) => [
    name,
    items.filter(({ memory }) => memory.kind === kind),
  ])
  return Object.fromEntries(shelves) as Omit<Loaded, '_meta'> // one entry for each shelf
}
