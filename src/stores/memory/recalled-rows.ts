import type { MemoryState } from '../../domain/state.ts'
import {
  BESIDE_HITS_MAX,
  BESIDE_NEAR_MAX,
  BESIDE_REACH,
  type Recalled,
  type RecalledRow,
} from '../../ports/recalled.ts'
import type { ReadQuery } from '../../ports/store.ts'
import { isWithin } from './narrow.ts'
import { countedIn, pooled } from './pooled.ts'
import type { Rows } from './rows.ts'

export function recalled(rows: Rows, query: Extract<ReadQuery, { type: 'recall' }>): Recalled {
  const { terms, near, kinds, hits, where } = query
  const bySeq = new Map([...rows.memories.values()].map((state) => [state.seq, state]))
  const counted = countedIn(rows, [...new Set(terms)])
  const found = pooled(rows, counted, query)
  const states = found.seqs.flatMap((seq) => bySeq.get(seq) ?? [])
  const stated = (seqs: readonly number[]): readonly MemoryState[] =>
    [...new Set(seqs)]
      .flatMap((seq) => bySeq.get(seq) ?? [])
      .filter((state) => !states.includes(state))
  const nearby = hits > 0 ? stated(near) : []
  const runs = [...states.slice(0, BESIDE_HITS_MAX), ...nearby.slice(0, BESIDE_NEAR_MAX)].flatMap(
    (state) => runOf(bySeq, state),
  )
  const others = stated([...nearby.map(({ seq }) => seq), ...runs.flat()]).filter(
    (state) => kinds.includes(state.kind) && isWithin(state, where),
  )
  return {
    documents: counted.documents,
    holding: terms.map((term) => counted.held.find((each) => each.term === term)?.held ?? 0),
    rows: [...states, ...others].flatMap((state) => rowOf(rows, state)),
    runs,
    isCut: found.isCut,
  }
}

/** The memory with its neighbours of the same session and kind. */
function runOf(
  bySeq: ReadonlyMap<number, MemoryState>,
  { seq: own, session, kind }: MemoryState,
): readonly (readonly number[])[] {
  if (session === null) return []
  const said = [...bySeq.values()]
    .filter((other) => other.session === session && other.kind === kind && !other.captured)
    .map(({ seq }) => seq)
    .sort((a, b) => a - b)
  const before = said.filter((seq) => seq < own).slice(-BESIDE_REACH)
  return [[...before, own, ...said.filter((seq) => seq > own).slice(0, BESIDE_REACH)]]
}

function rowOf(rows: Rows, state: MemoryState): readonly RecalledRow[] {
  const terms = rows.texts.get(state.seq)
  if (terms === undefined) return []
  const { seq, revisionSeq, label, tier, sourceId, session, bornAt, strength } = state
  return [
    {
      seq,
      revisionSeq,
      label,
      tier,
      sourceId,
      session,
      bornAt,
      strength: strength.value,
      terms: terms.join(' '),
    },
  ]
}
