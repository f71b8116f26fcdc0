import type { Hash } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { ActorKey, Burst, MemoryState, Tally, Tombstone } from '../../domain/state.ts'
import { type Instant, laterOf, toInstant, toMs } from '../../domain/time.ts'
import type { BurstKey, Context, Needs } from '../../domain/waist.ts'
import { stateOf } from '../sqlite/memory-rows.ts'
import { burstOf, TALLY_COLUMNS, tallyOf, type Untrusted } from '../sqlite/rows.ts'
import { selected } from './columns.ts'
import type { Connection } from './connection.ts'
import { floorsFor } from './floors.ts'
import { ancestorKeys, childKeys, doesReach } from './lineage.ts'
import { ASKED_LINES, ON_ASKED_LINES } from './lines.ts'
import { STATE } from './memory-rows.ts'
import { sent } from './sent.ts'
import { bytesText, keyOf, listOf } from './text.ts'

/** Everything that needs no other answer is sent at once. */
export async function gatherFrom(connection: Connection, needs: Needs): Promise<Context> {
  const standing = connection.standing()
  const keys = sent(familyKeys(connection, needs))
  const others = sent(
    Promise.all([
      actorKeysFor(connection, needs.actors),
      burstsFor(connection, needs.bursts),
      tombstonesFor(connection, needs.tombstones),
      floorsFor(connection, needs.sessions),
      Promise.all(needs.reaches.map((reach) => doesReach(connection, reach))),
    ]),
  )
  const { tip, stack } = await standing
  const policy = await connection.policy(stack.policyHash)
  const until = tip.time === null ? needs.until : laterOf(needs.until, tip.time)
  const begunBefore = policy && earlier(until, policy.numbers.tallyWindowMs)
  const memories = await memoriesFor(connection, needs, { begunBefore, family: await keys })
  const tallies = await talliesFor(connection, memories, {
    actors: needs.actors,
    begunBefore,
  })
  const [actorKeys, bursts, tombstones, floors, reached] = await others
  return { tip, stack, policy, memories, actorKeys, tallies, bursts, tombstones, floors, reached }
}

/** A tally that began before then has ended by `until`; nothing has by no time at all. */
const earlier = (until: Instant, windowMs: number): Instant | null =>
  until === '' ? null : toInstant(Math.max(0, toMs(until) - windowMs))

/** Children and ancestors that were asked for. */
async function familyKeys(
  connection: Connection,
  { children, ancestors }: Needs,
): Promise<readonly number[]> {
  const up = ancestorKeys(connection, ancestors)
  const down = children.map((ref) => childKeys(connection, ref, LIMITS.cascadeFlagsMax + 1))
  const found = await Promise.all([up, ...down])
  return found.flat()
}

const MEMORIES = `
  WITH ${ASKED_LINES}
  SELECT ${STATE} FROM memories m WHERE m.stack_id = $1 AND m.seq = ANY (ARRAY(
    ${ON_ASKED_LINES}
    UNION SELECT f.seq FROM memories f WHERE f.stack_id = $1 AND f.ref = ANY ($5::text[])
    UNION SELECT f.seq FROM memories f WHERE f.stack_id = $1 AND f.identity = ANY ($6::bytea[])
    UNION SELECT f.seq FROM tallies t JOIN memories f ON f.stack_id = $1 AND f.ref = t.about
      WHERE t.stack_id = $1 AND t.first_at < $7
    UNION SELECT (
      SELECT max(f.seq) FROM memories f
      WHERE f.stack_id = $1 AND f.kind = 'assessment' AND f.name_key = j.key
    ) FROM unnest($8::uuid[]) AS j (key)
    UNION SELECT key FROM unnest($9::bigint[]) AS family (key)
  )) ORDER BY m.seq`

interface Around {
  readonly begunBefore: Instant | null
  readonly family: readonly number[]
}

/** Those asked for, and those that an ended tally is about: its entry will be folded into them. */
async function memoriesFor(
  connection: Connection,
  { refs, identities, lines, actors }: Needs,
  { begunBefore, family }: Around,
): Promise<readonly MemoryState[]> {
  const rows = await connection.rows(
    MEMORIES,
    listOf(lines.map(({ line }) => bytesText(line))),
    listOf(lines.map(({ from }) => from ?? '')),
    listOf(lines.map(({ except }) => except)),
    listOf(refs),
    listOf(identities.map(bytesText)),
    begunBefore,
    listOf(actors.map(keyOf)),
    listOf(family),
  )
  return rows.map(stateOf)
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

const TALLIES = `
  SELECT ${TALLY} FROM tallies t WHERE t.stack_id = $1 AND t.key_key IN (
    SELECT f.key_key FROM tallies f WHERE f.stack_id = $1 AND f.about = ANY (?::text[])
    UNION SELECT f.key_key FROM tallies f WHERE f.stack_id = $1 AND f.actor_key = ANY (?::uuid[])
    UNION SELECT f.key_key FROM tallies f WHERE f.stack_id = $1 AND f.first_at < ?
  ) ORDER BY t.place`

async function talliesFor(
  connection: Connection,
  memories: readonly MemoryState[],
  { actors, begunBefore }: { actors: readonly string[]; begunBefore: Instant | null },
): Promise<readonly Tally[]> {
  const about = listOf(memories.map(({ ref }) => ref))
  const rows = await connection.rows(TALLIES, about, listOf(actors.map(keyOf)), begunBefore)
  return rows.map(tallyOf)
}

export const BURST = selected(['actor', 'identity', 'times', 'quarantined'], 'b')

const BURSTS = `
  SELECT ${BURST} FROM unnest(?::bytea[], ?::uuid[]) AS j (identity, actor_key)
    JOIN bursts b ON b.stack_id = $1 AND b.identity = j.identity AND b.actor_key = j.actor_key`

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
