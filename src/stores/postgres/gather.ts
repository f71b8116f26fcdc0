import type { SealedRow } from '../../domain/entry.ts'
import type { Hash, Ref } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { ActorKey, Burst, MemoryState, Tally, Tombstone } from '../../domain/state.ts'
import { type Instant, laterOf, toInstant, toMs } from '../../domain/time.ts'
import type { BurstKey, Context, Needs } from '../../domain/waist.ts'
import {
  burstOf,
  SEALED_COLUMNS,
  sealedOf,
  TALLY_COLUMNS,
  tallyOf,
  type Untrusted,
} from '../sql/rows.ts'
import { SAYS } from '../sql/words.ts'
import { each, every, listed, selected } from './columns.ts'
import type { Connection } from './connection.ts'
import { doubtedFor } from './doubted.ts'
import type { PgRow } from './driver.ts'
import { ancestorKeys, childKeys, doesReach } from './lineage.ts'
import { ASKED_LINES, ON_ASKED_LINES } from './lines.ts'
import { sent } from './sent.ts'
import { statesOf } from './states.ts'
import { bytesText, keyOf, listOf } from './text.ts'

/** Everything that needs no other answer is sent at once; what is not asked for is not sent. */
export async function gatherFrom(connection: Connection, needs: Needs): Promise<Context> {
  const standing = connection.standing()
  const guessed = guessedFor(connection, needs)
  const keys = sent(keysFor(connection, needs))
  const others = sent(
    Promise.all([
      actorKeysFor(connection, needs.actors),
      burstsFor(connection, needs.bursts),
      tombstonesFor(connection, needs.tombstones),
      wordsFor(connection, needs.words),
      Promise.all(needs.reaches.map((reach) => doesReach(connection, reach))),
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
  const memories = await statesOf(connection, [...(await keys), ...ended])
  const tallies = await talliesFor(connection, counted, memories)
  const [actorKeys, bursts, tombstones, words, reached] = await others
  const counters = { actorKeys, tallies, bursts, tombstones }
  return { tip, stack, policy, memories, words, ...counters, reached }
}

/** A tally that began before then has ended by `until`; nothing has by no time at all. */
const earlier = (until: Instant, windowMs: number): Instant | null =>
  until === '' ? null : toInstant(Math.max(0, toMs(until) - windowMs))

const BY_REF = `SELECT m.seq FROM ${listed('text')} ${each('memories', 'ref', 'j.key')}`
const BY_IDENTITY = `
  SELECT m.seq FROM ${listed('bytea')} ${every('memories', 'identity', 'j.key')}
  WHERE ${SAYS('m.')}`
const ON_LINES = `WITH ${ASKED_LINES} ${ON_ASKED_LINES}`
const ASSESSED = `
  SELECT (
    SELECT m.seq FROM memories m
    WHERE m.stack_id = $1 AND m.kind = 'assessment' AND m.name_key = j.key
      AND m.disposition <> 'Distrusted'
    ORDER BY m.seq DESC LIMIT 1)
  FROM ${listed('uuid')}`

/** Keys of memories that are wanted, whatever else is found: found first, since mostly none are. */
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
      ancestorKeys(connection, ancestors),
      doubtedFor(connection, doubted),
      ...children.map((ref) => childKeys(connection, ref, LIMITS.cascadeFlagsMax + 1)),
    ]),
  )
  const rows = (await Promise.all(asked)).flat()
  const found = rows.flatMap(([key = null]) => (key === null ? [] : Number(key)))
  return [...found, ...(await family).flat()]
}

/** Rows come back in the order of what was asked, as often as it was asked. */
const pick = <Key, Row>(
  asked: readonly Key[],
  found: ReadonlyMap<string, Row>,
  nameOf: (key: Key) => string,
): readonly Row[] =>
  asked.flatMap((key) => {
    const row = found.get(nameOf(key))
    return row === undefined ? [] : [row]
  })

const ACTOR_KEYS = `
  SELECT a.actor, a.key, a.since FROM actor_keys a
  WHERE a.stack_id = $1 AND a.actor_key = ANY (?::uuid[])`

