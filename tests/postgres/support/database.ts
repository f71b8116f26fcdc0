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

type From = 'template' | 'nothing'

export async function ownDatabase(from: From = 'template'): Promise<OwnDatabase> {
  const root = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = `${root}${name}`
  await asAdmin(
    root,
    `CREATE DATABASE ${name} ${from === 'template' ? `TEMPLATE ${TEMPLATE} STRATEGY file_copy` : ''}`,
  )
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
