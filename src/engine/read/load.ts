import { isBelieved, unbelieved } from '../../domain/distrust.ts'
import type { Tier } from '../../domain/doors.ts'
import { KINDS, type RecordKind, type Ref } from '../../domain/ids.ts'
import { isFinished } from '../../domain/kinds/goal.ts'
import { SUMMARY_SCOPES } from '../../domain/kinds/summary.ts'
import { kindPolicyOf } from '../../domain/policy.ts'
import { shownOf } from '../../domain/state.ts'
import { strengthAt, strengthTier } from '../../fold/effective.ts'
import type { ClaimStatus } from '../../fold/fold-line.ts'
import type { Narrowed, ShelvedMemory, StoredMemory } from '../../ports/store.ts'
import {
  estimateTokens,
  ITEM_CHARS_MAX,
  type PackCandidate,
  pack,
  priorityOf,
  tokenBudget,
} from '../../recall/pack.ts'
import { isRunLog } from '../../recall/run-log.ts'
import type { Engine } from '../engine.ts'
import { groupKey, groupsOf, isAhead, ROWS_MAX, rewordingsShown } from '../search/search-terms.ts'
import type { Moment } from '../world.ts'
import { flagOf, given, textOf, wrong } from '../write/arguments.ts'
import { isKept, keptByPersons } from './kept-memories.ts'
import { foldClaims } from './load-claims.ts'
import { coveredAmong, repeatedAmong, replacedAmong } from './load-repeats.ts'
import { type Memory, type OpenedWords, viewOf, wordsOf } from './memory-view.ts'
import { ungroundedAmong } from './overview.ts'
import { tierMinOf, type UseOptions, WITHHELD_MAX, type Withheld } from './use-gate.ts'

export interface LoadOptions extends UseOptions {
  readonly tokenBudget?: number
  /** Memories of this context, and memories without a context, which hold everywhere. */
  readonly context?: string
  /** Every rewording gets its own place, instead of one place per group. */
  readonly expand?: boolean
}

/** Section of each kind in working memory. */
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
  raw: 'prompts',
} as const satisfies Partial<Record<RecordKind, string>>

type LoadedKind = keyof typeof SHELVES

/** One item of working memory: the words, cut when too long, with provenance. */
export interface LoadedItem {
  readonly memory: Memory
  readonly content: string
  readonly priority: number
  readonly tokens: number
  readonly cut: boolean
  /** Standing of a claim in its timeline: held, contested, beside a first-hand claim, planned. */
  readonly standing?: ClaimStatus
  readonly rewordings?: number
  readonly rewordingRefs?: readonly Ref[]
}

/** Working memory in sections, within a budget of tokens. */
export type Loaded = {
  readonly [K in LoadedKind as (typeof SHELVES)[K]]: readonly LoadedItem[]
} & {
  readonly _meta: {
    readonly budgetUsed: number
    readonly budgetTotal: number
    readonly budgetCapped: boolean
    readonly included: number
    readonly excludedCount: number
    /** Considered and omitted memories, with the reason. */
    readonly excluded: readonly { readonly ref: string; readonly reason: string }[]
    /** Kinds with further memories; the rest has a lower priority. */
    readonly more: readonly string[]
    /** Included beliefs whose sources are all gone. */
    readonly ungrounded: readonly string[]
    /** Withheld memories that would have come before an included memory. */
    readonly withheld: Withheld
  }
}

const PAGE = 100
const TIER_USUAL = 1 // default: memories of tier 0 would cap the tier of later writes
const RESERVE_SHARE = 0.05 // of the budget: the part for a kind when other kinds fill the budget

