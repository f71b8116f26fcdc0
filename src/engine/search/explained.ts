import type { Ref } from '../../domain/ids.ts'
import { termsOf } from '../../domain/terms.ts'
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
import type { Uses } from '../engine.ts'
import { viewOf } from '../read/memory-view.ts'
import { isShown, type Ranking } from './ranking.ts'
import type { Asked } from './search-options.ts'

/** Why a memory came to mind for a question, signal by signal. */
export interface Explained {
  readonly ref: Ref
  /** Its place among what may be shown, 1 is the best; null where it did not come to mind at all. */
  readonly rank: number | null
  /** How many came to mind. */
  readonly ranked: number
  /** The chance that it answers, as far as signals can tell. */
  readonly score: number
  /** What the signals add up to, and what a repeat costs taken off: the score is its chance. */
  readonly sum: number
  /** Those that say something, the weightiest first. */
  readonly signals: readonly SignalShare[]
  /** Words of the question that it says, and that it does not. */
  readonly says: readonly string[]
  readonly lacks: readonly string[]
  /** A better one that says the same, which costs it some of its sum. */
  readonly repeats: Ref | null
  /** One of a lower tier on the same question before which it was lifted, and whose score it has. */
  readonly standsBefore: Ref | null
  /** All of it to be read, a line each. */
  readonly words: readonly string[]
}

const READ_AT_ONCE = 200 // memories ahead of it whose state is looked at together

/** Its place among what this search may show, itself included, and why it has it. */
export async function explainedIn(
  uses: Uses,
  ranking: Ranking,
  { asked, met }: { readonly asked: Asked; readonly met: StoredMemory },
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
  const others = await othersNamed(uses, [own])
  const { text } = viewOf(met, asked.moment)
  const said = saidIn(text, asked, ranking)
  return explainedOf(own, ranking, { ref: met.state.ref, rank, ...others(own), ...said })
}

type Others = Pick<Explained, 'repeats' | 'standsBefore'>
type Known = Pick<Explained, 'ref' | 'rank'> & Said & Others

interface Said extends Pick<Explained, 'says' | 'lacks'> {
  /** Words of the memory that name a kind of what was asked for. */
  readonly kinds: readonly string[]
}

/** Refs of the memories that others repeat or were lifted before. */
async function othersNamed(uses: Uses, ranked: readonly Ranked[]): Promise<(of: Ranked) => Others> {
  const seqs = ranked.flatMap((each) => [each.repeats ?? [], each.standsBefore ?? []].flat())
  const named =
    seqs.length === 0
      ? []
      : await uses.read({ type: 'memories', where: { seqs: [...new Set(seqs)] }, order: 'given' })
  const refs = new Map(named.map(({ state }) => [state.seq, state.ref]))
  const refOf = (seq: number | null): Ref | null => (seq === null ? null : (refs.get(seq) ?? null))
  return ({ repeats, standsBefore }) => ({
    repeats: refOf(repeats),
    standsBefore: refOf(standsBefore),
  })
}

const saidIn = (text: string, { query }: Asked, { question }: Ranking): Said => ({
  ...wordsSaid(query.text, termsOf(text)),
  kinds: kindsSaid(query.text, question, text),
})

function explainedOf(
  own: Ranked,
  { fusion, ranked }: Ranking,
  { kinds, ...known }: Known,
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

/** What a result says of itself, where a search was asked to explain. */
export async function explainedHits(
  uses: Uses,
  asked: Asked,
  ranking: Ranking,
): Promise<ReadonlyMap<Ref, Explained>> {
  const others = await othersNamed(
    uses,
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
