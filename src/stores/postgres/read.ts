import { type Ref, SHORT_ID_CHARS } from '../../domain/ids.ts'
import type { ActorKey, Tombstone } from '../../domain/state.ts'
import type { Erasure, ReadQuery, ReadResults } from '../../ports/store.ts'
import { stateOf, storedOf } from '../sql/memory-rows.ts'
import { burstOf, entryOf, tallyOf, type Untrusted } from '../sql/rows.ts'
import { SAYS } from '../sql/words.ts'
import { listed as listedKeys } from './columns.ts'
import type { Connection } from './connection.ts'
import { doubtedIn } from './doubted.ts'
import { BURST, TALLY } from './gather.ts'
import { ungrounded } from './grounding.ts'
import { descendants, lineage } from './lineage.ts'
import { lineIn, linesIn } from './lines.ts'
import { atMost, keptOf, listed, onward, shelf, storedWith, waiting } from './listing.ts'
import { begunBy, matched } from './matching.ts'
import { STATE, STORED, WITH_SEALED } from './memory-rows.ts'
import { misfiled } from './misfiled.ts'
import { narrowed } from './narrow.ts'
import { withNotes } from './notes.ts'
import { ENTRY, entriesIn, runIn, sealedIn } from './pages.ts'
import { recalled } from './recalling.ts'
import { listOf } from './text.ts'
import { touched, vectorsOf } from './vectors.ts'

type Answer = ReadResults[keyof ReadResults]

const MEMORY = `
  SELECT ${STORED} FROM memories m ${WITH_SEALED} WHERE m.stack_id = $1 AND m.ref = ?`
const SAYING = `
  SELECT ${STATE} FROM memories m
  WHERE m.stack_id = $1 AND m.identity = decode(?, 'hex') AND ${SAYS('m.')}
    AND m.kind <> 'claim' ORDER BY m.seq`
const ENTRIES_ABOUT = `
  SELECT ${ENTRY} FROM provenance_log l WHERE l.stack_id = $1 AND l.ref = ? ORDER BY l.seq`
const CHANGED = `
  SELECT j.key FROM ${listedKeys('text')} WHERE EXISTS (
    SELECT 1 FROM provenance_log l WHERE l.stack_id = $1 AND l.ref = j.key AND l.seq > ?)
  ORDER BY j.at`
const COUNTS = `
  SELECT m.kind, count(*) FROM memories m WHERE m.stack_id = $1 AND m.erased IS NULL
  GROUP BY m.kind ORDER BY min(m.seq)`
const STATES = `
  SELECT ${STATE} FROM memories m WHERE m.stack_id = $1 AND m.seq > ? ORDER BY m.seq LIMIT ?`
const ACTOR_KEYS = `
  SELECT a.actor, a.key, a.since FROM actor_keys a WHERE a.stack_id = $1 ORDER BY a.place`
const ERASURES = 'SELECT e.seq, e.entry FROM erasures e WHERE e.stack_id = $1 ORDER BY e.seq'
const SCRUBS = 'SELECT s.entry FROM scrubs s WHERE s.stack_id = $1 ORDER BY s.entry'
const TOMBSTONES = `
  SELECT encode(t.mark, 'hex'), t.seq FROM tombstones t WHERE t.stack_id = $1 ORDER BY t.seq`
const TALLIES = `SELECT ${TALLY} FROM tallies t WHERE t.stack_id = $1 ORDER BY t.place`
const BURSTS = `
  SELECT ${BURST} FROM bursts b
  WHERE b.stack_id = $1 AND b.identity >= decode($2, 'hex')
    AND (b.identity, b.actor) > (decode($2, 'hex'), $3)
  ORDER BY b.identity, b.actor LIMIT $4`
// What stands behind a colon begins an id.
const RESOLVE = `
  SELECT m.ref FROM memories m
  WHERE m.stack_id = $1 AND (
      position(':' || $2 IN m.ref) > 0 OR right(m.ref, length($2)) = $2
      OR starts_with(right(m.ref, ${SHORT_ID_CHARS}), $2))
    AND starts_with(m.ref, $3)
  ORDER BY m.seq LIMIT $4`
