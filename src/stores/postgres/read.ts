import type { SealedRow } from '../../domain/entry.ts'
import type { MemoryState, Tally } from '../../domain/state.ts'
import { type Instant, laterOf, toInstant, toMs } from '../../domain/time.ts'
import type { Context, Needs } from '../../domain/waist.ts'
import { isOneCharacter } from '../../domain/words/terms.ts'
import { BEGINNING_MIN, BEGUN_MAX, INSIDE_MIN } from '../../ports/queries.ts'
import type { EntryRow, ReadQuery } from '../../ports/store.ts'
import { joinedAsHashed } from '../memory/read.ts'
import { firstHandOf, tellerOf } from '../sql/claims.ts'
import { askable, numbersOf, rowsOf, SAYS, type SqlRow, type Steps } from '../sql/dialect.ts'
import { countersFor, TALLY, TALLY_COLUMNS, tallyOf } from '../sql/entry-rows.ts'
import { ancestorKeys, childKeys, doesReach, doubtedKeys, read } from '../sql/lineage.ts'
import { statesOf } from '../sql/memories.ts'
import type { Connection } from './connection.ts'
import { bytesText, keyOf, listOf, POSTGRES } from './dialect.ts'
import { type PgRow, sent } from './drivers.ts'

const ARE_SAID = `
  SELECT j.at FROM ${POSTGRES.list('text')} WHERE EXISTS (
    SELECT 1 FROM postings p WHERE p.stack_id = $1 AND p.term = j.key)`
// Each next term is looked up behind the previous term: a term in many memories still takes one
// step.
const BEGUN = `
  SELECT j.at, b.term FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS j (begins, ends, at),
    LATERAL (
      WITH RECURSIVE begun (term, at) AS (
        (SELECT p.term, 1 FROM postings p
         WHERE p.stack_id = $1 AND p.term >= j.begins AND p.term < j.ends ORDER BY p.term LIMIT 1)
        UNION ALL
        SELECT (SELECT p.term FROM postings p
          WHERE p.stack_id = $1 AND p.term > b.term AND p.term < j.ends ORDER BY p.term LIMIT 1), b.at + 1
        FROM begun b WHERE b.term IS NOT NULL AND b.at < ${BEGUN_MAX})
      SELECT term, at FROM begun WHERE term IS NOT NULL) b
  ORDER BY j.at, b.at`
// One scan of the whole index for all parts, only for terms without an exact or a prefix match.
const INSIDE = `
  SELECT at, term FROM (
    SELECT j.at, t.term, row_number() OVER (PARTITION BY j.at ORDER BY t.term) AS place
    FROM (SELECT DISTINCT p.term FROM postings p WHERE p.stack_id = $1 OFFSET 0) t
      JOIN ${POSTGRES.list('text')} ON strpos(t.term, j.key) > 0) held
  WHERE place <= ${BEGUN_MAX} ORDER BY at, place`
const BEHIND_ALL = '\u{10ffff}' // in the order of bytes

/**
 * For each unknown or one-character term, the known terms with this prefix; without any, the terms
 * that contain the term.
 */
function* begunBy(terms: readonly string[]): Steps<readonly (readonly string[])[]> {
  const known = askable(terms)
  const words = known.filter((term) => !isOneCharacter(term) && term.length >= BEGINNING_MIN)
  const rows = words.length === 0 ? [] : yield* rowsOf(ARE_SAID, listOf(words))
  const said = new Set(rows.map(([at]) => words[Number(at) - 1]))
  const parts = [...known.filter(isOneCharacter), ...words.filter((word) => !said.has(word))]
  const found = yield* termsBy(parts)
  return terms.map((term) => found.get(term) ?? [])
}

/** Three questions at most, however many parts there are. */
function* termsBy(parts: readonly string[]): Steps<ReadonlyMap<string, readonly string[]>> {
  if (parts.length === 0) return new Map()
  const ends = parts.map((part) => part + BEHIND_ALL)
  const found = byPart(parts, yield* rowsOf(BEGUN, listOf(parts), listOf(ends)))
  const inside = parts.filter((part) => part.length >= INSIDE_MIN && !found.has(part))
  if (inside.length === 0) return found
  return new Map([...found, ...byPart(inside, yield* rowsOf(INSIDE, listOf(inside)))])
}

/** Rows of a part's position, counted from 1, and a term. */
function byPart(parts: readonly string[], rows: readonly SqlRow[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [at, term] of rows) {
    const part = parts[Number(at) - 1] ?? ''
    const terms = found.get(part)
    if (terms) terms.push(String(term))
    else found.set(part, [String(term)])
  }
  return found
}

