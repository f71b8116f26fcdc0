import type { TextRow } from '../../domain/kinds/content.ts'
import { insertInto, type ListColumn } from './columns.ts'
import type { Connection } from './connection.ts'
import type { PgRow } from './driver.ts'
import { putRows } from './rows-in-parts.ts'
import { listOf } from './text.ts'

const WORD_COLUMNS: readonly ListColumn[] = [
  { name: 'seq', type: 'bigint' },
  { name: 'length', type: 'integer' },
  { name: 'terms', type: 'text' },
]
const PUT_WORDS = insertInto('words', WORD_COLUMNS)

const POSTING_COLUMNS: readonly ListColumn[] = [
  { name: 'seq', type: 'bigint' },
  { name: 'term', type: 'text' },
  { name: 'times', type: 'integer' },
  { name: 'length', type: 'integer' },
]
const PUT_POSTINGS = insertInto('postings', POSTING_COLUMNS)

// Postings are found through the terms stored for their memory.
const DROP_POSTINGS = `
  DELETE FROM postings p USING words w, unnest(string_to_array(w.terms, ' ')) AS said (term)
  WHERE w.stack_id = $1 AND w.seq = ANY (?::bigint[])
    AND p.stack_id = $1 AND p.term = said.term AND p.seq = w.seq`

// The stack's row counts the memories in search and the sum of their terms.
const DROP_WORDS = `
  WITH gone AS (
    DELETE FROM words w WHERE w.stack_id = $1 AND w.seq = ANY (?::bigint[]) RETURNING w.length)
  UPDATE stacks s SET documents = s.documents - g.many, lengths = s.lengths - g.length
  FROM (SELECT count(*) AS many, coalesce(sum(length), 0) AS length FROM gone) g
  WHERE s.stack_id = $1 AND g.many > 0`

/** Takes memories out of the index. */
export async function dropTexts(connection: Connection, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return
  const list = listOf(seqs)
  await Promise.all([connection.rows(DROP_POSTINGS, list), connection.rows(DROP_WORDS, list)])
}

/** Search terms of memories as rows, with the number of added memories and terms. */
export interface WordRows {
  readonly words: readonly PgRow[]
  readonly postings: readonly PgRow[]
  readonly seqs: readonly number[]
  readonly documents: number
  readonly lengths: number
}

/** Each memory once, and each of its terms once, with the number of occurrences. */
export function wordRowsOf(texts: Iterable<TextRow>): WordRows {
  const latest = new Map<number, string>()
  for (const { seq, terms } of texts) latest.set(seq, terms)
  const words: PgRow[] = []
  const postings: PgRow[] = []
  let lengths = 0
  for (const [seq, text] of latest) {
    const terms = text === '' ? [] : text.split(' ')
    const counts = new Map<string, number>()
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, times] of counts) postings.push([seq, term, times, terms.length])
    words.push([seq, terms.length, text])
    lengths += terms.length
  }
  return { words, postings, seqs: [...latest.keys()], documents: latest.size, lengths }
}

/** Memories up to `lastSeq` may be known by other words. */
export async function putWords(
  connection: Connection,
  { words, postings, seqs }: WordRows,
  lastSeq: number,
): Promise<void> {
  const old = seqs.filter((seq) => seq <= lastSeq)
  await Promise.all([
    dropTexts(connection, old),
    putRows(connection, PUT_WORDS, { rows: words, columns: WORD_COLUMNS }),
    putRows(connection, PUT_POSTINGS, { rows: postings, columns: POSTING_COLUMNS }),
  ])
}
