import { MunimentError } from '../../domain/errors.ts'
import type { PgClient } from './drivers.ts'
import { schemaNewer } from './faults.ts'
import { MIGRATIONS, type SchemaOptions } from './schema.ts'

/** The version of a database, and the version of this program. */
export interface Migration {
  readonly from: number
  readonly to: number
}

const LOCK = 0x4d756e69 // 'Muni': starters of every process take turns on it

const THERE = `
  SELECT count(*) FROM information_schema.tables
  WHERE table_schema = $1 AND table_name = 'schema_version'`

/** The version of a database; 0 before the first migration. */
export async function versionOf(client: PgClient, schema: string): Promise<number> {
  const [there] = await client.query(THERE, [schema])
  if (Number(there?.[0]) === 0) return 0
  const [row] = await client.query(`SELECT max(version)::int FROM ${schema}.schema_version`, [])
  return Number(row?.[0] ?? 0)
}

/** The migration to run, without running it. */
export async function planned(client: PgClient, schema: string): Promise<Migration> {
  const from = await versionOf(client, schema)
  const to = MIGRATIONS.length
  if (from > to) throw schemaNewer(from, to)
  return { from, to }
}

export interface Migrating extends SchemaOptions {
  /** Called before each step; steps are counted from 1. */
  readonly onStep?: (step: number, of: number) => void
}

/** Brings the database to the newest version in one transaction: all missing steps, or none. */
export async function migrate(client: PgClient, options: Migrating): Promise<Migration> {
  const { schema, onStep } = options
  const known = MIGRATIONS.length
  // Checked without the lock first: a plain user may not have the right to migrate.
  const seen = await planned(client, schema)
  if (seen.from === known) return seen
  await client.exec('BEGIN')
  try {
    await client.exec(`SELECT pg_advisory_xact_lock(${LOCK})`)
    // Asked again under the lock: another process may have been quicker.
    const from = await versionOf(client, schema)
    if (from === 0) await prepare(client, options)
    await client.exec(`SET LOCAL search_path = ${schema}`)
    for (const [index, step] of MIGRATIONS.entries()) {
      if (index < from) continue
      onStep?.(index + 1 - from, known - from)
      await client.exec(step(options))
      await client.query('INSERT INTO schema_version (version) VALUES ($1)', [index + 1])
    }
    await client.exec('COMMIT')
    return { from, to: known }
  } catch (cause) {
    await client.exec('ROLLBACK').catch(() => undefined) // the first failure is reported instead
    throw cause
  }
}

/** Creates the schema, the role and the version table. */
async function prepare(client: PgClient, { schema, role }: SchemaOptions): Promise<void> {
  const [encoding] = await client.query('SHOW server_encoding', [])
  if (encoding?.[0] !== 'UTF8') {
    throw new MunimentError('store_unavailable', 'The database does not hold its text as UTF-8.', {
      hint: "Make another: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
    })
  }
  const [known] = await client.query('SELECT count(*) FROM pg_roles WHERE rolname = $1', [role])
  // Roles belong to the whole server: another database may have created the role meanwhile.
  if (Number(known?.[0]) === 0) {
    await client.exec(`DO $$ BEGIN CREATE ROLE ${role} NOLOGIN NOBYPASSRLS;
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`)
  }
  await client.exec(`
    DO $$ BEGIN
      IF NOT pg_has_role(current_user, '${role}', 'MEMBER') THEN
        EXECUTE format('GRANT ${role} TO %I', current_user);
      END IF;
    END $$;
    CREATE SCHEMA IF NOT EXISTS ${schema};
    CREATE TABLE ${schema}.schema_version (
      version integer PRIMARY KEY,
      at timestamptz NOT NULL DEFAULT now()
    );`)
}
