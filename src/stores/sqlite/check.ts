import type { RecordKind } from '../../domain/ids.ts'
import { searchTerms } from '../../domain/kinds/content.ts'
import { readJson } from '../../ledger/canonical.ts'
import type { Untrusted } from '../sql/entry-rows.ts'
import type { Connection, SqlDatabase } from './connection.ts'
import { MISFILED, member } from './read.ts'

const STRAYS = `
  SELECT w.rowid FROM words w WHERE w.rowid NOT IN (SELECT seq FROM memories) ORDER BY 1 LIMIT +?`

const SAID = `
  SELECT m.seq, m.kind, m.captured, CAST(s.bytes AS TEXT), w.terms
  FROM memories m JOIN sealed s ON s.seq = m.revision_seq LEFT JOIN words w ON w.rowid = m.seq`

/**
 * Memories whose search terms differ from their text. The terms are a copy, and no audit checks
 * them.
 */
export function wordsDiffering(db: SqlDatabase, max: number): readonly number[] {
  const found = db
    .prepare(STRAYS)
    .all(max)
    .map(([seq]) => Number(seq))
  for (const [seq, kind, captured, sealed, terms] of db.prepare(SAID).iterate()) {
    const said = termsIn(kind as Untrusted<RecordKind>, String(sealed), captured === 1)
    if (said !== undefined && said !== terms) found.push(Number(seq))
    if (found.length >= max) break
  }
  return found
}

/** The terms to expect in the index; undefined for unreadable content, which the audit reports. */
function termsIn(kind: RecordKind, sealed: string, captured: boolean): string | null | undefined {
  try {
    const { body } = readJson(sealed) as { readonly body: object } // written by the gate
    return searchTerms(kind, body, captured)
  } catch {
    return undefined
  }
}

/** A contradiction inside the file; `seq` is the entry concerned. */
export interface Damage {
  readonly seq: number | null
  readonly says: string
}

const PROBLEMS_MAX = 100 // of each kind: SQLite's own default, and one is enough to know

/** The marks listed by an erasure or a lifting; none when the entry is unreadable. */
const marks = (of: string): string =>
  `CASE WHEN json_valid(${of}.entry) THEN coalesce(${of}.entry -> '$.decision.facts.tombstones', '[]') ELSE '[]' END`

/** No later entry let the words of a mark back in. */
const isNotLifted = (mark: string): string => `NOT EXISTS (
       SELECT 1 FROM entries u JOIN json_each(${marks('u')}) k
       WHERE instr(u.entry, '"op":"tombstone.lifted"') > 0 AND u.seq > e.seq AND k.value = ${mark})`

/**
 * Index copies against their originals. The audit folds the ledger and compares memories, so it
 * does not see these copies.
 */
