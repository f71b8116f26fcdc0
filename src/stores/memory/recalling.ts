import type { MemoryState } from '../../domain/state.ts'
import {
  BESIDE_HITS_MAX,
  BESIDE_REACH,
  type ReadQuery,
  type Recalled,
  type RecalledRow,
} from '../../ports/store.ts'
import { isWithin } from './narrow.ts'
import type { Rows } from './rows.ts'
import { matches } from './words.ts'

export function recalled(rows: Rows, query: Extract<ReadQuery, { type: 'recall' }>): Recalled {
  const { terms, kinds, hits, where } = query
  const texts = [...rows.texts.values()]
  const found = matches(rows, { ...query, type: 'match', skip: 0, limit: hits + 1 })
  const states = found.slice(0, Math.max(0, hits)).map(({ state }) => state)
  const bySeq = new Map([...rows.memories.values()].map((state) => [state.seq, state]))
  const runs = states.slice(0, BESIDE_HITS_MAX).flatMap((state) => runOf(bySeq, state))
  const known = new Set(states.map(({ seq }) => seq))
  const others = [...new Set(runs.flat())]
    .filter((seq) => !known.has(seq))
    .flatMap((seq) => bySeq.get(seq) ?? [])
    .filter((state) => kinds.includes(state.kind) && isWithin(state, where))
  return {
    documents: texts.length,
    holding: terms.map((term) => texts.filter((words) => words.includes(term)).length),
    rows: [...states, ...others].flatMap((state) => rowOf(rows, state)),
    runs,
    isCut: hits > 0 && found.length > hits,
  }
}

/** It and what was said just before and after it, in its session and of its kind. */
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
  const { seq, revisionSeq, label, sourceId, session, bornAt, strength } = state
  return [
    {
      seq,
      revisionSeq,
      label,
      sourceId,
      session,
      bornAt,
      strength: strength.value,
      terms: terms.join(' '),
    },
  ]
}
