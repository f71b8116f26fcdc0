import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { parseStackId } from '../../../src/domain/ids.ts'
import { postgres } from '../../../src/stores/postgres/index.ts'
import { makeServer, type Server } from './server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the server that all files of this run share, without a database. */
    readonly postgresUrl: string
  }
}

/** Databases are copied from this one, which takes a fraction of what making one does. */
export const TEMPLATE = 'muniment_template'

// What a test run writes may be lost with the machine; the tests of crashes have their own server.
const FLAGS = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=200']

let server: Server | null = null

/** One server for the whole run, started by the run itself. */
export async function setup(project: TestProject): Promise<void> {
  server = await makeServer(FLAGS)
  await server.start()
  const admin = new pg.Client({ connectionString: server.urlOf('postgres') })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${TEMPLATE}`)
  await admin.end()
  const store = postgres({ connectionString: server.urlOf(TEMPLATE) })
  await store.read(parseStackId('first'), { type: 'standing' })
  await store.close()
  project.provide('postgresUrl', server.urlOf(''))
}

export async function teardown(): Promise<void> {
  await server?.stop()
  server?.remove()
}