const CONTRADICTIONS: readonly (readonly [says: string, sql: string])[] = [
  ['its ref is not the one in its bytes', MISFILED],
  [
    'the head has another time',
    `SELECT t.seq FROM tip t JOIN entries e ON e.seq = t.seq WHERE t.time IS NOT (${member('time')})`,
  ],
  [
    'an edge begins at no memory',
    'SELECT DISTINCT child FROM edges WHERE child NOT IN (SELECT seq FROM memories)',
  ],
  [
    'its edges are not numbered from the first on',
    'SELECT child FROM edges GROUP BY child HAVING min(position) <> 0 OR max(position) <> count(*) - 1',
  ],
  [
    'a parent is kept as absent that exists',
    'SELECT m.seq FROM absent a JOIN memories m ON m.ref = a.ref',
  ],
  [
    'a tally counts repeats of another entry',
    `SELECT t.entry_seq FROM tallies t LEFT JOIN provenance_log l ON l.seq = t.entry_seq
     WHERE t.entry_hash IS NOT l.entry_hash`,
  ],
  [
    'a tombstone stands for what it does not say',
    `SELECT t.seq FROM tombstones t LEFT JOIN entries e ON e.seq = t.seq
     WHERE lower(hex(t.mark)) IS NOT (${member('decision.facts.tombstone')})
       AND NOT EXISTS (SELECT 1 FROM json_each(${marks('e')}) j
                       WHERE e.op IN ('memory.erased', 'tombstone.kept') AND j.value = lower(hex(t.mark)))`,
  ],
  [
    'its tombstone is gone',
    `SELECT e.seq FROM entries e
     WHERE instr(e.entry, '"op":"quarantine.rejected"') > 0 AND NOT EXISTS (
       SELECT 1 FROM tombstones t WHERE t.mark = unhex(${member('decision.facts.tombstone')}))
       AND ${isNotLifted(member('decision.facts.tombstone'))}`,
  ],
  [
    'a tombstone of what it kept out is gone',
    `SELECT DISTINCT e.seq FROM entries e JOIN json_each(${marks('e')}) j
     WHERE (instr(e.entry, '"op":"memory.erased"') > 0 OR instr(e.entry, '"op":"tombstone.kept"') > 0)
       AND NOT EXISTS (
       SELECT 1 FROM tombstones t WHERE t.mark = unhex(j.value)) AND ${isNotLifted('j.value')}`,
  ],
  [
    'content is said to be erased by what erased something else',
    `SELECT x.seq FROM erasures x LEFT JOIN entries e ON e.seq = x.entry
       LEFT JOIN provenance_log l ON l.seq = x.seq
       LEFT JOIN entries t ON t.seq = x.seq
     WHERE x.entry <= x.seq OR NOT (
       (e.op IS 'memory.erased' AND e.ref IS l.ref)
       OR (e.op IS 'actor.erased' AND json_valid(t.entry)
           AND t.entry ->> '$.actor' IS (${member('decision.facts.of')})))`,
  ],
  [
    'a policy is looked for where it is not',
    `SELECT p.seq FROM policies p LEFT JOIN entries e ON e.seq = p.seq
     WHERE lower(hex(p.hash)) IS NOT (${member('decision.facts.hash')})`,
  ],
  [
    'its policy is not found by its hash',
    `SELECT e.seq FROM entries e WHERE instr(e.entry, '"op":"policy"') > 0
       AND NOT EXISTS (SELECT 1 FROM policies p WHERE p.hash = unhex(${member('decision.facts.hash')}))`,
  ],
  [
    'is said to have opened its line, and did not',
    `SELECT m.seq FROM memories m WHERE m.opens <> 0 AND (m.line IS NULL OR m.kind <> 'claim'
       OR EXISTS (SELECT 1 FROM memories o
                  WHERE o.line = m.line AND o.standing_until IS NOT NULL AND o.seq < m.seq)
       OR EXISTS (SELECT 1 FROM memories o
                  WHERE o.line = m.line AND o.standing_until IS NULL AND o.seq < m.seq))`,
  ],
  [
    'its meaning is kept, and it is not',
    `SELECT DISTINCT v.seq FROM vectors v LEFT JOIN memories m ON m.seq = v.seq
     WHERE m.seq IS NULL OR m.erased IS NOT NULL`,
  ],
  ['is erased and still there', 'SELECT seq FROM erasures WHERE seq IN (SELECT seq FROM sealed)'],
]

/** Damage in pages, indexes, guards and copies; the audit checks the content of rows. */
export function check({ db }: Connection, asMade: SqlDatabase): readonly Damage[] {
  const pages = db.prepare(`PRAGMA integrity_check(${PROBLEMS_MAX})`).all()
  const strays = db.prepare('PRAGMA foreign_key_check').all()
  return [
    ...pages.filter(([says]) => says !== 'ok').map(([says]) => damage(null, String(says))),
    ...strays.map(([table, row, to]) => damage(Number(row), `a row of ${table} lacks its ${to}`)),
    ...partsDiffering(db, asMade),
    ...CONTRADICTIONS.flatMap(([says, sql]) => {
      const rows = db.prepare(`${sql} ORDER BY 1 LIMIT ${PROBLEMS_MAX}`).all()
      return rows.map(([seq]) => damage(Number(seq), says))
    }),
    ...wordsDiffering(db, PROBLEMS_MAX).map((seq) => damage(seq, 'is not found by what it says')),
  ]
}

const damage = (seq: number | null, says: string): Damage => ({ seq, says })

const PARTS = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'"

/** Tables, indexes and guards that are missing, altered or foreign. */
function partsDiffering(db: SqlDatabase, asMade: SqlDatabase): readonly Damage[] {
  const there = new Map(
    db
      .prepare(PARTS)
      .all()
      .map(([name, sql]) => [name, sql]),
  )
  const made = new Map(
    asMade
      .prepare(PARTS)
      .all()
      .map(([name, sql]) => [name, sql]),
  )
  const differing = [...made].filter(([name = null, sql]) => there.get(name) !== sql)
  // A foreign trigger could change rows outside any commit.
  const added = [...there.keys()].filter((name) => !made.has(name))
  return [
    ...differing.map(([name]) => damage(null, `${name} is not as it was made`)),
    ...added.map((name) => damage(null, `${name} is none of this program's making`)),
  ]
}
