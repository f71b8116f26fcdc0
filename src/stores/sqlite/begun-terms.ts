import { isOneCharacter } from '../../domain/words/terms.ts'
import { BEGINNING_MIN, BEGUN_MAX, INSIDE_MIN } from '../../ports/recalled.ts'
import { TERM } from '../sql/predicates.ts'
import type { Connection } from './connection.ts'
import { termsWith } from './inside-words.ts'
import { anyOf } from './text-ranking.ts'

const IS_SAID = 'SELECT 1 FROM words WHERE words MATCH ? LIMIT 1'
const BEGUN = `SELECT term FROM vocabulary WHERE term >= ? AND term < ? LIMIT ${BEGUN_MAX}`
const BEHIND_ALL = '\u{10ffff}' // in the order of bytes

/**
 * For an unknown or one-character term, the terms with this prefix; without any, the terms that
 * contain the term.
 */
export function begunBy(connection: Connection, term: string): readonly string[] {
  if (!TERM.test(term)) return []
  const isSaid = (some: string): boolean =>
    connection.prepare(IS_SAID).get(anyOf([some])) !== undefined
  if (!isOneCharacter(term) && (term.length < BEGINNING_MIN || isSaid(term))) return []
  const begun = connection.prepare(BEGUN).all(term, term + BEHIND_ALL)
  if (begun.length === 0 && term.length >= INSIDE_MIN) return termsWith(connection, term, isSaid)
  return begun.map(([some]) => String(some))
}
