import type { SealedRow } from '../../domain/entry.ts'
import type { Hash, Ref, StackId } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { ActorKey, Burst, MemoryState, Tally, Tombstone } from '../../domain/state.ts'
import { type Instant, laterOf, toInstant, toMs } from '../../domain/time.ts'
import type { BurstKey, Context, Needs } from '../../domain/waist.ts'
import { STATE, sharedMarks, stateOf } from '../sql/memory-rows.ts'
import { BURST, burstOf, sealedOf, TALLY, tallyOf, type Untrusted } from '../sql/rows.ts'
import { SAYS } from '../sql/words.ts'
import type { Connection } from './connection.ts'
import { doubtedFor } from './doubted.ts'
import { both, keepLines, knownLines } from './gather-lines.ts'
import { ancestorKeys, childKeys, doesReach } from './lineage.ts'
import { ASKED_LINES, ON_ASKED_LINES, openersOf } from './lines.ts'

/**
 * Lists are handed over as one JSON value each: against one call for each item this is ten times
 * as quick where nothing is found, which is what a group of new memories finds.
 */
const listed = (items: readonly unknown[]): string => JSON.stringify(items)

export function gatherFrom(connection: Connection, stack: StackId, needs: Needs): Context {
  return connection.atOnce(() => {
    const { tip, stack: state } = connection.standing(stack)
    const policy = connection.policy(state.policyHash)
    const until = tip.time === null ? needs.until : laterOf(needs.until, tip.time)
    const begunBefore = policy && earlier(until, policy.numbers.tallyWindowMs)
    const { asked, known } = knownLines(connection, needs, tip.head)
    // What is known of a line need not hold the claim that opened it.
    const lines = needs.lines.map(({ line }) => line)
    const found = memoriesFor(connection, asked, { begunBefore, lines })
    if (asked.lines.length > 0) keepLines(connection, asked, { found, head: tip.head })
    const memories = known.length === 0 ? found : both(found, known)
    return {
      tip,
      stack: state,
      policy,
      memories,
      words: wordsFor(connection, needs.words),
      actorKeys: actorKeysFor(connection, needs.actors),
      tallies: talliesFor(connection, {
        about: found.map(({ ref }) => ref),
        actors: needs.actors,
        begunBefore,
      }),
      bursts: burstsFor(connection, needs.bursts),
      tombstones: tombstonesFor(connection, needs.tombstones),
      reached: needs.reaches.map((reach) => doesReach(connection, reach)),
    }
  })
}

/** A tally that began before then has ended by `until`; nothing has by no time at all. */
const earlier = (until: Instant, windowMs: number): Instant | null =>
  until === '' ? null : toInstant(Math.max(0, toMs(until) - windowMs))

const MEMORIES = `
  WITH ${ASKED_LINES}
  SELECT ${STATE} FROM memories m WHERE m.seq IN (
    ${ON_ASKED_LINES}
    UNION SELECT f.seq FROM json_each(?2) j CROSS JOIN memories f ON f.ref = j.value
    UNION SELECT f.seq FROM json_each(?3) j CROSS JOIN memories f
      ON f.identity = unhex(j.value) AND ${SAYS('f.')} AND f.opens = 0
    UNION ${openersOf('?7', '?3')}
    UNION SELECT f.seq FROM tallies t CROSS JOIN memories f ON f.ref = t.about
      WHERE t.first_at < ?4
    UNION SELECT (
      SELECT max(f.seq) FROM memories f
        WHERE f.kind = 'assessment' AND f.name = j.value AND f.disposition != 'Distrusted'
    ) FROM json_each(?5) j
    UNION SELECT value FROM json_each(?6)
  ) ORDER BY m.seq`

/** Those asked for, and those that an ended tally is about: its entry will be folded into them. */
function memoriesFor(
  connection: Connection,
  { refs, identities, lines, actors, children, ancestors, doubted }: Needs,
  among: { readonly begunBefore: Instant | null; readonly lines: readonly Hash[] },
): readonly MemoryState[] {
  const spoken = lines.map(({ line, from, except }) => [line, from ?? '', except])
  const asked = [listed(spoken), listed(refs), listed(identities)]
  const family = [
    ...children.flatMap((ref) => childKeys(connection, ref, LIMITS.cascadeFlagsMax + 1)),
    ...ancestorKeys(connection, ancestors),
    ...doubtedFor(connection, doubted),
  ]
  const rows = connection
    .prepare(MEMORIES)
    .all(...asked, among.begunBefore, listed(actors), listed(family), listed(among.lines))
  const marks = sharedMarks()
  return rows.map((row) => stateOf(row, marks))
}