async function actorKeysFor(
  connection: Connection,
  actors: readonly string[],
): Promise<readonly ActorKey[]> {
  if (actors.length === 0) return []
  const rows = await connection.rows(ACTOR_KEYS, listOf(actors.map(keyOf)))
  const found = new Map(
    rows.map(([actor, key, since]) => [
      String(actor),
      { actor, key, since } as Untrusted<ActorKey>,
    ]),
  )
  return pick(actors, found, (actor) => actor)
}

export const TALLY = selected(TALLY_COLUMNS, 't')

/** A tally with its place among the others. */
interface Placed {
  readonly tally: Tally
  readonly place: number
}

const placedOf = (row: PgRow): Placed => ({
  tally: tallyOf(row),
  place: Number(row[TALLY_COLUMNS.length]),
})

const COUNTED = `
  SELECT ${TALLY}, t.place FROM tallies t
  WHERE t.stack_id = $1 AND (t.actor_key = ANY (?::uuid[]) OR t.first_at < ?)`

/** Of these actors, and every open one that began before then. */
async function countedFor(
  connection: Connection,
  actors: readonly string[],
  begunBefore: Instant | null,
): Promise<readonly Placed[]> {
  const rows = await connection.rows(COUNTED, listOf(actors.map(keyOf)), begunBefore)
  return rows.map(placedOf)
}

/** Asked for with the rest, on the guess that nothing was written since by a quicker clock. */
function guessedFor(connection: Connection, { actors, until }: Needs) {
  const { tallyWindowMs } = connection.known
  if (tallyWindowMs === null) return null
  const begunBefore = earlier(until, tallyWindowMs)
  return { begunBefore, counted: sent(countedFor(connection, actors, begunBefore)) }
}

/** A tally that becomes an entry says something of its memory, which must then be at hand. */
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
  const rows = await connection.rows(BY_REF, listOf(about))
  return rows.map(([key]) => Number(key))
}

const ABOUT = `
  SELECT ${TALLY}, t.place FROM ${listed('text')} ${every('tallies', 'about', 'j.key', 't')}`

/** Those, and the ones about these memories, in the order in which they were begun. */
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

export const BURST = selected(['actor', 'identity', 'times', 'quarantined'], 'b')

// One by one, as `each` has it: joined, all that a stack has counted may be read.
const BURSTS = `
  SELECT ${BURST} FROM unnest(?::bytea[], ?::uuid[]) AS j (identity, actor_key)
    JOIN LATERAL (
      SELECT * FROM bursts t
      WHERE t.stack_id = $1 AND t.identity = j.identity AND t.actor_key = j.actor_key LIMIT 1) b ON TRUE`

const burstName = ({ actor, identity }: BurstKey): string => `${identity} ${actor}`

async function burstsFor(
  connection: Connection,
  keys: readonly BurstKey[],
): Promise<readonly Burst[]> {
  if (keys.length === 0) return []
  const identities = listOf(keys.map(({ identity }) => bytesText(identity)))
  const rows = await connection.rows(
    BURSTS,
    identities,
    listOf(keys.map(({ actor }) => keyOf(actor))),
  )
  const bursts = rows.map(burstOf).map((burst) => [burstName(burst), burst] as const)
  return pick(keys, new Map(bursts), burstName)
}

const WORDS = `
  SELECT ${selected(SEALED_COLUMNS, 's')} FROM ${listed('text')}
    ${each('memories', 'ref', 'j.key')} ${each('sealed', 'seq', 'm.revision_seq', 's')}
  ORDER BY j.at`

async function wordsFor(
  connection: Connection,
  refs: readonly Ref[],
): Promise<readonly SealedRow[]> {
  if (refs.length === 0) return []
  return (await connection.rows(WORDS, listOf(refs))).map((row) => sealedOf(row, 0))
}

const TOMBSTONES = `
  SELECT encode(t.mark, 'hex'), t.seq FROM tombstones t
  WHERE t.stack_id = $1 AND t.mark = ANY (?::bytea[])`

async function tombstonesFor(
  connection: Connection,
  marks: readonly Hash[],
): Promise<readonly Tombstone[]> {
  if (marks.length === 0) return []
  const rows = await connection.rows(TOMBSTONES, listOf(marks.map(bytesText)))
  const found = new Map(
    rows.map(([mark, seq]) => [String(mark), { mark, seq } as Untrusted<Tombstone>]),
  )
  return pick(marks, found, (mark) => mark)
}
