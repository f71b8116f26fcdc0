import type { TextRow } from '../../domain/search-text.ts'
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

// A posting is found by the terms that its memory says it has.
const DROP_POSTINGS = `
  DELETE FROM postings p USING words w, unnest(string_to_array(w.terms, ' ')) AS said (term)
  WHERE w.stack_id = $1 AND w.seq = ANY (?::bigint[])
    AND p.stack_id = $1 AND p.term = said.term AND p.seq = w.seq`

// How many memories search knows, and how many terms they have together, is counted in the stack's row.
const DROP_WORDS = `
  WITH gone AS (
    DELETE FROM words w WHERE w.stack_id = $1 AND w.seq = ANY (?::bigint[]) RETURNING w.length)
  UPDATE stacks s SET documents = s.documents - g.many, lengths = s.lengths - g.length
  FROM (SELECT count(*) AS many, coalesce(sum(length), 0) AS length FROM gone) g
  WHERE s.stack_id = $1 AND g.many > 0`

const COUNT_WORDS = `
  UPDATE stacks SET documents = documents + ?, lengths = lengths + ? WHERE stack_id = $1`

/** Takes memories out of the index. */
export async function dropTexts(connection: Connection, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return
  const list = listOf(seqs)
  await Promise.all([connection.rows(DROP_POSTINGS, list), connection.rows(DROP_WORDS, list)])
}

/**
 * Puts in what memories are found by; those up to `lastSeq` may be known by other words. The stack's
 * row is there by now.
 */
export async function putTexts(
  connection: Connection,
  texts: readonly TextRow[],
  lastSeq: number,
): Promise<void> {
  if (texts.length === 0) return
  const latest = new Map(texts.map(({ seq, terms }) => [seq, terms]))
  const { words, postings, lengths } = rowsOf(latest)
  await Promise.all([
    dropTexts(
      connection,
      [...latest.keys()].filter((seq) => seq <= lastSeq),
    ),
    putRows(connection, PUT_WORDS, { rows: words, columns: WORD_COLUMNS }),
    putRows(connection, PUT_POSTINGS, { rows: postings, columns: POSTING_COLUMNS }),
    connection.rows(COUNT_WORDS, latest.size, lengths),
  ])
}

/** Each memory once, and each of its terms once, with how often it says it. */
function rowsOf(latest: ReadonlyMap<number, string>) {
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
  return { words, postings, lengths }
}
