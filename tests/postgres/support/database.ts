import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { emptied } from './emptying.ts'
import { TEMPLATE } from './global-setup.ts'

/** A database of the calling file's own, gone when its tests are done. */
export interface OwnDatabase {
  readonly url: string
  /** The same for another login. */
  readonly urlFor: (user: string, password: string) => string
  /** As the owner of everything, around the store. */
  readonly sql: (text: string, values?: readonly unknown[]) => Promise<readonly unknown[][]>
  /** Takes out all stacks, whatever guards them. */
  readonly empty: () => Promise<void>
}

type From = 'template' | 'nothing' | { readonly copyOf: string }

/** The same at this moment, for itself from here on; nobody may be using it. */
export const copyOfDatabase = ({ url }: OwnDatabase): Promise<OwnDatabase> =>
  ownDatabase({ copyOf: new URL(url).pathname.slice(1) })

export async function ownDatabase(from: From = 'template'): Promise<OwnDatabase> {
  const root = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = `${root}${name}`
  const source = typeof from === 'object' ? from.copyOf : TEMPLATE
  const copied = from === 'nothing' ? '' : `TEMPLATE ${source} STRATEGY file_copy`
  if (typeof from === 'object') {
    await asAdmin(
      root,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${source}'`,
    )
  }
  await asAdmin(root, `CREATE DATABASE ${name} ${copied}`)
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => undefined)
  afterAll(async () => {
    await pool.end()
    await asAdmin(root, `DROP DATABASE ${name} WITH (FORCE)`)
  })
  const sql: OwnDatabase['sql'] = async (text, values = []) => {
    const { rows } = await pool.query<unknown[]>({ text, values: [...values], rowMode: 'array' })
    return rows
  }
  return {
    url,
    urlFor: (user, password) => url.replace(/\/\/[^@]+@/, `//${user}:${password}@`),
    sql,
    empty: () => emptied(sql, (text) => pool.query(text)),
  }
}

async function asAdmin(root: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${root}postgres` })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
