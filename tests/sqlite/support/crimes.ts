import type { AuditCode } from '../../../src/engine/audit/codes.ts'
import { MEMORY_COLUMNS } from '../../../src/stores/sql/memory-rows.ts'

/** What was done to the file, what the audit calls it, and the entry it names first. */
export type Crime = readonly [what: string, sql: string, code: AuditCode, seq: number]

const SWAP = (table: string, a: number, b: number): string => `
  UPDATE ${table} SET seq = 999999 WHERE seq = ${a};
  UPDATE ${table} SET seq = ${a} WHERE seq = ${b};
  UPDATE ${table} SET seq = ${b} WHERE seq = 999999;`

export const NOISE = "x'00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'"
const COPY = 'INSERT INTO provenance_log SELECT'

/** The last entry of the history that the crimes are done to. */
export const HEAD = 13

export const LOG: readonly Crime[] = [
  ['the first entry deleted', 'DELETE FROM provenance_log WHERE seq = 0', 'entry.missing', 0],
  ['one deleted', 'DELETE FROM provenance_log WHERE seq = 7', 'entry.missing', 7],
  ['all after one deleted', 'DELETE FROM provenance_log WHERE seq > 9', 'entry.missing', 10],
  [
    'one byte edited',
    'UPDATE provenance_log SET bytes = CAST(replace(CAST(bytes AS TEXT), \'"tier":2\', \'"tier":3\') AS BLOB) WHERE seq = 5',
    'entry.hash',
    5,
  ],
  [
    'bytes made unreadable',
    `UPDATE provenance_log SET bytes = ${NOISE} WHERE seq = 5`,
    'entry.unreadable',
    5,
  ],
  [
    'its hash edited',
    `UPDATE provenance_log SET entry_hash = ${NOISE} WHERE seq = 5`,
    'entry.hash',
    5,
  ],
  [
    'its link edited',
    `UPDATE provenance_log SET prev_hash = ${NOISE} WHERE seq = 5`,
    'entry.chain',
    5,
  ],
  ['two swapped', SWAP('provenance_log', 5, 8), 'entry.chain', 5],
  [
    'one put in between',
    `UPDATE provenance_log SET seq = seq + 1000 WHERE seq >= 6;
     UPDATE provenance_log SET seq = seq - 999 WHERE seq >= 1000;
     ${COPY} 6, bytes, entry_hash, prev_hash, ref FROM provenance_log WHERE seq = 5`,
    'entry.chain',
    6,
  ],
  [
    'one put in the place of another',
    'REPLACE INTO provenance_log SELECT 8, bytes, entry_hash, prev_hash, ref FROM provenance_log WHERE seq = 5',
    'entry.chain',
    8,
  ],
  [
    'one put behind the last',
    `${COPY} ${HEAD + 1}, bytes, entry_hash, prev_hash, ref FROM provenance_log WHERE seq = 5`,
    'entry.stray',
    HEAD + 1,
  ],
]

/** A byte moved to the neighbour: what is read joined must not be looked at joined. */
const MOVED = (column: string): string => `
  UPDATE provenance_log SET ${column} =
    CAST(${column} || (SELECT substr(n.${column}, 1, 1) FROM provenance_log n WHERE n.seq = 6) AS BLOB)
    WHERE seq = 5;
  UPDATE provenance_log SET ${column} = substr(${column}, 2) WHERE seq = 6;`

export const JOINTS: readonly Crime[] = [
  ['bytes of two entries', MOVED('bytes'), 'entry.hash', 5],
  ['hashes of two entries', MOVED('entry_hash'), 'entry.hash', 5],
  ['links of two entries', MOVED('prev_hash'), 'entry.chain', 5],
]

export const SEALED: readonly Crime[] = [
  ['one deleted', 'DELETE FROM sealed WHERE seq = 5', 'sealed.missing', 5],
  ['all deleted', 'DELETE FROM sealed', 'sealed.missing', 3],
  [
    'its words edited',
    "UPDATE sealed SET bytes = CAST(replace(CAST(bytes AS TEXT), 'lock', 'free') AS BLOB) WHERE seq = 5",
    'commitment.mismatch',
    5,
  ],
  ['its salt edited', `UPDATE sealed SET salt = ${NOISE} WHERE seq = 5`, 'commitment.mismatch', 5],
  [
    'a byte of its salt given to its words',
    'UPDATE sealed SET salt = substr(salt, 1, 31), bytes = CAST(substr(salt, 32) || bytes AS BLOB) WHERE seq = 5',
    'commitment.mismatch',
    5,
  ],
  ['two swapped', SWAP('sealed', 5, 7), 'commitment.mismatch', 5],
  [
    'said to be erased and still there',
    'INSERT INTO erasures (seq, entry) VALUES (5, 11)',
    'sealed.stray',
    5,
  ],
  ['kept under another name', "UPDATE sealed SET ref = 'raw:x' WHERE seq = 5", 'sealed.ref', 5],
  [
    'one put behind the last',
    `INSERT INTO sealed SELECT ${HEAD + 1}, ref, salt, bytes FROM sealed WHERE seq = 5`,
    'sealed.stray',
    HEAD + 1,
  ],
  ['one added', "INSERT INTO sealed VALUES (1, 'raw:x', x'00', x'00')", 'sealed.stray', 1],
]

