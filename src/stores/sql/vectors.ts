import type { Answers } from '../../ports/store.ts'
import type { KeptVectors, TouchedRow, VectorModel } from '../../ports/vectors.ts'
import { type Dialect, written } from './dialect.ts'
import type { Untrusted } from './rows.ts'
import { rowOf, rowsOf, type Steps } from './steps.ts'
import type { SqlRow } from './values.ts'

export const MODEL = written(
  (d) => `
  SELECT m.key, m.upto FROM vector_models m WHERE ${d.inStack('m')} AND m.id = ? AND m.dimension = ?`,
)

const PAGE_ROWS = 4_096

// Joined into one value, because most of the cost of a row is its own buffers.
const PAGE = written(
  (d) => `
  SELECT count(*), ${d.joined('v.seq', 'v.seq')}, ${d.joined('v.revision_seq', 'v.seq')},
    ${d.joined('v.at_ms', 'v.seq')}, ${d.joinedBytes('v.vector', 'v.seq')}
  FROM (SELECT * FROM vectors v WHERE ${d.inStack('v')} AND v.model = ? AND v.seq > ?
    ORDER BY v.seq LIMIT ${PAGE_ROWS}) v`,
)

export function* vectorsOf(d: Dialect, { id, dimension }: VectorModel): Steps<KeptVectors> {
  const [key = null, upto = -1] = (yield* rowOf(MODEL(d), id, dimension)) ?? []
  const pages: SqlRow[] = []
  const seqs: number[] = []
  while (key !== null) {
    const page = (yield* rowOf(PAGE(d), key, seqs.at(-1) ?? -1)) ?? []
    if (Number(page[0]) === 0) break
    pages.push(page)
    for (const seq of d.numbersIn(page[1])) seqs.push(seq)
  }
  const values = new Int8Array(seqs.length * dimension)
  let offset = 0
  for (const page of pages) {
    const joined = page[4] as Untrusted<Uint8Array>
    values.set(new Int8Array(joined), offset)
    offset += joined.length
  }
  return {
    upto: Number(upto),
    seqs,
    revisionSeqs: pages.flatMap((page) => d.numbersIn(page[2])),
    atMs: pages.flatMap((page) => d.numbersIn(page[3])),
    values,
  }
}

const LAST = written(
  (d) => `SELECT coalesce(max(l.seq), -1) FROM provenance_log l WHERE ${d.inStack('l')}`,
)

const TOUCHED = written(
  (d) => `
  SELECT DISTINCT m.seq, m.revision_seq, (
    SELECT count(*) FROM ${d.words.table} w WHERE ${d.inStack('w')} AND w.${d.words.key} = m.seq)
  FROM provenance_log l ${d.one('memories', 'ref', 'l.ref', 'm')}
  WHERE ${d.inStack('l')} AND l.seq > ? AND l.seq <= ? ORDER BY m.seq`,
)

export function* touched(d: Dialect, after: number, limit: number): Steps<Answers['touched']> {
  const last = Number((yield* rowOf(LAST(d)))?.[0])
  const upto = Math.max(after, Math.min(last, after + limit))
  const rows = yield* rowsOf(TOUCHED(d), after, upto)
  return {
    rows: rows.map(
      ([seq, revisionSeq, words]) =>
        ({ seq, revisionSeq, hasWords: Number(words) > 0 }) as Untrusted<TouchedRow>,
    ),
    upto,
    isLast: upto >= last,
  }
}
