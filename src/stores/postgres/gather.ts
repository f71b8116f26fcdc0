import type { MemoryState, Tally } from '../../domain/state.ts'
import { type Instant, laterOf, toInstant, toMs } from '../../domain/time.ts'
import type { Context, Needs } from '../../domain/waist.ts'
import { firstHandOf, tellerOf } from '../sql/claims.ts'
import { numbersOf, SAYS } from '../sql/dialect.ts'
import { countersFor, TALLY, TALLY_COLUMNS, tallyOf } from '../sql/entry-rows.ts'
import { ancestorKeys, childKeys, doesReach, doubtedKeys } from '../sql/lineage.ts'
import { statesOf } from '../sql/memories.ts'
import type { Connection } from './connection.ts'
import { bytesText, keyOf, listOf, POSTGRES } from './dialect.ts'
import { type PgRow, sent } from './drivers.ts'

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