const PAGE_ROWS = 2_048
const PAGE = `
  SELECT l.seq, l.ref, l.bytes FROM provenance_log l
  WHERE l.stack_id = $1 AND l.seq > ? ORDER BY l.seq LIMIT ${PAGE_ROWS}`

const decoder = new TextDecoder()

/** Entries filed under another memory than their bytes name. */
export async function misfiled(connection: Connection): Promise<readonly number[]> {
  const found: number[] = []
  for (let last = -1; ; ) {
    const page = await connection.rows(PAGE, last)
    for (const [seq, ref, bytes] of page) {
      last = Number(seq)
      if (isNamedIn(bytes as Uint8Array, ref ?? null) === false) found.push(last)
    }
    if (page.length < PAGE_ROWS) return found
  }
}

/** True when the bytes name this ref; null for unreadable bytes, which the audit reports. */
function isNamedIn(bytes: Uint8Array, ref: unknown): boolean | null {
  try {
    const told = JSON.parse(decoder.decode(bytes)) as { readonly ref?: unknown } // any JSON
    return (told.ref ?? null) === ref
  } catch {
    return null
  }
}

export async function readFrom(connection: Connection, query: ReadQuery): Promise<unknown> {
  switch (query.type) {
    case 'standing': {
      const { tip, stack } = await connection.standing()
      return { tip, stack, policy: await connection.policy(stack.policyHash) }
    }
    case 'begins':
      return connection.run(begunBy(query.terms))
    case 'run':
      return runIn(connection, query)
    case 'policy':
      return connection.policy(query.hash)
    default:
      if (query.type === 'table' && query.name === 'misfiled') return misfiled(connection)
      return connection.run(read(POSTGRES, query))
  }
}

async function runIn(
  connection: Connection,
  { from, to }: { readonly from: number; readonly to: number },
) {
  const [entries, sealed] = await Promise.all([
    connection.run(read(POSTGRES, { type: 'entries', from, limit: to - from + 1 })),
    connection.run(read(POSTGRES, { type: 'table', name: 'sealed', from, to })),
  ])
  return joinedAsHashed(entries as readonly EntryRow[], sealed as readonly SealedRow[])
}

const { list: listed, one, many } = POSTGRES

/** Sends all independent queries at once; empty needs send no query. */
export async function gatherFrom(connection: Connection, needs: Needs): Promise<Context> {
  const standing = connection.standing()
  const guessed = guessedFor(connection, needs)
  const keys = sent(keysFor(connection, needs))
  const others = sent(
    Promise.all([
      connection.run(countersFor(POSTGRES, needs)),
      Promise.all(needs.reaches.map((reach) => connection.run(doesReach(POSTGRES, reach)))),
    ]),
  )
  const { tip, stack } = await standing
  const policy = await connection.policy(stack.policyHash)
  const until = tip.time === null ? needs.until : laterOf(needs.until, tip.time)
  const begunBefore = policy && earlier(until, policy.numbers.tallyWindowMs)
  connection.known.tallyWindowMs = policy?.numbers.tallyWindowMs ?? null
  const counted = await (guessed?.begunBefore === begunBefore
    ? guessed.counted
    : countedFor(connection, needs.actors, begunBefore))
  const ended = await keysOfEnded(connection, counted, begunBefore)
  const memories = await connection.run(statesOf(POSTGRES, [...(await keys), ...ended]))
  const tallies = await talliesFor(connection, counted, memories)
  const [counters, reached] = await others
  return { tip, stack, policy, memories, tallies, ...counters, reached }
}

/** A tally that began before the result has ended by `until`; null when `until` is empty. */
const earlier = (until: Instant, windowMs: number): Instant | null =>
  until === '' ? null : toInstant(Math.max(0, toMs(until) - windowMs))

const BY_REF = `SELECT m.seq FROM ${listed('text')} ${one('memories', 'ref', 'j.key', 'm')}`
const BY_IDENTITY = `
  SELECT m.seq FROM ${listed('bytea')} ${many('memories', 'identity', 'j.key', 'm')}
  WHERE ${SAYS('m.')}`
const NOT_EXCEPT = 'f.ref IS DISTINCT FROM j.but'

/**
 * Requested timelines with the claim that sets their kind; members of a set never contradict each
 * other.
 */
const ON_LINES = `
  WITH asked (line, since, any_teller, teller, is_set) AS MATERIALIZED (
    SELECT t.line, t.since, t.any_teller, t.teller, (
      SELECT f.subtype IS NOT DISTINCT FROM 'SetValued' FROM memories f
      WHERE f.stack_id = $1 AND f.seq = t.teller
    ) FROM (
      SELECT j.line, j.since,
        ${tellerOf(POSTGRES, 'j.line', NOT_EXCEPT)} AS any_teller,
        ${firstHandOf(POSTGRES, 'j.line', NOT_EXCEPT)} AS teller
      FROM unnest($2::bytea[], $3::text[], $4::text[]) AS j (line, since, but)) t)
  SELECT any_teller FROM asked
  UNION SELECT teller FROM asked
  UNION SELECT f.seq FROM asked a JOIN memories f
    ON f.stack_id = $1 AND f.line = a.line AND f.standing_until > a.since
    WHERE a.is_set IS NOT TRUE`
