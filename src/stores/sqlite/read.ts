import { type Ref, SHORT_ID_CHARS, type StackId } from '../../domain/ids.ts'
import type { ActorKey, Tombstone } from '../../domain/state.ts'
import type { Erasure, ReadQuery, ReadResults } from '../../ports/store.ts'
import { STATE, STORED, stateOf, storedOf, WITH_SEALED } from '../sql/memory-rows.ts'
import { BURST, burstOf, ENTRY, entryOf, TALLY, tallyOf, type Untrusted } from '../sql/rows.ts'
import type { SqlRow, SqlValue } from '../sql/values.ts'
import { SAYS } from '../sql/words.ts'
import type { Connection } from './connection.ts'
import { doubtedIn } from './doubted.ts'
import { ungrounded } from './grounding.ts'
import { descendants, lineage } from './lineage.ts'
import { lineIn, linesIn } from './lines.ts'
import { atMost, keptOf, listed, onward, storedWith, waiting } from './listing.ts'
import { begunBy, matched } from './matching.ts'
import { MISFILED } from './misfiled.ts'
import { narrowed } from './narrow.ts'
import { withNotes } from './notes.ts'
import { entriesIn, runIn, sealedIn } from './pages.ts'
import { recalled } from './recalling.ts'
import { shelf } from './shelf.ts'
import { touched, vectorsOf } from './vectors.ts'

type Answer = ReadResults[keyof ReadResults]

const MEMORY = `SELECT ${STORED} FROM memories m ${WITH_SEALED} WHERE m.ref = ?`
const SAYING = `
  SELECT ${STATE} FROM memories m
  WHERE m.identity = unhex(?) AND ${SAYS('m.')} AND m.opens = 0 AND m.kind <> 'claim'
  ORDER BY m.seq`
const ENTRIES_ABOUT = `SELECT ${ENTRY} FROM provenance_log l WHERE l.ref = ? ORDER BY l.seq`
const CHANGED = `
  SELECT j.value FROM json_each(?1) j
  WHERE EXISTS (SELECT 1 FROM provenance_log l WHERE l.ref = j.value AND l.seq > ?2)
  ORDER BY j.key`
// From indexes alone: looking at every row would cost ten times as much.
const COUNTS = `
  SELECT m.kind, count(*) - (
      SELECT count(*) FROM memories e WHERE e.kind = m.kind AND e.erased IS NOT NULL) AS kept
  FROM memories m GROUP BY m.kind HAVING kept > 0 ORDER BY (
    SELECT min(f.seq) FROM memories f WHERE f.kind = m.kind AND f.erased IS NULL)`
const STATES = `SELECT ${STATE} FROM memories m WHERE m.seq > ? ORDER BY m.seq LIMIT +?`
const ACTOR_KEYS = 'SELECT actor, key, since FROM actor_keys ORDER BY place'
const ERASURES = 'SELECT seq, entry FROM erasures ORDER BY seq'
const SCRUBS = 'SELECT entry FROM scrubs ORDER BY entry'
const TOMBSTONES = 'SELECT lower(hex(mark)), seq FROM tombstones ORDER BY seq'
const TALLIES = `SELECT ${TALLY} FROM tallies t ORDER BY t.place`
const BURSTS = `
  SELECT ${BURST} FROM bursts b WHERE (b.identity, b.actor) > (unhex(?), ?)
  ORDER BY b.identity, b.actor LIMIT +?`
// The index on refs holds all that is looked at. What stands behind a colon begins an id.
const RESOLVE = `
  SELECT ref FROM memories INDEXED BY memories_by_ref
  WHERE (instr(ref, ':' || ?1) > 0 OR substr(ref, ?2) = ?1
      OR substr(ref, ${-SHORT_ID_CHARS}, length(?1)) = ?1)
    AND instr(ref, ?3) = 1
  ORDER BY seq LIMIT +?4`
const ID_CHARS = 36

