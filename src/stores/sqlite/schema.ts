import { BY_PERSON, GONE } from '../sql/dialect.ts'
import { COUNTED_TIERS } from '../sql/memory-rows.ts'
import { DELETE_WORDS_SECURELY, WORDS } from './word-index.ts'

/** 'Muni' in ASCII: `file` and other programs recognise a stack by this number. */
export const APPLICATION_ID = 0x4d756e69

/**
 * Hashes are BLOBs of 32 bytes: compared with hex text the file is a tenth smaller and writing an
 * eighth faster. Times are text in the order of time. Entries and sealed rows are kept as the
 * hashed bytes.
 */
const TABLES = `
CREATE TABLE provenance_log (
  seq INTEGER PRIMARY KEY CHECK (seq >= 0),
  bytes BLOB NOT NULL,
  entry_hash BLOB NOT NULL,
  prev_hash BLOB NOT NULL,
  ref TEXT
) STRICT;
CREATE INDEX log_by_ref ON provenance_log (ref, seq) WHERE ref IS NOT NULL;

-- for people who look into the file: made from the bytes, so that it cannot disagree with them
CREATE VIEW entries AS
  SELECT seq, entry ->> '$.time' AS time, entry ->> '$.op' AS op, ref, entry
  FROM (SELECT seq, ref, CAST(bytes AS TEXT) AS entry FROM provenance_log);

CREATE TABLE sealed (
  seq INTEGER PRIMARY KEY REFERENCES provenance_log (seq),
  ref TEXT NOT NULL,
  salt BLOB NOT NULL,
  bytes BLOB NOT NULL
) STRICT;

-- sealed rows that may be deleted, and the entry that says so
CREATE TABLE erasures (
  seq INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL REFERENCES provenance_log (seq) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE memories (
  seq INTEGER PRIMARY KEY,
  ref TEXT NOT NULL,
  kind TEXT NOT NULL,
  unit INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  revision_seq INTEGER NOT NULL,
  entry_hash BLOB NOT NULL,
  born_at TEXT NOT NULL,
  label TEXT NOT NULL,
  source_type TEXT NOT NULL,
  source_id TEXT NOT NULL,
  door TEXT NOT NULL,
  document TEXT,
  session TEXT,
  captured INTEGER NOT NULL,
  content_hash BLOB NOT NULL,
  identity BLOB NOT NULL,
  line BLOB,
  disposition TEXT NOT NULL,
  tier INTEGER NOT NULL,
  depth_nearest INTEGER,
  depth_farthest INTEGER,
  confidence REAL NOT NULL,
  confidence_at TEXT NOT NULL,
  strength REAL NOT NULL,
  strength_at TEXT NOT NULL,
  is_protected INTEGER NOT NULL,
  restated_at TEXT,
  subtype TEXT,
  status TEXT,
  name TEXT,
  context TEXT,
  context_tags TEXT,
  tags TEXT,
  weight REAL NOT NULL,
  accesses INTEGER NOT NULL,
  accessed_at TEXT,
  verifications INTEGER NOT NULL,
  verified_at TEXT,
  reinforcements INTEGER NOT NULL,
  marks TEXT,
  review TEXT
) STRICT;
CREATE UNIQUE INDEX memories_by_ref ON memories (ref);
CREATE INDEX memories_by_kind ON memories (kind, seq);
CREATE INDEX memories_by_identity ON memories (identity);
CREATE INDEX memories_by_line ON memories (line) WHERE line IS NOT NULL;
CREATE INDEX memories_by_name ON memories (kind, name, seq) WHERE name IS NOT NULL;
CREATE INDEX memories_by_weight ON memories (kind, weight DESC, seq DESC) WHERE weight > 0;
CREATE INDEX memories_by_review ON memories (review, seq) WHERE review IS NOT NULL;

${WORDS};

-- the only place where parents are kept, so that no second one can disagree
CREATE TABLE edges (
  child INTEGER NOT NULL,
  position INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  PRIMARY KEY (child, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX edges_by_parent ON edges (parent, child);

-- parents that do not exist, which a migration may name; their keys are below zero
CREATE TABLE absent (
  key INTEGER PRIMARY KEY CHECK (key < 0),
  ref TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE actor_keys (
  place INTEGER PRIMARY KEY,
  actor TEXT NOT NULL UNIQUE,
  key TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;

CREATE TABLE tallies (
  place INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  rule TEXT NOT NULL,
  about TEXT,
  actor TEXT,
  door TEXT,
  pseudonym BLOB,
  entry_seq INTEGER NOT NULL,
  entry_hash BLOB NOT NULL,
  count INTEGER NOT NULL,
  first_at TEXT,
  last_at TEXT
) STRICT;
CREATE INDEX tallies_by_about ON tallies (about) WHERE about IS NOT NULL;
CREATE INDEX tallies_by_actor ON tallies (actor) WHERE actor IS NOT NULL;
CREATE INDEX tallies_by_first ON tallies (first_at) WHERE first_at IS NOT NULL;

CREATE TABLE bursts (
  identity BLOB NOT NULL,
  actor TEXT NOT NULL,
  times TEXT NOT NULL,
  quarantined TEXT,
  PRIMARY KEY (identity, actor)
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstones (
  mark BLOB PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- where each policy stands in the log, which alone holds its words
CREATE TABLE policies (
  hash BLOB PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tip (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  stack TEXT NOT NULL,
  seq INTEGER NOT NULL,
  hash BLOB NOT NULL,
  rev INTEGER NOT NULL,
  time TEXT,
  tree TEXT NOT NULL
) STRICT;

CREATE TABLE stack_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  uid TEXT,
  replica TEXT,
  state TEXT NOT NULL,
  policy_hash BLOB,
  enforcing INTEGER NOT NULL,
  tombstones INTEGER NOT NULL
) STRICT;
`