/** The most relevant memories within a budget, with every kind represented. */
export async function load(engine: Engine, options?: LoadOptions | null): Promise<Loaded> {
  const asked = given(options)
  const { tokens: budget, capped } = budgetOf(asked.tokenBudget)
  await engine.checks.settled()
  const moment = await engine.moment()
  const gate = gateOf(tierMinOf(moment.policy, asked, TIER_USUAL))
  const where = whereOf(asked, moment)
  const met: Candidate[] = []
  const more = new Set<string>()
  const seen: { readonly base: number; readonly strong: number }[] = []
  for (const stratum of strataOf(moment)) {
    // Only items with a certainly higher priority take room from this stratum.
    const ahead = seen.filter(({ base }) => base >= stratum.top)
    const taken = ahead.reduce((sum, { strong }) => sum + strong, 0)
    const wanted = Math.max(budget - taken, budget * RESERVE_SHARE)
    const isExpanded = flagOf('expand', asked.expand, false)
    const found = await candidatesOf(engine, stratum, { moment, where, wanted, gate, isExpanded })
    met.push(...found.candidates)
    if (found.hasMore) more.add(SHELVES[stratum.kind])
    seen.push({ base: stratum.base, strong: found.strong })
  }
  const reading = { moment, where, gate }
  const placeOf = ({ ref, shelved }: Candidate): Ref =>
    flagOf('expand', asked.expand, false) ? ref : groupKey(shelved.state)
  const places = new Set(met.map(placeOf))
  for (const kept of await keptByPersons(engine, reading)) {
    if (!places.has(placeOf(kept))) met.push(kept)
    places.add(placeOf(kept))
  }
  const folded = await foldClaims(engine, met)
  const { candidates, standings } = folded
  const covered = await coveredAmong(engine, candidates)
  const repeated = repeatedAmong(candidates)
  const replaced = await replacedAmong(engine, candidates)
  const packed = pack(
    candidates.filter(({ ref }) => !covered.has(ref) && !repeated.has(ref) && !replaced.has(ref)),
    budget,
  )
  const byRef = new Map<string, Candidate>(candidates.map((each) => [each.ref, each]))
  const items = packed.taken.flatMap(
    ({ ref, priority, text, tokens, cut }): readonly LoadedItem[] => {
      const known = byRef.get(ref)
      if (!known) return []
      const memory = viewOf(known.shelved, moment, { opened: known.opened })
      const standing = standings.get(memory.ref)
      const shown = rewordingsShown(known.rewordings)
      const item = { memory, content: text, priority, tokens, cut, ...shown }
      return [standing === undefined ? item : { ...item, standing }]
    },
  )
  const excluded = [
    ...packed.left,
    ...[...covered].map((ref) => ({ ref, reason: 'covered' })),
    ...candidates.flatMap(({ rewordings }) =>
      rewordings.map((ref) => ({ ref, reason: 'rewording' })),
    ),
    ...[...repeated].map((ref) => ({ ref, reason: 'said_at_higher_tier' })),
    ...[...replaced].map((ref) => ({ ref, reason: 'replaced' })),
    ...folded.excluded,
  ]
  return {
    ...shelved(items),
    _meta: {
      budgetUsed: packed.used,
      budgetTotal: budget,
      budgetCapped: capped,
      included: items.length,
      excludedCount: excluded.length,
      excluded: excluded.map(({ ref, reason }) => ({ ref, reason })),
      more: [...more],
      ungrounded: await ungroundedAmong(
        engine,
        items.map(({ memory }) => memory),
      ),
      withheld: gate.told(),
    },
  }
}

function budgetOf(asked: number | undefined) {
  if (asked !== undefined && !(Number.isFinite(asked) && asked >= 0)) {
    throw wrong('tokenBudget', 'a number, 0 or more')
  }
  return tokenBudget(asked)
}

const isLoaded = (kind: RecordKind): kind is LoadedKind => Object.hasOwn(SHELVES, kind)

/** Memories of a kind with an equal base priority; summaries differ by scope. */
interface Stratum {
  readonly kind: LoadedKind
  readonly scope: string | null
  readonly base: number
  /** The highest possible priority in the stratum. */
  readonly top: number
}

const WEIGHT_MAX = { priority: 100, confidence: 1, intensity: 1 } as const

/** Highest first, so that lower strata are read only as far as room may remain. */
function strataOf({ policy }: Moment): readonly Stratum[] {
  return KINDS.filter(isLoaded)
    .flatMap((kind): readonly Stratum[] => {
      const { load } = kindPolicyOf(policy, kind)
      if (load === null) return []
      if (kind === 'summary') {
        return SUMMARY_SCOPES.map((scope) => {
          const base = load.baseByScope?.[scope] ?? load.base
          return { kind, scope, base, top: base }
        })
      }
      const { base, bonus } = load
      const weightMax = bonus ? (WEIGHT_MAX[bonus.from as keyof typeof WEIGHT_MAX] ?? 1) : 0
      return [{ kind, scope: null, base, top: base + weightMax / (bonus?.divisor ?? 1) }]
    })
    .sort((a, b) => b.top - a.top)
}

export interface Candidate extends PackCandidate {
  readonly ref: Ref
  readonly shelved: ShelvedMemory
  readonly isStrong: boolean
  /** Memories of the group that share this place. */
  readonly rewordings: readonly Ref[]
  /** Opened once, for the text here and for the result. */
  readonly opened: OpenedWords
}

/** Withholds memories below a tier, and records the withheld refs. */
interface Gate {
  isOpenTo(state: ShelvedMemory['state']): boolean
  /** Filter for the store: unchanged until enough withheld memories are recorded. */
  narrowed(where: Narrowed): Narrowed
  told(): Withheld
}

function gateOf(tierMin: Tier): Gate {
  const refs: Ref[] = []
  const isFull = (): boolean => refs.length >= WITHHELD_MAX
  return {
    isOpenTo: ({ ref, tier }) => {
      if (tier >= tierMin) return true
      if (!isFull()) refs.push(ref)
      return false
    },
    narrowed: (where) => (isFull() ? { ...where, tierMin } : where),
    told: () => ({ tierMin, count: refs.length, refs, hasMore: isFull() }),
  }
}

export interface CandidateQuery {
  readonly gate: Gate
  readonly moment: Moment
  readonly where: Narrowed
  /** Tokens that this stratum may still fill. */
  readonly wanted: number
  readonly isExpanded: boolean
}

