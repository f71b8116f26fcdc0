/**
 * Refusals by the database itself. Entries are only appended (LEDGER-APPEND); sealed rows are
 * written once and deleted only together with an erasure.
 */
export const GUARDS = (schema: string): string => `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% takes no %', TG_ARGV[0], TG_OP USING ERRCODE = 'integrity_constraint_violation'; END $$;

-- One stack after the other, each looked up by a plan of its own, so that no other partition is touched.
CREATE FUNCTION log_grows_at_its_end() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  grown record;
  before bigint;
  hash bytea;
BEGIN
  FOR grown IN
    SELECT stack_id, min(seq) AS first, max(seq) AS last, count(*) AS many,
      (array_agg(prev_hash ORDER BY seq))[1] AS prev_hash
    FROM added GROUP BY stack_id
  LOOP
    EXECUTE 'SELECT l.seq, l.entry_hash FROM ${schema}.provenance_log l
      WHERE l.stack_id = $1 AND l.seq < $2 ORDER BY l.seq DESC LIMIT 1'
      INTO before, hash USING grown.stack_id, grown.first;
    IF grown.last - grown.first + 1 <> grown.many OR grown.first <> coalesce(before, -1) + 1
      OR (before IS NOT NULL AND hash <> grown.prev_hash) THEN
      RAISE EXCEPTION 'an entry is added after the last one and names it, not so entry %', grown.first
        USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION sealed_is_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM added a JOIN ${schema}.erasures e ON e.stack_id = a.stack_id AND e.seq = a.seq;
  IF FOUND THEN
    RAISE EXCEPTION 'a sealed row is written once' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION sealed_is_deleted_by_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM ${schema}.erasures e WHERE e.stack_id = OLD.stack_id AND e.seq = OLD.seq;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a sealed row is deleted only by an erasure'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN OLD;
END $$;

CREATE TRIGGER log_grows_at_its_end AFTER INSERT ON provenance_log
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION log_grows_at_its_end();
CREATE TRIGGER log_takes_no_change BEFORE UPDATE OR DELETE ON provenance_log
  FOR EACH ROW EXECUTE FUNCTION refuse('the log');
CREATE TRIGGER log_takes_no_truncate BEFORE TRUNCATE ON provenance_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('the log');

CREATE TRIGGER sealed_is_written_once AFTER INSERT ON sealed
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sealed_is_written_once();
CREATE TRIGGER sealed_takes_no_update BEFORE UPDATE ON sealed
  FOR EACH ROW EXECUTE FUNCTION refuse('what is sealed');
CREATE TRIGGER sealed_is_deleted_by_erasure BEFORE DELETE ON sealed
  FOR EACH ROW EXECUTE FUNCTION sealed_is_deleted_by_erasure();
CREATE TRIGGER sealed_takes_no_truncate BEFORE TRUNCATE ON sealed
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('what is sealed');

CREATE TRIGGER erasures_take_no_change BEFORE UPDATE OR DELETE ON erasures
  FOR EACH ROW EXECUTE FUNCTION refuse('an erasure');
CREATE TRIGGER erasures_take_no_truncate BEFORE TRUNCATE ON erasures
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('an erasure');

-- Logins that are bound to stacks: whatever they set, they reach these and no others.
CREATE TABLE bound_logins (
  login name NOT NULL,
  stack_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (login, stack_id)
);

-- The stack of this transaction, if who is logged in may work with it. It runs as the owner, so that
-- nobody needs to see who else is bound; session_user is who logged in, whatever role was taken since.
CREATE FUNCTION bound_stack() RETURNS text STABLE SECURITY DEFINER
RETURN (
  SELECT s.id FROM (SELECT nullif(current_setting('muniment.stack', true), '') AS id) s
  WHERE NOT EXISTS (SELECT 1 FROM bound_logins b WHERE b.login = session_user)
    OR EXISTS (SELECT 1 FROM bound_logins b WHERE b.login = session_user AND b.stack_id = s.id));

-- Whether this transaction asks for the names of all stacks, and who is logged in is bound to none.
CREATE FUNCTION may_list() RETURNS boolean STABLE SECURITY DEFINER
RETURN current_setting('muniment.stack', true) = '*'
  AND NOT EXISTS (SELECT 1 FROM bound_logins b WHERE b.login = session_user);
`

/** A request for names sees the heads of all stacks and nothing more. */
export const LISTED = `
CREATE POLICY listed ON stacks FOR SELECT USING ((SELECT may_list()));`

/**
 * A transaction sees only the rows of its stack, for reads, writes and counts, even for the owner.
 */
export const SECURED = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY by_stack ON ${table}
  USING (stack_id = (SELECT bound_stack())) WITH CHECK (stack_id = (SELECT bound_stack()));`

/** Added to, read, and nothing else. */
const ADDED_TO = ['provenance_log', 'erasures']
const SEALED = 'sealed'

/** The rights of the role; partitions are reached only through their table. */
export function grantsTo(role: string, schema: string, tables: readonly string[]): string {
  const changed = tables.filter((table) => !ADDED_TO.includes(table) && table !== SEALED)
  return `
GRANT USAGE ON SCHEMA ${schema} TO ${role};
GRANT SELECT ON schema_version TO ${role};
GRANT SELECT, INSERT ON ${ADDED_TO.join(', ')} TO ${role};
GRANT SELECT, INSERT, DELETE ON ${SEALED} TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${changed.join(', ')} TO ${role};
REVOKE ALL ON FUNCTION bound_stack(), may_list() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bound_stack(), may_list() TO ${role};`
}