/** Rows come back in the order of what was asked, as often as it was asked. */
const pick = <Key, Row>(
  asked: readonly Key[],
  found: ReadonlyMap<string, Row>,
  keyOf: (key: Key) => string,
): readonly Row[] =>
  asked.flatMap((key) => {
    const row = found.get(keyOf(key))
    return row === undefined ? [] : [row]
  })

const ACTOR_KEYS = `
  SELECT a.actor, a.key, a.since FROM json_each(?) j CROSS JOIN actor_keys a ON a.actor = j.value`

function actorKeysFor(connection: Connection, actors: readonly string[]): readonly ActorKey[] {
  if (actors.length === 0) return []
  const rows = connection.prepare(ACTOR_KEYS).all(listed(actors))
  const found = new Map(
    rows.map(([actor, key, since]) => [
      String(actor),
      { actor, key, since } as Untrusted<ActorKey>,
    ]),
  )
  return pick(actors, found, (actor) => actor)
}

// Named, because sorted by place a walk through all of them looks cheaper than it is.
const TALLIES = `
  SELECT ${TALLY} FROM tallies t WHERE t.place IN (
    SELECT f.place FROM json_each(?) j CROSS JOIN tallies f ON f.about = j.value
    UNION SELECT f.place FROM json_each(?) j CROSS JOIN tallies f ON f.actor = j.value
    UNION SELECT f.place FROM tallies f INDEXED BY tallies_by_first WHERE f.first_at < ?
  ) ORDER BY t.place`

interface TallyNeeds {
  readonly about: readonly Ref[]
  readonly actors: readonly string[]
  readonly begunBefore: Instant | null
}

function talliesFor(
  connection: Connection,
  { about, actors, begunBefore }: TallyNeeds,
): readonly Tally[] {
  const rows = connection.prepare(TALLIES).all(listed(about), listed(actors), begunBefore)
  return rows.map(tallyOf)
}

const BURSTS = `
  SELECT ${BURST}
  FROM json_each(?) j CROSS JOIN bursts b
    ON b.identity = unhex(j.value ->> 0) AND b.actor = j.value ->> 1`

const burstKey = ({ actor, identity }: BurstKey): string => `${identity} ${actor}`

function burstsFor(connection: Connection, keys: readonly BurstKey[]): readonly Burst[] {
  if (keys.length === 0) return []
  const asked = keys.map(({ actor, identity }) => [identity, actor])
  const rows = connection.prepare(BURSTS).all(listed(asked))
  const bursts = rows.map(burstOf).map((burst) => [burstKey(burst), burst] as const)
  return pick(keys, new Map(bursts), burstKey)
}

const WORDS = `
  SELECT s.seq, s.ref, s.salt, s.bytes FROM json_each(?) j
    CROSS JOIN memories m ON m.ref = j.value
    JOIN sealed s ON s.seq = m.revision_seq
  ORDER BY j.key`

function wordsFor(connection: Connection, refs: readonly Ref[]): readonly SealedRow[] {
  if (refs.length === 0) return []
  return connection
    .prepare(WORDS)
    .all(listed(refs))
    .map((row) => sealedOf(row, 0))
}

const TOMBSTONES = `
  SELECT lower(hex(t.mark)), t.seq FROM json_each(?) j CROSS JOIN tombstones t
    ON t.mark = unhex(j.value)`

function tombstonesFor(connection: Connection, marks: readonly Hash[]): readonly Tombstone[] {
  if (marks.length === 0) return []
  const rows = connection.prepare(TOMBSTONES).all(listed(marks))
  const found = new Map(
    rows.map(([mark, seq]) => [String(mark), { mark, seq } as Untrusted<Tombstone>]),
  )
  return pick(marks, found, (mark) => mark)
}
