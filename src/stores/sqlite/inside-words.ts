import { byteOrder } from '../../ledger/byte-order.ts'
import { BEGUN_MAX } from '../../ports/recalled.ts'
import type { Connection } from './connection.ts'

/** All terms, separated by spaces; some repeat, and some are no longer in any memory. */
interface KnownTerms {
  /** The last entry and commit included. */
  readonly seq: number
  readonly rev: number
  readonly text: string
  readonly addedChars: number
}

// A scan of the whole index, a seventh of a second at 100,000 memories. The list is built on the
// first search for a part of a word and then follows the ledger.
const TERMS = "SELECT group_concat(term, ' ') FROM vocabulary"
const TIP = 'SELECT seq, rev FROM tip'
const SAID_SINCE = `
  SELECT w.c0 FROM (SELECT DISTINCT ref FROM provenance_log WHERE seq > ?) l
    CROSS JOIN memories m ON m.ref = l.ref JOIN words_content w ON w.id = m.seq`

const ADDED_SHARE_MAX = 0.5 // share of added text above which the list is rebuilt
const LOOKED_THROUGH_MAX = 100_000_000 // characters compared to find new terms; more costs more than a rebuild

const known = new WeakMap<Connection, KnownTerms>()

/** The first terms, in the order of their bytes, that contain a part and occur in a memory. */
export function termsWith(
  connection: Connection,
  part: string,
  isSaid: (term: string) => boolean,
): readonly string[] {
  const { text } = knownTerms(connection)
  const holding = new Set<string>()
  for (let at = text.indexOf(part); at >= 0; ) {
    const end = text.indexOf(' ', at)
    holding.add(text.slice(text.lastIndexOf(' ', at) + 1, end))
    at = text.indexOf(part, end)
  }
  const found: string[] = []
  for (const term of [...holding].sort(byteOrder)) {
    if (found.length === BEGUN_MAX) break
    if (isSaid(term)) found.push(term)
  }
  return found
}

function knownTerms(connection: Connection): KnownTerms {
  const [seq, rev] = (connection.prepare(TIP).get() ?? [-1, -1]).map(Number) as [number, number] // two numbers
  const before = known.get(connection)
  if (before?.rev === rev) return before
  const after = (before && followed(connection, before, { seq, rev })) ?? {
    seq,
    rev,
    text: ` ${connection.prepare(TERMS).get()?.[0] ?? ''} `,
    addedChars: 0,
  }
  known.set(connection, after)
  return after
}

/** Null when a rebuild is cheaper: rows were folded anew, or very much was written. */
function followed(
  connection: Connection,
  before: KnownTerms,
  tip: { readonly seq: number; readonly rev: number },
): KnownTerms | null {
  if (tip.seq <= before.seq) return null
  const said = connection.prepare(SAID_SINCE).all(before.seq)
  const terms = new Set(said.flatMap(([text]) => String(text).split(' ')))
  if (terms.size * before.text.length > LOOKED_THROUGH_MAX) return null
  const added = [...terms].filter((term) => !before.text.includes(` ${term} `)).join(' ')
  const addedChars = before.addedChars + added.length
  if (addedChars > before.text.length * ADDED_SHARE_MAX) return null
  return { ...tip, text: `${before.text}${added} `, addedChars }
}
