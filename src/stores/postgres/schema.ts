import { BY_PERSON, GONE } from '../sql/dialect.ts'
import { COUNTED_TIERS } from '../sql/memory-rows.ts'
import { GUARDS, grantsTo, LISTED, SECURED } from './guards.ts'

/** Options for creating a database; they never change an answer. */
export interface SchemaOptions {
  readonly schema: string
  /** The role for work with stacks: owns nothing and cannot bypass row-level security. */
  readonly role: string
  /**
   * The number of partitions of growing tables by stack; 0 leaves tables whole, for other ways of
   * sharding.
   */
  readonly partitions: number
}

/** Tables that grow with the number of memories. */
const GROWING: Readonly<Record<string, string>> = {
  // entries and sealed rows are kept as the hashed bytes
  provenance_log: `
    seq bigint NOT NULL CHECK (seq >= 0),
    bytes bytea NOT NULL,
    entry_hash bytea NOT NULL,
    prev_hash bytea NOT NULL,
    ref text,
    PRIMARY KEY (stack_id, seq)`,
  sealed: `
    seq bigint NOT NULL,
    ref text NOT NULL,
    salt bytea NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (stack_id, seq)`,
  memories: `
    seq bigint NOT NULL,
    ref text NOT NULL,
    kind text NOT NULL,
    unit bigint NOT NULL,
    revision bigint NOT NULL,
    revision_seq bigint NOT NULL,
    entry_hash bytea NOT NULL,
    born_at text NOT NULL,
    label text NOT NULL,
    source_type text NOT NULL,
    source_id text NOT NULL,
    door text NOT NULL,
    document text,
    session text,
    captured smallint NOT NULL,
    content_hash bytea NOT NULL,
    identity bytea NOT NULL,
    line bytea,
    disposition text NOT NULL,
    tier smallint NOT NULL,
    depth_nearest bigint,
    depth_farthest bigint,
    confidence double precision NOT NULL,
    confidence_at text NOT NULL,
    strength double precision NOT NULL,
    strength_at text NOT NULL,
    is_protected smallint NOT NULL,
    restated_at text,
    subtype text,
    status text,
    name text,
    context text,
    context_tags text,
    tags text,
    weight double precision NOT NULL,
    accesses bigint NOT NULL,
    accessed_at text,
    verifications bigint NOT NULL,
    verified_at text,
    reinforcements bigint NOT NULL,
    marks text,
    review text,
    erased text,
    session_key uuid,
    name_key uuid,
    source_key uuid NOT NULL,
    standing_until text COLLATE "C",
    PRIMARY KEY (stack_id, seq)`,
  // the only store of parents, so that no copy can disagree
  edges: `
    child bigint NOT NULL,
    position integer NOT NULL,
    parent bigint NOT NULL,
    PRIMARY KEY (stack_id, child, position)`,
  // terms from the engine, so that every store finds equal terms
  words: `
    seq bigint NOT NULL,
    length integer NOT NULL,
    terms text NOT NULL,
    PRIMARY KEY (stack_id, seq)`,
  postings: `
    term text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    times integer NOT NULL,
    length integer NOT NULL,
    PRIMARY KEY (stack_id, term, seq) INCLUDE (times, length)`,
  bursts: `
    identity bytea NOT NULL,
    actor_key uuid NOT NULL,
    actor text COLLATE "C" NOT NULL,
    times text NOT NULL,
    quarantined text,
    PRIMARY KEY (stack_id, identity, actor_key)`,
  vectors: `
    model integer NOT NULL,
    seq bigint NOT NULL,
    revision_seq bigint NOT NULL,
    at_ms bigint NOT NULL,
    vector bytea NOT NULL,
    PRIMARY KEY (stack_id, model, seq)`,
}

