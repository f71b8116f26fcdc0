import { byteOrder } from '../../ledger/byte-order.ts'
import { BEGUN_MAX } from '../../ports/recalled.ts'
import type { Connection } from './connection.ts'

/** All terms, a space on either side of each; some twice, and some that nobody says any more. */
interface KnownTerms {
  /** Up to which entry and which commit it has heard of them. */
  readonly seq: number
  readonly rev: number
  readonly text: string
  readonly addedChars: number
}

// A walk through the whole index, a seventh of a second at a hundred thousand memories: it is made
// when somebody first asks for a part of a word, and follows the ledger from there.
const TERMS = "SELECT group_concat(term, ' ') FROM vocabulary"
const TIP = 'SELECT seq, rev FROM tip'
const SAID_SINCE = `
  SELECT w.c0 FROM (SELECT DISTINCT ref FROM provenance_log WHERE seq > ?) l
    CROSS JOIN memories m ON m.ref = l.ref JOIN words_content w ON w.id = m.seq`

const ADDED_SHARE_MAX = 0.5 // of the text; from there on it is read anew
const LOOKED_THROUGH_MAX = 100_000_000 // characters, to tell new terms from known ones; more is dearer than that

const known = new WeakMap<Connection, KnownTerms>()

/** The first terms in the order of their bytes that hold a part and are said by somebody. */
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

/** Null where it is better read anew: rows were folded anew, or very much was written. */
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