export const ROWS: readonly Crime[] = [
  ['a memory deleted', 'DELETE FROM memories WHERE seq = 5', 'row.missing', 5],
  ['all memories deleted', 'DELETE FROM memories', 'row.missing', 3],
  ['a memory moved', 'UPDATE memories SET seq = 1 WHERE seq = 5', 'row.mismatch', 1],
  ['two memories swapped', SWAP('memories', 5, 7), 'row.mismatch', 5],
  [
    'a memory made up',
    `CREATE TEMP TABLE copy AS SELECT ${MEMORY_COLUMNS} FROM memories WHERE seq = 5;
     UPDATE copy SET seq = 99, ref = 'note:01980000-0000-7000-8000-000000000099';
     INSERT INTO memories (${MEMORY_COLUMNS}) SELECT * FROM copy`,
    'row.stray',
    99,
  ],
  ['an edge deleted', 'DELETE FROM edges WHERE child = 5', 'row.mismatch', 5],
  ['an edge bent', 'UPDATE edges SET parent = 3 WHERE child = 7', 'row.mismatch', 7],
  ['an edge to nowhere', 'UPDATE edges SET parent = 4711 WHERE child = 7', 'row.mismatch', 7],
  ['an edge added', 'INSERT INTO edges VALUES (5, 1, 3)', 'row.mismatch', 5],
  [
    'edges in another order',
    `UPDATE edges SET position = 9 WHERE child = 11 AND position = 0;
     UPDATE edges SET position = 0 WHERE child = 11 AND position = 1`,
    'row.mismatch',
    11,
  ],
  [
    'an actor given another key',
    "UPDATE actor_keys SET key = replace(key, 'a', 'b')",
    'actor.mismatch',
    3,
  ],
  ['an actor given what is no key', "UPDATE actor_keys SET key = 'x'", 'actor.mismatch', 2],
]

export const STANDING: readonly Crime[] = [
  ['the head set back', 'UPDATE tip SET seq = seq - 1', 'head.mismatch', HEAD - 1],
  ['the head set ahead', 'UPDATE tip SET seq = seq + 1', 'entry.missing', HEAD + 1],
  ['another hash for a head', `UPDATE tip SET hash = ${NOISE}`, 'head.mismatch', HEAD],
  ['another tree', "UPDATE tip SET tree = replace(tree, 'a', 'b')", 'root.mismatch', HEAD],
  ['another state', "UPDATE stack_state SET state = 'MAINTENANCE'", 'state.mismatch', HEAD],
  ['enforcement switched off', 'UPDATE stack_state SET enforcing = 0', 'state.mismatch', HEAD],
  ['another policy', `UPDATE stack_state SET policy_hash = ${NOISE}`, 'state.mismatch', HEAD],
  ['another name', "UPDATE stack_state SET uid = 'x', replica = 'y'", 'state.mismatch', HEAD],
  ['no state at all', 'DELETE FROM stack_state', 'state.mismatch', HEAD],
  ['no head at all', 'DELETE FROM tip', 'entry.stray', 0],
]

/** Deeds that change no answer of the audit, and the entry that the check names. */
export const HIDDEN: readonly (readonly [what: string, sql: string, seq: number | null])[] = [
  ['an entry listed under no memory', 'UPDATE provenance_log SET ref = NULL WHERE seq = 5', 5],
  ['an entry listed under another', "UPDATE provenance_log SET ref = 'raw:x' WHERE seq = 5", 5],
  ['a later head', "UPDATE tip SET time = '2030-01-01T00:00:00.000Z'", HEAD],
  ['a tally of something else', 'UPDATE tallies SET entry_seq = 3', 3],
  ['a note said to have opened a line', 'UPDATE memories SET opens = 1 WHERE seq = 5', 5],
  ['an edge from nowhere', 'INSERT INTO edges VALUES (4711, 0, 3)', 4711],
  ['words kept out that nobody rejected', `INSERT INTO tombstones VALUES (${NOISE}, 3)`, 3],
  ['a policy pointed at elsewhere', 'UPDATE policies SET seq = 5', 5],
  ['an erasure of what is there', 'INSERT INTO erasures VALUES (5, 5)', 5],
  ['a policy pointed at by nothing', 'DELETE FROM policies', 1],
  ['an edge counted from elsewhere', 'UPDATE edges SET position = position + 1 WHERE child = 5', 5],
  ['words that search finds it by exchanged', "UPDATE words SET terms = 'x' WHERE rowid = 5", 5],
  ['words that search finds it by gone', 'DELETE FROM words WHERE rowid = 5', 5],
  ['an index gone', 'DROP INDEX memories_by_identity', null],
  [
    'a trigger added that lets nothing be counted',
    'CREATE TRIGGER mine AFTER INSERT ON bursts BEGIN DELETE FROM bursts; END',
    null,
  ],
]