/** Tables with few rows per stack. */
const SMALL: Readonly<Record<string, string>> = {
  stacks: `
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    rev bigint NOT NULL,
    time text,
    tree text NOT NULL,
    uid text,
    replica text,
    state text NOT NULL,
    policy_hash bytea,
    enforcing smallint NOT NULL,
    tombstones bigint NOT NULL,
    distrusted text NOT NULL DEFAULT '[]',
    documents bigint NOT NULL DEFAULT 0,
    lengths bigint NOT NULL DEFAULT 0,
    commit_marks text NOT NULL DEFAULT '',
    PRIMARY KEY (stack_id)`,
  // sealed rows that may be deleted, with the erasing entry
  erasures: `
    seq bigint NOT NULL,
    entry bigint NOT NULL,
    PRIMARY KEY (stack_id, seq)`,
  scrubs: `
    entry bigint NOT NULL,
    PRIMARY KEY (stack_id, entry)`,
  // absent parents, which a migration may cite; their keys are below zero
  absent: `
    key bigint NOT NULL CHECK (key < 0),
    ref text NOT NULL,
    PRIMARY KEY (stack_id, key),
    UNIQUE (stack_id, ref)`,
  actor_keys: `
    actor_key uuid NOT NULL,
    place bigint GENERATED ALWAYS AS IDENTITY,
    actor text NOT NULL,
    key text NOT NULL,
    since bigint NOT NULL,
    PRIMARY KEY (stack_id, actor_key)`,
  tallies: `
    key_key uuid NOT NULL,
    place bigint GENERATED ALWAYS AS IDENTITY,
    key text NOT NULL,
    rule text NOT NULL,
    about text,
    actor text,
    actor_key uuid,
    door text,
    pseudonym bytea,
    entry_seq bigint NOT NULL,
    entry_hash bytea NOT NULL,
    count bigint NOT NULL,
    first_at text COLLATE "C",
    last_at text,
    PRIMARY KEY (stack_id, key_key)`,
  tombstones: `
    mark bytea NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (stack_id, mark)`,
  // the position of each policy in the log, which alone holds the text
  policies: `
    hash bytea NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (stack_id, hash)`,
  // session data of earlier versions
  floors: `
    session_key uuid NOT NULL,
    turn_key uuid NOT NULL,
    session text COLLATE "C" NOT NULL,
    turn text COLLATE "C" NOT NULL,
    tier smallint NOT NULL,
    ref text NOT NULL,
    at text COLLATE "C" NOT NULL,
    PRIMARY KEY (stack_id, session_key, turn_key)`,
  vector_models: `
    key integer NOT NULL,
    id text NOT NULL,
    dimension integer NOT NULL,
    upto bigint NOT NULL,
    PRIMARY KEY (stack_id, key),
    UNIQUE (stack_id, id, dimension)`,
}

/**
 * Served memories, in an unlogged table, so that reads stay cheap: a server crash empties the
 * table, and a standby has no copy.
 */
const RECEIPTS = `
  id bigint GENERATED ALWAYS AS IDENTITY,
  time text COLLATE "C" NOT NULL,
  session_key uuid NOT NULL,
  session text NOT NULL,
  turn text,
  actor text NOT NULL,
  door text NOT NULL,
  operation text NOT NULL,
  ref text NOT NULL,
  tier smallint NOT NULL,
  print bytea,
  PRIMARY KEY (stack_id, id)`

const INDEXES = `
CREATE INDEX log_by_ref ON provenance_log (stack_id, ref, seq) WHERE ref IS NOT NULL;
CREATE UNIQUE INDEX memories_by_ref ON memories (stack_id, ref);
CREATE INDEX memories_by_kind ON memories (stack_id, kind, seq);
CREATE INDEX memories_by_identity ON memories (stack_id, identity);
CREATE INDEX memories_by_line ON memories (stack_id, line, seq) WHERE line IS NOT NULL;
CREATE INDEX memories_standing ON memories (stack_id, line, standing_until)
  WHERE standing_until IS NOT NULL;
CREATE INDEX memories_by_name ON memories (stack_id, kind, name_key, seq)
  WHERE name_key IS NOT NULL;
CREATE INDEX memories_by_weight ON memories (stack_id, kind, weight DESC, seq DESC)
  WHERE weight > 0;
CREATE INDEX memories_by_review ON memories (stack_id, review, seq) WHERE review IS NOT NULL;
CREATE INDEX memories_by_session ON memories (stack_id, session_key, kind, seq)
  WHERE session_key IS NOT NULL;
CREATE INDEX memories_by_origin ON memories (stack_id, door, source_key);
CREATE INDEX memories_untouched ON memories (stack_id, kind, seq)
  WHERE captured = 0 AND status IS NULL;
CREATE INDEX memories_tagged ON memories (stack_id, kind, seq) WHERE tags IS NOT NULL;
CREATE INDEX memories_gone ON memories (stack_id, seq) WHERE ${GONE('')};
CREATE INDEX edges_by_parent ON edges (stack_id, parent, child);
CREATE INDEX tallies_by_about ON tallies (stack_id, about) WHERE about IS NOT NULL;
CREATE INDEX tallies_by_actor ON tallies (stack_id, actor_key) WHERE actor_key IS NOT NULL;
CREATE INDEX tallies_by_first ON tallies (stack_id, first_at) WHERE first_at IS NOT NULL;
CREATE INDEX floors_by_time ON floors (stack_id, at);
CREATE INDEX receipts_by_session ON receipts (stack_id, session_key, id);
CREATE INDEX receipts_by_time ON receipts (stack_id, time);
`