const ASSESSED = `
  SELECT (
    SELECT m.seq FROM memories m
    WHERE m.stack_id = $1 AND m.kind = 'assessment' AND m.name_key = j.key
      AND m.disposition <> 'Distrusted'
    ORDER BY m.seq DESC LIMIT 1)
  FROM ${listed('uuid')}`

/** Keys of the requested memories, in a first query, because usually none are found. */
async function keysFor(connection: Connection, needs: Needs): Promise<readonly number[]> {
  const { refs, identities, lines, actors, children, ancestors, doubted } = needs
  const asked: Promise<readonly PgRow[]>[] = []
  if (refs.length > 0) asked.push(connection.rows(BY_REF, listOf(refs)))
  if (identities.length > 0) {
    asked.push(connection.rows(BY_IDENTITY, listOf(identities.map(bytesText))))
  }
  if (lines.length > 0) {
    const lists = [
      lines.map(({ line }) => bytesText(line)),
      lines.map(({ from }) => from ?? ''),
      lines.map(({ except }) => except),
    ]
    asked.push(connection.rows(ON_LINES, ...lists.map(listOf)))
  }
  if (actors.length > 0) asked.push(connection.rows(ASSESSED, listOf(actors.map(keyOf))))
  const family = sent(
    Promise.all([
      connection.run(ancestorKeys(POSTGRES, ancestors)),
      ...doubted.map((what) => connection.run(doubtedKeys(POSTGRES, what))),
      ...children.map((ref) => connection.run(childKeys(POSTGRES, ref))),
    ]),
  )
  const rows = (await Promise.all(asked)).flat()
  const found = rows.flatMap(([key = null]) => (key === null ? [] : Number(key)))
  return [...found, ...(await family).flat()]
}

interface Placed {
  readonly tally: Tally
  readonly place: number
}

const placedOf = (row: PgRow): Placed => ({
  tally: tallyOf(row),
  place: Number(row[TALLY_COLUMNS.length]),
})

const COUNTED = `
  SELECT ${TALLY(POSTGRES)}, t.place FROM tallies t
  WHERE t.stack_id = $1 AND (t.actor_key = ANY (?::uuid[]) OR t.first_at < ?)`

/** The tallies of these actors, and every open tally that began before the given time. */
async function countedFor(
  connection: Connection,
  actors: readonly string[],
  begunBefore: Instant | null,
): Promise<readonly Placed[]> {
  const rows = await connection.rows(COUNTED, listOf(actors.map(keyOf)), begunBefore)
  return rows.map(placedOf)
}

/** Sent with the rest, on the guess that no entry was written by a faster clock since. */
function guessedFor(connection: Connection, { actors, until }: Needs) {
  const { tallyWindowMs } = connection.known
  if (tallyWindowMs === null) return null
  const begunBefore = earlier(until, tallyWindowMs)
  return { begunBefore, counted: sent(countedFor(connection, actors, begunBefore)) }
}

/** The entry of an ended tally changes its memory, so the memory must be gathered too. */
async function keysOfEnded(
  connection: Connection,
  counted: readonly Placed[],
  begunBefore: Instant | null,
): Promise<readonly number[]> {
  const ended = counted.filter(({ tally }) => {
    return begunBefore !== null && tally.firstAt !== null && tally.firstAt < begunBefore
  })
  const about = ended.flatMap(({ tally }) => tally.about ?? [])
  if (about.length === 0) return []
  return numbersOf(await connection.rows(BY_REF, listOf(about)))
}

const ABOUT = `
  SELECT ${TALLY(POSTGRES)}, t.place FROM ${listed('text')} ${many('tallies', 'about', 'j.key', 't')}`

/** The counted tallies and the tallies about these memories, in the order of their start. */
async function talliesFor(
  connection: Connection,
  counted: readonly Placed[],
  memories: readonly MemoryState[],
): Promise<readonly Tally[]> {
  const refs = memories.map(({ ref }) => ref)
  const about = refs.length === 0 ? [] : await connection.rows(ABOUT, listOf(refs))
  const all = new Map(
    [...counted, ...about.map(placedOf)].map((placed) => [placed.place, placed.tally]),
  )
  return [...all].sort(([a], [b]) => a - b).map(([, tally]) => tally)
}
