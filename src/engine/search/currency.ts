import type { Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { ClaimStatus } from '../../fold/fold-line.ts'
import type { StoredMemory } from '../../ports/store.ts'
import { doubtOf, standingReplacement } from '../claims/replacement-links.ts'
import type { Engine } from '../engine.ts'
import type { SearchRequest } from './search-options.ts'
import { type Hit, isShown } from './search-ranking.ts'

/** Replaced statements among the hits, each with the statement that holds now. */
export type ReplacedBy = ReadonlyMap<Ref, Ref>

interface Ordered {
  readonly hits: readonly Hit[]
  readonly replacedBy: ReplacedBy
}

interface Pair {
  readonly earlier: Ref
  readonly later: StoredMemory
  /** A likely pair is ordered and not marked. */
  readonly isMarked: boolean
}

/**
 * Puts the statement that holds now before the statements that it replaced, or behind them where
 * the question is about the past. Every statement stays among the hits, as far as the limit holds.
 */
export async function inOrderOfCurrency(
  engine: Engine,
  asked: SearchRequest,
  { hits, asksOfThen }: { readonly hits: readonly Hit[]; readonly asksOfThen: boolean },
): Promise<Ordered> {
  if (asked.seq !== null) return { hits, replacedBy: new Map() }
  const pairs = await pairsAmong(engine, asked, hits)
  let ordered = hits
  for (const pair of pairs)
    ordered = asksOfThen ? earlierFirst(ordered, pair) : laterFirst(ordered, pair)
  const marked = pairs.filter(({ isMarked }) => isMarked)
  return {
    hits: ordered.slice(0, asked.query.limit),
    replacedBy: new Map(marked.map(({ earlier, later }) => [earlier, later.state.ref])),
  }
}

/** A claim that was replaced stands behind the claim of its timeline that holds. */
export function inOrderOfStanding(
  hits: readonly Hit[],
  standings: ReadonlyMap<Ref, ClaimStatus>,
  asksOfThen: boolean,
): readonly Hit[] {
  if (asksOfThen) return hits
  let ordered = hits
  for (const { memory } of hits) {
    if (standings.get(memory.state.ref) !== 'replaced') continue
    for (const other of hits) {
      const { ref, line } = other.memory.state
      if (line !== memory.state.line || standings.get(ref) !== 'held') continue
      ordered = laterFirst(ordered, {
        earlier: memory.state.ref,
        later: other.memory,
        isMarked: false,
      })
    }
  }
  return ordered
}

async function pairsAmong(
  engine: Engine,
  asked: SearchRequest,
  hits: readonly Hit[],
): Promise<readonly Pair[]> {
  const pairs: Pair[] = []
  const shows = (state: MemoryState) => isShown(state, asked)
  for (const { memory } of hits) {
    const standing = await standingReplacement(engine, memory, shows)
    const later = standing ?? (await doubtOf(engine, memory, shows))
    const isMarked = standing !== null
    if (later !== null) pairs.push({ earlier: memory.state.ref, later, isMarked })
  }
  return pairs
}

/** The later memory directly before the earlier one, found by the search or not. */
function laterFirst(hits: readonly Hit[], { earlier, later }: Pair): readonly Hit[] {
  const at = hits.findIndex(({ memory }) => memory.state.ref === earlier)
  const behind = hits.findIndex(({ memory }) => memory.state.ref === later.state.ref)
  const replaced = hits[at]
  if (replaced === undefined || (behind >= 0 && behind < at)) return hits
  const { ranked } = replaced
  const own = hits[behind]?.ranked ?? { ...ranked, seq: later.state.seq }
  const moved = {
    memory: later,
    ranked: { ...own, score: ranked.score },
    rewordings: hits[behind]?.rewordings ?? [],
  }
  const others = hits.filter((_, place) => place !== behind)
  return [...others.slice(0, at), moved, ...others.slice(at)]
}

function earlierFirst(hits: readonly Hit[], { earlier, later }: Pair): readonly Hit[] {
  const at = hits.findIndex(({ memory }) => memory.state.ref === later.state.ref)
  const behind = hits.findIndex(({ memory }) => memory.state.ref === earlier)
  const [before, moved] = [hits[at], hits[behind]]
  if (before === undefined || moved === undefined || behind < at) return hits
  const { score } = before.ranked
  const others = hits.filter((_, place) => place !== behind)
  return [
    ...others.slice(0, at),
    { ...moved, ranked: { ...moved.ranked, score } },
    ...others.slice(at),
  ]
}