const FIRST_TABLES: readonly string[] = [...Object.keys(GROWING), ...Object.keys(SMALL), 'receipts']

export const TABLES: readonly string[] = [...FIRST_TABLES, 'asked'].filter(
  (name) => name !== 'floors',
)

const STACK_ID = 'stack_id text COLLATE "C" NOT NULL'

function grown(partitions: number): string {
  const cut = partitions === 0 ? '' : ' PARTITION BY HASH (stack_id)'
  return Object.entries(GROWING)
    .flatMap(([name, columns]) => [
      `CREATE TABLE ${name} (${STACK_ID},${columns})${cut};`,
      ...Array.from(
        { length: partitions },
        (_, part) => `
        CREATE TABLE ${partOf(name, part)} PARTITION OF ${name}
        FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part});`,
      ),
    ])
    .join('\n')
}

const partOf = (table: string, part: number): string => `${table}_${String(part).padStart(2, '0')}`

/** Rows that change with each commit get free room on their page. */
const small = Object.entries(SMALL)
  .map(([name, columns]) => {
    const room = name === 'stacks' ? ' WITH (fillfactor = 50)' : ''
    return `CREATE TABLE ${name} (${STACK_ID},${columns})${room};`
  })
  .join('\n')

/** The first version, whole: tables, indexes, guards, row-level security, rights. */
const first = ({ schema, role, partitions }: SchemaOptions): string => `
${grown(partitions)}
${small}
CREATE UNLOGGED TABLE receipts (${STACK_ID},${RECEIPTS});
${INDEXES}
${GUARDS(schema)}
${FIRST_TABLES.map(SECURED).join('\n')}
${LISTED}
${grantsTo(role, schema, FIRST_TABLES)}
`

/**
 * Answers under an idempotency key. Unlike receipts they survive a crash, so that no request runs
 * twice.
 */
const askedOnce = ({ schema, role }: SchemaOptions): string => `
CREATE TABLE asked (${STACK_ID},
  key text COLLATE "C" NOT NULL,
  print text NOT NULL,
  id text NOT NULL,
  at text COLLATE "C" NOT NULL,
  answer text,
  PRIMARY KEY (stack_id, key));
CREATE INDEX asked_by_time ON asked (stack_id, at);
${SECURED('asked')}
${grantsTo(role, schema, ['asked'])}
`

/** Annotations in a receipt are no words of the memory. */
const toldBeside = (): string => `
ALTER TABLE receipts ADD COLUMN beside smallint NOT NULL DEFAULT 0;
`

/** Prompts of a session, newest first, without a scan of tool results in between. */
const prompts = (): string => `
CREATE INDEX memories_by_person ON memories (stack_id, session_key, kind, seq)
  WHERE session_key IS NOT NULL AND ${BY_PERSON('')};
`

/** Entries that corrected the clock: a past time is looked up between two corrections. */
const corrections = (): string => `
ALTER TABLE stacks ADD COLUMN corrections text NOT NULL DEFAULT '[]';
`

/** A link is a ref by itself; folded rewordings and their place in review are no more. */
const links = (): string => `
UPDATE memories SET review = NULL WHERE review = 'echo';
UPDATE memories SET marks = regexp_replace(regexp_replace(marks,
    '"echo":\\{"of":("[^"]*"|null),"folded":\\[[0-9,]*\\],"leftAt":[0-9]+\\}', '"rewordingOf":\\1'),
    ',"phrasingOf":"[^"]*"', '')
  WHERE marks LIKE '%"echo":%' OR marks LIKE '%"phrasingOf":%';
`

/** Codes with which the server refuses a commit. No PostgreSQL code begins with MU. */
export const REFUSALS = { headMoved: 'MU001', schemaNewer: 'MU002' } as const

/**
 * Refuses a commit by an error code: statements are sent without waiting, the end included, so a
 * refusal must fail the transaction.
 */
const refusals = (): string => `
CREATE OR REPLACE FUNCTION refuse_commit(code text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'this commit is refused' USING ERRCODE = code; END $$;
`

/** Step n makes version n + 1 out of version n. Steps are added at the end and never changed. */
export const MIGRATIONS: readonly ((options: SchemaOptions) => string)[] = [
  first,
  askedOnce,
  toldBeside,
  prompts,
  corrections,
  links,
  () => COUNTED_TIERS,
  () => 'DROP TABLE IF EXISTS floors;', // session data limits no write
  () => 'DELETE FROM receipts WHERE beside = 1; ALTER TABLE receipts DROP COLUMN beside;',
  refusals,
  () => 'ALTER TABLE stacks ADD COLUMN IF NOT EXISTS received bigint NOT NULL DEFAULT 0;',
]
