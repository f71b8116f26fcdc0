import type { TextRow } from '../../domain/search-text.ts'
import type { Connection } from './connection.ts'
import { listOf } from './text.ts'

const PUT_WORDS = `
  INSERT INTO words (stack_id, seq, length, terms)
  SELECT $1, * FROM unnest(?::bigint[], ?::integer[], ?::text[])`

const PUT_POSTINGS = `
  INSERT INTO postings (stack_id, seq, term, times, length)
  SELECT $1, * FROM unnest(?::bigint[], ?::text[], ?::integer[], ?::integer[])`

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
  const { words, postings, lengths } = listed(latest)
  await Promise.all([
    dropTexts(
      connection,
      [...latest.keys()].filter((seq) => seq <= lastSeq),
    ),
    connection.rows(PUT_WORDS, ...words),
    connection.rows(PUT_POSTINGS, ...postings),
    connection.rows(COUNT_WORDS, latest.size, lengths),
  ])
}

function listed(latest: ReadonlyMap<number, string>) {
  const lengthOf: number[] = []
  const seqs: number[] = []
  const said: string[] = []
  const times: number[] = []
  const lengths: number[] = []
  for (const [seq, text] of latest) {
    const terms = text === '' ? [] : text.split(' ')
    const counts = new Map<string, number>()
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, count] of counts) {
      seqs.push(seq)
      said.push(term)
      times.push(count)
      lengths.push(terms.length)
    }
    lengthOf.push(terms.length)
  }
  return {
    words: [[...latest.keys()], lengthOf, [...latest.values()]].map(listOf),
    postings: [seqs, said, times, lengths].map(listOf),
    lengths: lengthOf.reduce((sum, length) => sum + length, 0),
  }
}
