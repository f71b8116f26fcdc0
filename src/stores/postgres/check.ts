import type { Connection } from './connection.ts'
import { listOf } from './dialect.ts'
import type { PgClient } from './drivers.ts'
import { misfiled } from './read.ts'
import { TABLES } from './schema.ts'

/** A contradiction inside the database; `seq` is the entry concerned. */
export interface Damage {
  readonly seq: number | null
  readonly says: string
}

const PROBLEMS_MAX = 100 // problems of each kind; a single one proves damage

/** Index copies against their originals; the audit does not see these copies. */
const CONTRADICTIONS: readonly (readonly [says: string, sql: string])[] = [
  [
    'is sealed by no entry',
    `SELECT s.seq FROM sealed s WHERE s.stack_id = $1 AND NOT EXISTS (
       SELECT 1 FROM provenance_log l WHERE l.stack_id = $1 AND l.seq = s.seq)`,
  ],
  [
    'is erased and still there',
    `SELECT e.seq FROM erasures e JOIN sealed s ON s.stack_id = $1 AND s.seq = e.seq
     WHERE e.stack_id = $1`,
  ],
  [
    'an edge begins at no memory',
    `SELECT DISTINCT e.child FROM edges e WHERE e.stack_id = $1 AND NOT EXISTS (
       SELECT 1 FROM memories m WHERE m.stack_id = $1 AND m.seq = e.child)`,
  ],
  [
    'a parent is kept as absent that exists',
    `SELECT m.seq FROM absent a JOIN memories m ON m.stack_id = $1 AND m.ref = a.ref
     WHERE a.stack_id = $1`,
  ],
  [
    'a tally counts repeats of another entry',
    `SELECT t.entry_seq FROM tallies t
       LEFT JOIN provenance_log l ON l.stack_id = $1 AND l.seq = t.entry_seq
     WHERE t.stack_id = $1 AND t.entry_hash IS DISTINCT FROM l.entry_hash`,
  ],
  [
    'its meaning is kept, and it is not',
    `SELECT DISTINCT v.seq FROM vectors v
       LEFT JOIN memories m ON m.stack_id = $1 AND m.seq = v.seq
     WHERE v.stack_id = $1 AND (m.seq IS NULL OR m.erased IS NOT NULL)`,
  ],
  [
    'is found by words it does not say',
    `SELECT DISTINCT p.seq FROM postings p
       LEFT JOIN words w ON w.stack_id = $1 AND w.seq = p.seq
     WHERE p.stack_id = $1 AND (
       w.seq IS NULL OR w.length <> p.length
       OR p.times <> (SELECT count(*) FROM unnest(string_to_array(w.terms, ' ')) AS said (term)
                      WHERE said.term = p.term))`,
  ],
  [
    'is not found by a word it says',
    `SELECT DISTINCT w.seq FROM words w, unnest(string_to_array(w.terms, ' ')) AS said (term)
     WHERE w.stack_id = $1 AND w.terms <> '' AND NOT EXISTS (
       SELECT 1 FROM postings p
       WHERE p.stack_id = $1 AND p.term = said.term AND p.seq = w.seq)`,
  ],
  [
    'its words are known, and it is not',
    `SELECT w.seq FROM words w WHERE w.stack_id = $1 AND NOT EXISTS (
       SELECT 1 FROM memories m WHERE m.stack_id = $1 AND m.seq = w.seq)`,
  ],
]

const COUNTED = `
  SELECT 1 FROM stacks s, (
    SELECT count(*) AS many, coalesce(sum(w.length), 0) AS length FROM words w
    WHERE w.stack_id = $1) known
  WHERE s.stack_id = $1 AND (s.documents <> known.many OR s.lengths <> known.length)`

/** Damage of a stack outside the content of its rows. */
export async function contradictions(connection: Connection): Promise<readonly Damage[]> {
  const found: Damage[] = []
  for (const [says, sql] of CONTRADICTIONS) {
    const rows = await connection.rows(`${sql} ORDER BY 1 LIMIT ${PROBLEMS_MAX}`)
    found.push(...rows.map(([seq]) => ({ seq: Number(seq), says })))
  }
  if ((await connection.row(COUNTED)) !== undefined) {
    found.push({ seq: null, says: 'search counts other memories than it knows' })
  }
  for (const seq of (await misfiled(connection)).slice(0, PROBLEMS_MAX)) {
    found.push({ seq, says: 'its ref is not the one in its bytes' })
  }
  return found
}

const GUARDS: readonly (readonly [table: string, trigger: string])[] = [
  ['provenance_log', 'log_grows_at_its_end'],
  ['provenance_log', 'log_takes_no_change'],
  ['provenance_log', 'log_takes_no_truncate'],
  ['sealed', 'sealed_is_written_once'],
  ['sealed', 'sealed_takes_no_update'],
  ['sealed', 'sealed_is_deleted_by_erasure'],
  ['sealed', 'sealed_takes_no_truncate'],
  ['erasures', 'erasures_take_no_change'],
  ['erasures', 'erasures_take_no_truncate'],
]

const MISSING_GUARDS = `
  SELECT g.trigger FROM unnest($2::text[], $3::text[]) AS g ("table", trigger)
  WHERE NOT EXISTS (
    SELECT 1 FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = g."table" AND t.tgname = g.trigger AND t.tgenabled = 'O')`

const OPEN_TABLES = `
  SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = ANY ($2::text[])
    AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`

const BYPASSING = 'SELECT 1 FROM pg_roles WHERE rolname = $1 AND (rolsuper OR rolbypassrls)'

/** Missing guards, tables that show every stack, and a role without restrictions. */
export async function openings(
  client: PgClient,
  { schema, role }: { readonly schema: string; readonly role: string },
): Promise<readonly Damage[]> {
  const lists = [0, 1].map((at) => listOf(GUARDS.map((guard) => guard[at] ?? '')))
  const missing = await client.query(MISSING_GUARDS, [schema, ...lists])
  const open = await client.query(OPEN_TABLES, [schema, listOf(TABLES)])
  const bypassing = await client.query(BYPASSING, [role])
  return [
    ...missing.map(([name]) => ({ seq: null, says: `the guard ${name} is gone` })),
    ...open.map(([name]) => ({ seq: null, says: `${name} is not secured by stack` })),
    ...bypassing.map(() => ({ seq: null, says: `the role ${role} steps over row-level security` })),
  ]
}