/** Candidates in order of priority, until enough are found. */
async function candidatesOf(engine: Engine, { kind, scope }: Stratum, query: CandidateQuery) {
  const { moment, wanted, gate, isExpanded } = query
  const { policy } = moment
  const all = scope === null ? query.where : { ...query.where, subtype: scope }
  const isWeighed = kindPolicyOf(policy, kind).load?.bonus !== undefined
  const met: Candidate[] = []
  const places = new Set<string>() // a timeline takes one, so that its claims hide no other
  let strong = 0
  let looked = 0
  let behind: { weight: number; seq: number } | null = null
  for (;;) {
    const where = gate.narrowed(all)
    const filter = { ...where, kind, present: true } as const
    const asked = { type: 'memories', as: 'section', where: filter, limit: PAGE } as const
    const page: readonly ShelvedMemory[] = await engine.read(
      isWeighed
        ? { ...asked, order: 'heaviest', after: behind }
        : { ...asked, order: 'newest', after: behind?.seq ?? null },
    )
    for (const shelved of page) {
      const candidate = candidateOf(shelved, moment)
      if (candidate === null || !gate.isOpenTo(shelved.state)) continue
      met.push(candidate)
      const place = shelved.state.line ?? (isExpanded ? candidate.ref : groupKey(shelved.state))
      if (places.has(place)) continue
      places.add(place)
      if (candidate.isStrong) strong += estimateTokens(candidate.text.slice(0, ITEM_CHARS_MAX))
    }
    looked += page.length
    const last = page.at(-1)
    const hasMore = last !== undefined && page.length === PAGE
    const isFull = looked >= ROWS_MAX && places.size < met.length
    if (!hasMore || strong >= wanted || isFull) {
      const candidates = isExpanded ? met : await placesOf(engine, met, { gate, moment })
      return { candidates, strong, hasMore }
    }
    behind = { weight: last.state.weight, seq: last.state.seq }
  }
}

const decoder = new TextDecoder()

const asShelved = ({ state, sealed, notes }: StoredMemory): ShelvedMemory => ({
  notes,
  sealed: sealed && decoder.decode(sealed.bytes),
  state: { ...shownOf(state), seq: state.seq, weight: state.weight, line: state.line },
})

const RUN_LOG_FACTOR = 0.5 // of the priority: the next run has other numbers

/** Null for a memory too weak to load, and for a finished goal. */
export function candidateOf(shelved: ShelvedMemory, { policy, now }: Moment): Candidate | null {
  const { state } = shelved
  const { ref, kind, weight } = state
  if (isFinished(kind, state.facets.status)) return null
  const tier = strengthTier(strengthAt(state, policy, now), policy)
  const known = { kind, subtype: state.facets.subtype, weight, strengthTier: tier }
  const priority = priorityOf(known, policy)
  if (priority === null) return null
  const opened = wordsOf(shelved)
  const { text } = opened
  const isStrong = tier === 'strong'
  const lowered = kind === 'note' && isRunLog(text) ? priority * RUN_LOG_FACTOR : priority
  return {
    ref,
    kind,
    priority: lowered,
    text,
    shelved,
    opened,
    rewordings: [],
    isStrong,
    isKept: isKept(state, text),
  }
}

/** One candidate per group; the original heads the group, even from beyond the last page. */
async function placesOf(
  engine: Engine,
  met: readonly Candidate[],
  { gate, moment }: Pick<CandidateQuery, 'gate' | 'moment'>,
): Promise<readonly Candidate[]> {
  const groups = groupsOf(met, ({ shelved }) => shelved.state)
  return Promise.all(
    groups.map(async ({ head, rewordings }) => {
      const refs = rewordings.map(({ ref }) => ref)
      const { state } = head.shelved
      const { rewordingOf: of } = state
      const stored = of === null ? null : await engine.read({ type: 'memory', ref: of })
      const isThere =
        stored !== null &&
        isBelieved(stored.state.disposition, moment.policy) &&
        isAhead(stored.state, state) &&
        gate.isOpenTo(stored.state)
      const original = isThere ? candidateOf(asShelved(stored), moment) : null
      return original === null
        ? { ...head, rewordings: refs }
        : { ...original, rewordings: [state.ref, ...refs] }
    }),
  )
}

function whereOf({ context }: LoadOptions, { policy }: Moment): Narrowed {
  return {
    ...(context === undefined ? {} : { contextOrNone: textOf('context', context) }),
    strengthMin: policy.numbers.strengthWeakBelow,
    except: unbelieved(policy),
    withoutBookkeeping: true,
  }
}

/** Every section is present, even an empty one. */
function shelved(items: readonly LoadedItem[]): Omit<Loaded, '_meta'> {
  const shelves = Object.entries(SHELVES).map(([kind, name]) => [
    name,
    items.filter(({ memory }) => memory.kind === kind),
  ])
  return Object.fromEntries(shelves) as Omit<Loaded, '_meta'> // one entry for each section
}