const ID_CHARS = 36

/** Answers one query; the caller's type says which member of the union it is. */
export async function readFrom(connection: Connection, query: ReadQuery): Promise<Answer> {
  const rows = connection.rows.bind(connection)
  switch (query.type) {
    case 'standing': {
      const { tip, stack } = await connection.standing()
      return { tip, stack, policy: await connection.policy(stack.policyHash) }
    }
    case 'memory': {
      const found = await rows(MEMORY, query.ref)
      return (await withNotes(connection, found.map(storedOf)))[0] ?? null
    }
    case 'list':
      return listed(connection, query)
    case 'onward':
      return onward(connection, query)
    case 'doubted':
      return doubtedIn(connection, query.what, query.visitMax)
    case 'shelf':
      return shelf(connection, query)
    case 'review':
      return waiting(connection, query)
    case 'ungrounded':
      return ungrounded(connection, query)
    case 'match':
      return matched(connection, query)
    case 'recall':
      return recalled(connection, query)
    case 'begins':
      return begunBy(connection, query.terms)
    case 'kept':
      return keptOf(connection, query.seqs, {
        kinds: query.kinds,
        where: narrowed(query.where),
        limit: query.limit,
      })
    case 'vectors':
      return vectorsOf(connection, query.model)
    case 'touched':
      return touched(connection, query.after, query.limit)
    case 'keyed':
      return storedWith(connection, query.seqs)
    case 'saying':
      return (await rows(SAYING, query.identity)).map((row) => stateOf(row))
    case 'line':
      return lineIn(connection, query)
    case 'lines':
      return linesIn(connection, query)
    case 'entries':
      return entriesIn(connection, { from: query.from, to: atMost(query.from + query.limit) - 1 })
    case 'entriesAbout':
      return (await rows(ENTRIES_ABOUT, query.ref)).map(entryOf)
    case 'changed': {
      const changed = await rows(CHANGED, listOf(query.refs), query.after)
      return changed.map(([ref]) => ref as Untrusted<Ref>)
    }
    case 'run':
      return runIn(connection, { from: query.from, to: atMost(query.to) })
    case 'policy':
      return connection.policy(query.hash)
    case 'descendants':
      return descendants(connection, query)
    case 'lineage':
      return lineage(connection, query)
    case 'sealed':
      return sealedIn(connection, { from: query.from, to: atMost(query.to) })
    case 'counts':
      return Object.fromEntries(await rows(COUNTS)) as Untrusted<ReadResults['counts']>
    case 'resolve': {
      const { kind, part, limit } = query
      if (part.length > ID_CHARS || part.includes(':')) return []
      const begins = kind === null ? '' : `${kind}:`
      const found = await rows(RESOLVE, part, begins, atMost(limit))
      return found.map(([ref]) => ref as Untrusted<Ref>)
    }
    case 'states':
      return (await rows(STATES, query.after, atMost(query.limit))).map((row) => stateOf(row))
    case 'actorKeys':
      return (await rows(ACTOR_KEYS)).map(
        ([actor, key, since]) => ({ actor, key, since }) as Untrusted<ActorKey>,
      )
    case 'tallies':
      return (await rows(TALLIES)).map(tallyOf)
    case 'erasures':
      return (await rows(ERASURES)).map(([seq, entry]) => ({ seq, entry }) as Untrusted<Erasure>)
    case 'misfiled':
      return misfiled(connection)
    case 'scrubs':
      return (await rows(SCRUBS)).map(([entry]) => Number(entry))
    case 'tombstones':
      return (await rows(TOMBSTONES)).map(([mark, seq]) => ({ mark, seq }) as Untrusted<Tombstone>)
    case 'bursts': {
      const { identity, actor } = query.after ?? { identity: '', actor: '' } // before every key
      return (await rows(BURSTS, identity, actor, atMost(query.limit))).map(burstOf)
    }
  }
}