/** Answers one query; the caller's type says which member of the union it is. */
export function readFrom(connection: Connection, stack: StackId, query: ReadQuery): Answer {
  connection.answersFor(stack)
  const rows = (sql: string, ...values: readonly SqlValue[]): readonly SqlRow[] =>
    connection.prepare(sql).all(...values)
  switch (query.type) {
    case 'standing': {
      const { tip, stack: state } = connection.standing(stack)
      return { tip, stack: state, policy: connection.policy(state.policyHash) }
    }
    case 'memory':
      return withNotes(connection, rows(MEMORY, query.ref).map(storedOf))[0] ?? null
    case 'list':
      return connection.atOnce(() => listed(connection, query))
    case 'onward':
      return connection.atOnce(() => onward(connection, query))
    case 'shelf':
      return connection.atOnce(() => shelf(connection, query))
    case 'review':
      return connection.atOnce(() => waiting(connection, query))
    case 'ungrounded':
      return connection.atOnce(() => ungrounded(connection, query))
    case 'match':
      return connection.atOnce(() => matched(connection, query))
    case 'recall':
      return connection.atOnce(() => recalled(connection, query))
    case 'begins':
      return connection.atOnce(() => query.terms.map((term) => begunBy(connection, term)))
    case 'kept': {
      const { seqs, kinds, where, limit } = query
      return keptOf(connection, seqs, { kinds, where: narrowed(where), limit })
    }
    case 'vectors':
      return connection.atOnce(() => vectorsOf(connection, query.model))
    case 'touched':
      return connection.atOnce(() => touched(connection, query.after, query.limit))
    case 'keyed':
      return connection.atOnce(() => storedWith(connection, query.seqs))
    case 'saying':
      return rows(SAYING, query.identity).map((row) => stateOf(row))
    case 'line':
      return lineIn(connection, query)
    case 'lines':
      return linesIn(connection, query)
    case 'entries':
      return entriesIn(connection, { from: query.from, to: atMost(query.from + query.limit) - 1 })
    case 'entriesAbout':
      return rows(ENTRIES_ABOUT, query.ref).map(entryOf)
    case 'changed': {
      const changed = rows(CHANGED, JSON.stringify(query.refs), query.after)
      return changed.map(([ref]) => ref as Untrusted<Ref>)
    }
    case 'run':
      return runIn(connection, { from: query.from, to: atMost(query.to) })
    case 'policy':
      return connection.policy(query.hash)
    case 'descendants':
      return descendants(connection, query)
    case 'doubted':
      return doubtedIn(connection, query.what, query.visitMax)
    case 'lineage':
      return lineage(connection, query)
    case 'sealed':
      return sealedIn(connection, { from: query.from, to: atMost(query.to) })
    case 'counts':
      return Object.fromEntries(rows(COUNTS)) as Untrusted<ReadResults['counts']>
    case 'resolve': {
      const { kind, part, limit } = query
      if (part.length > ID_CHARS || part.includes(':')) return []
      const tail = part === '' ? ID_CHARS * 2 : -part.length // behind the end there is nothing
      const begins = kind === null ? '' : `${kind}:`
      const found = rows(RESOLVE, part, tail, begins, atMost(limit))
      return found.map(([ref]) => ref as Untrusted<Ref>)
    }
    case 'states':
      return rows(STATES, query.after, atMost(query.limit)).map((row) => stateOf(row))
    case 'actorKeys':
      return rows(ACTOR_KEYS).map(
        ([actor, key, since]) => ({ actor, key, since }) as Untrusted<ActorKey>,
      )
    case 'tallies':
      return rows(TALLIES).map(tallyOf)
    case 'erasures':
      return rows(ERASURES).map(([seq, entry]) => ({ seq, entry }) as Untrusted<Erasure>)
    case 'misfiled':
      return rows(`${MISFILED} ORDER BY 1`).map(([seq]) => Number(seq))
    case 'scrubs':
      return rows(SCRUBS).map(([entry]) => Number(entry))
    case 'tombstones':
      return rows(TOMBSTONES).map(([mark, seq]) => ({ mark, seq }) as Untrusted<Tombstone>)
    case 'bursts': {
      const { identity, actor } = query.after ?? { identity: '', actor: '' } // before every key
      return rows(BURSTS, identity, actor, atMost(query.limit)).map(burstOf)
    }
  }
}
