import type { Ref } from '../../domain/ids.ts'
import { termsOf } from '../../domain/words/terms.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Ranked } from '../../recall/rank/fuse.ts'
import {
  kindsSaid,
  type SignalShare,
  shareLine,
  sharesTold,
  sumTold,
  wordsSaid,
} from '../../recall/rank/told.ts'
import type { Engine } from '../engine.ts'
import { viewOf } from '../read/memory-view.ts'
import type { SearchRequest } from './search-options.ts'
import { isShown, type Ranking } from './search-ranking.ts'

/** The reasons for the rank of a memory, signal by signal. */
export interface Explained {
  readonly ref: Ref
  /** Rank among the memories that may be shown, 1 is best; null where no signal matched. */
  readonly rank: number | null
  readonly ranked: number
  /** Probability that the memory answers the question. */
  readonly score: number
  /** Weighted sum of the signals, less the cost of a repeat; the score is its probability. */
  readonly sum: number
  /** Signals with a share, the largest first. */
  readonly signals: readonly SignalShare[]
  /** Words of the question in the memory, and missing words. */
  readonly says: readonly string[]
  readonly lacks: readonly string[]
  /** A better memory with the same meaning, which lowers the sum of this memory. */
  readonly repeats: Ref | null
  /** A memory of a lower tier with the same question, which stood above and lent its score. */
  readonly standsBefore: Ref | null
  readonly words: readonly string[]
}

const READ_AT_ONCE = 200 // better ranked memories whose state is read in one batch

/** Counts the rank among the memories visible to this search, the target included. */
export async function explainedIn(
  engine: Engine,
  ranking: Ranking,
  { asked, met }: { readonly asked: SearchRequest; readonly met: StoredMemory },
): Promise<Explained | null> {
  const place = ranking.ranked.findIndex(({ seq }) => seq === met.state.seq)
  const own = ranking.ranked[place]
  if (!own) return null
  let rank = 1
  for (let at = 0; at < place; at += READ_AT_ONCE) {
    const page = ranking.ranked.slice(at, Math.min(place, at + READ_AT_ONCE))
    const ahead = await ranking.read(page.map(({ seq }) => seq))
    rank += ahead.filter(({ state }) => isShown(state, asked)).length
  }
  const others = await othersNamed(engine, [own])
  const { text } = viewOf(met, asked.moment)
  const said = saidIn(text, asked, ranking)
  return explainedOf(own, ranking, { ref: met.state.ref, rank, ...others(own), ...said })
}

type Others = Pick<Explained, 'repeats' | 'standsBefore'>
type ExplainedParts = Pick<Explained, 'ref' | 'rank'> & Said & Others

interface Said extends Pick<Explained, 'says' | 'lacks'> {
  /** Words of the memory for a kind of the thing in question. */
  readonly kinds: readonly string[]
}

async function othersNamed(
  engine: Engine,
  ranked: readonly Ranked[],
): Promise<(of: Ranked) => Others> {
  const seqs = ranked.flatMap((each) => [each.repeats ?? [], each.standsBefore ?? []].flat())
  const named =
    seqs.length === 0
      ? []
      : await engine.read({ type: 'memories', where: { seqs: [...new Set(seqs)] }, order: 'given' })
  const refs = new Map(named.map(({ state }) => [state.seq, state.ref]))
  const refOf = (seq: number | null): Ref | null => (seq === null ? null : (refs.get(seq) ?? null))
  return ({ repeats, standsBefore }) => ({
    repeats: refOf(repeats),
    standsBefore: refOf(standsBefore),
  })
}

const saidIn = (text: string, { query }: SearchRequest, { question }: Ranking): Said => ({
  ...wordsSaid(query.text, termsOf(text)),
  kinds: kindsSaid(query.text, question, text),
})

function explainedOf(
  own: Ranked,
  { fusion, ranked }: Ranking,
  { kinds, ...known }: ExplainedParts,
): Explained {
  const told = {
    ...known,
    ranked: ranked.length,
    score: own.score,
    sum: sumTold(own, fusion),
    signals: sharesTold(own, fusion, kinds),
  }
  const { says, lacks, repeats, standsBefore } = told
  const words = [
    `rank ${told.rank} of ${told.ranked}, score ${told.score.toFixed(3)} from a sum of ${told.sum.toFixed(2)}`,
    ...told.signals.map(shareLine),
    ...(repeats === null ? [] : [`−${fusion.repeatCost.toFixed(2)} it repeats ${repeats}`]),
    ...(standsBefore === null ? [] : [`it stands before ${standsBefore}, which is not first-hand`]),
    ...(says.length === 0 ? [] : [`it says: ${says.join(', ')}`]),
    ...(lacks.length === 0 ? [] : [`it does not say: ${lacks.join(', ')}`]),
  ]
  return { ...told, words }
}

/** Explanations of the results, for a search with `explain`. */
export async function explainedHits(
  engine: Engine,
  asked: SearchRequest,
  ranking: Ranking,
): Promise<ReadonlyMap<Ref, Explained>> {
  const others = await othersNamed(
    engine,
    ranking.hits.map(({ ranked }) => ranked),
  )
  return new Map(
    ranking.hits.map(({ memory, ranked }, at) => {
      const { ref } = memory.state
      const said = saidIn(viewOf(memory, asked.moment).text, asked, ranking)
      const known = { ref, rank: at + 1, ...others(ranked), ...said }
      return [ref, explainedOf(ranked, ranking, known)]
    }),
  )
}