/**
 * Entries are only ever added (LEDGER-APPEND). The triggers before INSERT are there because
 * INSERT OR REPLACE deletes without asking the triggers before DELETE.
 */
const GUARDS = `
CREATE TRIGGER log_grows_at_its_end BEFORE INSERT ON provenance_log
WHEN NEW.seq <> (SELECT coalesce(max(seq), -1) + 1 FROM provenance_log)
BEGIN SELECT RAISE(ABORT, 'an entry is added after the last one'); END;
CREATE TRIGGER log_takes_no_update BEFORE UPDATE ON provenance_log
BEGIN SELECT RAISE(ABORT, 'an entry is never changed'); END;
CREATE TRIGGER log_takes_no_delete BEFORE DELETE ON provenance_log
BEGIN SELECT RAISE(ABORT, 'an entry is never deleted'); END;

CREATE TRIGGER sealed_takes_no_replace BEFORE INSERT ON sealed
WHEN EXISTS (SELECT 1 FROM sealed WHERE seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM erasures WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'a sealed row is written once'); END;
CREATE TRIGGER sealed_takes_no_update BEFORE UPDATE ON sealed
BEGIN SELECT RAISE(ABORT, 'a sealed row is never changed'); END;
CREATE TRIGGER sealed_is_deleted_by_erasure BEFORE DELETE ON sealed
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'a sealed row is deleted only by an erasure'); END;

CREATE TRIGGER erasures_take_no_replace BEFORE INSERT ON erasures
WHEN EXISTS (SELECT 1 FROM erasures WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'an erasure is written once'); END;
CREATE TRIGGER erasures_take_no_update BEFORE UPDATE ON erasures
BEGIN SELECT RAISE(ABORT, 'an erasure is never changed'); END;
CREATE TRIGGER erasures_take_no_delete BEFORE DELETE ON erasures
BEGIN SELECT RAISE(ABORT, 'an erasure is never deleted'); END;
`

/** Memories of a session, newest first, without a scan of all later memories. */
const BY_SESSION = `
CREATE INDEX memories_by_session ON memories (session, kind, seq) WHERE session IS NOT NULL;
`

/** Memories without grounds are found from erased and forgotten sources, which are few. */
const BY_GOING = `
CREATE INDEX memories_gone ON memories (seq) WHERE
  (strength = 0 OR disposition IN ('Quarantined', 'Rejected', 'Invalidated'));
`

/** Session data of earlier versions. */
const FLOORS = `
CREATE TABLE floors (
  session TEXT NOT NULL,
  turn TEXT NOT NULL,
  tier INTEGER NOT NULL,
  ref TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (session, turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX floors_by_time ON floors (at);
`

/**
 * Claims that may still answer for their timeline, by their end; NULL after giving way. Generated
 * from the row, so the column cannot disagree. A new claim is compared only with claims it may
 * contradict.
 */
const STANDING_CLAIMS = `
ALTER TABLE memories ADD COLUMN standing_until TEXT AS (
  CASE
    WHEN line IS NULL THEN NULL
    WHEN marks IS NULL OR NOT json_valid(marks) THEN '~'
    WHEN disposition = 'Superseded' AND marks ->> '$.claim.overruledBy' IS NOT NULL
      AND marks ->> '$.claim.word' IS NOT 'denied' THEN NULL
    ELSE min(
      CASE WHEN marks ->> '$.claim.sure' >= 1
        THEN coalesce(marks ->> '$.claim.span.until', '~') ELSE '~' END,
      coalesce(marks ->> '$.claim.endedAt', '~'))
  END
) VIRTUAL;
CREATE INDEX memories_standing ON memories (line, standing_until)
  WHERE standing_until IS NOT NULL;
`

/**
 * A row of `memories` with erased content names the erasing entry. `scrubs` are erasure entries
 * whose deleted bytes may still lie in the file, its log or its side files.
 */
const ERASURE = `
ALTER TABLE memories ADD COLUMN erased TEXT;
CREATE TABLE scrubs (entry INTEGER PRIMARY KEY) STRICT;
`

/**
 * Embeddings of memories for each embedder in use; built on search, never trusted further. `upto`
 * is the last entry included in the vectors of a model.
 */
const VECTORS = `
CREATE TABLE vector_models (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  dimension INTEGER NOT NULL,
  upto INTEGER NOT NULL,
  UNIQUE (id, dimension)
) STRICT;
CREATE TABLE vectors (
  model INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  revision_seq INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (model, seq)
) STRICT, WITHOUT ROWID;
`

