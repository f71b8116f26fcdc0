import type { Ref } from '../../domain/ids.ts'
import type { Answers } from '../../ports/store.ts'
import type { KeptVectors, VectorBatch, VectorModel, VectorRow } from '../../ports/vectors.ts'
import type { Rows } from './rows.ts'

const keyOf = ({ id, dimension }: VectorModel): string => JSON.stringify([id, dimension])

export function putVectors(rows: Rows, { model, from, upto, rows: some }: VectorBatch): boolean {
  const kept = rows.vectors.get(keyOf(model)) ?? { upto: -1, rows: new Map() }
  if (kept.upto < from) return false
  const states = new Map([...rows.memories.values()].map((state) => [state.seq, state]))
  const isCurrent = ({ seq, revisionSeq }: VectorRow): boolean =>
    rows.texts.has(seq) && states.get(seq)?.revisionSeq === revisionSeq
  const added = some.filter(isCurrent).map((row) => [row.seq, row] as const)
  rows.vectors.set(keyOf(model), {
    upto: Math.max(kept.upto, upto),
    rows: new Map([...kept.rows, ...added]),
  })
  return true
}

export function vectorsOf(rows: Rows, model: VectorModel): KeptVectors {
  const kept = rows.vectors.get(keyOf(model))
  const all = [...(kept?.rows.values() ?? [])].sort((a, b) => a.seq - b.seq)
  const values = new Int8Array(all.length * model.dimension)
  for (const [at, { vector }] of all.entries()) values.set(vector, at * model.dimension)
  return {
    upto: kept?.upto ?? -1,
    seqs: all.map(({ seq }) => seq),
    revisionSeqs: all.map(({ revisionSeq }) => revisionSeq),
    atMs: all.map(({ atMs }) => atMs),
    values,
  }
}

/** Erased content keeps no vector under any model. */
export function dropVector(rows: Rows, seq: number): void {
  for (const [key, kept] of rows.vectors) {
    const others = [...kept.rows].filter(([other]) => other !== seq)
    rows.vectors.set(key, { ...kept, rows: new Map(others) })
  }
}

const decoder = new TextDecoder()

export function touched(rows: Rows, after: number, limit: number): Answers['touched'] {
  const some = rows.entries.slice(after + 1, after + 1 + limit)
  const refs = new Set(some.map(({ bytes }) => JSON.parse(decoder.decode(bytes)).ref as Ref | null))
  const states = [...refs].flatMap((ref) => (ref === null ? [] : (rows.memories.get(ref) ?? [])))
  const upto = some.at(-1)?.seq ?? after
  return {
    rows: states
      .map(({ seq, revisionSeq }) => ({ seq, revisionSeq, hasWords: rows.texts.has(seq) }))
      .sort((a, b) => a.seq - b.seq),
    upto,
    isLast: upto >= rows.tip.head.seq,
  }
}