/** The terms of all memories in the order of their bytes: a view of the index, which alone keeps them. */
const VOCABULARY = "CREATE VIRTUAL TABLE vocabulary USING fts5vocab ('words', 'row');"

/**
 * Origins of memories, so that distrusted memories are found without a scan; and the index of gone
 * sources rebuilt, since a distrusted source is no ground either.
 */
const DISTRUST = `
ALTER TABLE stack_state ADD COLUMN distrusted TEXT NOT NULL DEFAULT '[]';
CREATE INDEX memories_by_origin ON memories (door, source_id);
DROP INDEX memories_gone;
CREATE INDEX memories_gone ON memories (seq) WHERE ${GONE('')};
`

/**
 * Counters under a plain digest are deleted: guessing words against the digests would reveal
 * content.
 */
const KEYED_REPEATS = 'DELETE FROM bursts;'

/** Memories that wait for processing, and memories with tags, without a scan of the rest. */
const BY_WAITING = `
CREATE INDEX memories_untouched ON memories (kind, seq) WHERE captured = 0 AND status IS NULL;
CREATE INDEX memories_tagged ON memories (kind, seq) WHERE tags IS NOT NULL;
`

/**
 * Hash keys lie anywhere in their index, so each key costs every write a page as the stack grows. A
 * claim is in a single index of its timeline, standing or not. Captures are found through their
 * memory, never by their words.
 */
const FEWER_KEYS = `
DROP INDEX memories_by_line;
DROP INDEX memories_standing;
CREATE INDEX memories_standing ON memories (line, seq, standing_until)
  WHERE standing_until IS NOT NULL;
CREATE INDEX memories_gave_way ON memories (line, seq)
  WHERE line IS NOT NULL AND standing_until IS NULL;
DROP INDEX memories_by_identity;
CREATE INDEX memories_by_identity ON memories (identity) WHERE NOT (captured = 1 AND kind = 'raw');
`

/** The index itself holds the tags, because most memories carry other tags. */
const BY_TAG = `
DROP INDEX memories_tagged;
CREATE INDEX memories_tagged ON memories (kind, seq, tags) WHERE tags IS NOT NULL;
`

/** Memories written for their own sake, and the number of erased memories, without a scan. */
const BY_OWN = `
CREATE INDEX memories_own ON memories (kind, seq) WHERE captured = 0;
CREATE INDEX memories_erased ON memories (kind, seq) WHERE erased IS NOT NULL;
`

/**
 * A claim equal to a timeline's opener is on the timeline of the opener, where the oldest is found
 * at once, and needs no key. Most timelines hold a single claim, whose key would lie anywhere too.
 */
const OPENERS = `
ALTER TABLE memories ADD COLUMN opens INTEGER NOT NULL DEFAULT 0;
DROP INDEX memories_by_identity;
CREATE INDEX memories_by_identity ON memories (identity)
  WHERE NOT (captured = 1 AND kind = 'raw') AND opens = 0;
`

/** Prompts of a session, newest first, without a scan of tool results in between. */
const PROMPTS = `
CREATE INDEX memories_by_person ON memories (session, kind, seq)
  WHERE session IS NOT NULL AND ${BY_PERSON('')};
`

/** Entries that corrected the clock: a past time is looked up between two corrections. */
const CORRECTIONS = "ALTER TABLE stack_state ADD COLUMN corrections TEXT NOT NULL DEFAULT '[]';"

/** A link is a ref by itself; folded rewordings and their place in review are no more. */
const LINKS = `
UPDATE memories SET review = NULL WHERE review = 'echo';
UPDATE memories SET marks = json_remove(
    CASE WHEN marks ->> '$.echo.of' IS NULL THEN marks
      ELSE json_set(marks, '$.rewordingOf', marks ->> '$.echo.of') END,
    '$.echo', '$.claim.phrasingOf')
  WHERE marks LIKE '%"echo":%' OR marks LIKE '%"phrasingOf":%';
`

/** An index that may hold words of earlier revisions is merged with its first erasure instead. */
const WORDS_SECURELY = `${DELETE_WORDS_SECURELY}
  WHERE NOT EXISTS (SELECT 1 FROM provenance_log);`

/** Step n makes version n + 1 out of version n. Steps are added at the end and never changed. */
export const MIGRATIONS: readonly string[] = [
  TABLES + GUARDS,
  BY_SESSION,
  BY_GOING,
  FLOORS,
  STANDING_CLAIMS,
  ERASURE,
  VECTORS,
  VOCABULARY,
  KEYED_REPEATS,
  DISTRUST,
  BY_WAITING,
  FEWER_KEYS,
  BY_TAG,
  BY_OWN,
  OPENERS,
  PROMPTS,
  CORRECTIONS,
  LINKS,
  COUNTED_TIERS,
  'DROP TABLE IF EXISTS floors;', // session data limits no write
  WORDS_SECURELY,
  'ALTER TABLE stack_state ADD COLUMN received INTEGER NOT NULL DEFAULT 0;',
]
