import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { makeServer, type Server } from '../tests/postgres/support/server.ts'
import { Entity, openStack, postgres } from './built.ts'
import { floorOn } from './postgres-floor.ts'
import type { Record } from './report.ts'
import { sized } from './size.ts'
import { together } from './stacks.ts'
import { sentence } from './words.ts'

const CONNECTIONS = sized(16, 2)
const STACKS = sized(64, 2)
const WRITES = sized(200, 10) // notes a stack, each with the raw it captures
const SLICES = sized(5, 1) // of a round: engine and floor in turn, so that both meet the same neighbours
const WRITERS = 8 // in flight a stack
const ROUNDS = sized(3, 1)
const RATIO_MIN = 0.4
const STANDING = { type: 'standing' } as const

/** A real server with its usual settings: every commit waits for the disk. */
const FLAGS = ['-c', 'max_connections=100', '-c', 'shared_buffers=256MB', '-c', 'max_wal_size=2GB']

const ids = Array.from({ length: STACKS }, (_, number) => `bench-${number}`)

/**
 * Many stacks through one pool, and in turn with it the floor: the rows that the engine wrote, put into
 * a database of the same schema and guards by hand-made statements, as many notes in a transaction and
 * as many connections. The middle round counts. The machine may be busy: the ratio is of one run.
 */
export async function benchPostgres(record: Record): Promise<void> {
  const server = await makeServer(FLAGS)
  await server.start()
  const home = mkdtempSync(join(tmpdir(), 'muniment-bench-'))
  try {
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push(await roundOn(server, { round, home }))
    }
    rounds.sort((a, b) => a.rate / a.floor - b.rate / b.floor)
    report(record, rounds)
  } finally {
    await server.stop()
    server.remove()
    rmSync(home, { recursive: true, force: true })
  }
}

interface Round {
  readonly rate: number
  readonly floor: number
  /** Processor time of the floor in that of the engine, program and server together. */
  readonly work: number
  readonly notes: number
  readonly inCommit: number
  readonly problems: number
}

function report(record: Record, rounds: readonly Round[]): void {
  const { rate, floor, inCommit, work } = rounds[Math.floor(ROUNDS / 2)] ?? {
    rate: 0,
    floor: 1,
    inCommit: 0,
    work: 0,
  }
  const ratio = rate / floor
  const name = `durable notes, ${CONNECTIONS} connections × ${STACKS} stacks × ${WRITES}`
  const budget = `≥ ${RATIO_MIN} × floor`
  record({ name, value: rate, unit: 'notes/s', ratio, budget, met: ratio >= RATIO_MIN })
  const inOne = inCommit.toFixed(1)
  record({ name: `floor, ${inOne} notes in a transaction`, value: floor, unit: 'notes/s' })
  // One program against many processes of a server gets less of a busy machine: this is its work alone.
  const inWork = { ratio: work, budget, met: work >= RATIO_MIN }
  record({ name: 'the same in processor time, server and all', value: work, unit: '', ...inWork })
  const wanted = STACKS * WRITES
  const least = Math.min(...rounds.map(({ notes }) => notes))
  record({
    name: 'notes of theirs that are there',
    value: least,
    unit: `of ${wanted.toLocaleString('en')}`,
    budget: 'all',
    met: least === wanted,
  })
  const problems = rounds.reduce((sum, round) => sum + round.problems, 0)
  const none = { budget: '0', met: problems === 0 }
  record({ name: 'problems that audits of all stacks found', value: problems, unit: '', ...none })
}

async function roundOn(
  server: Server,
  { round, home }: { readonly round: number; readonly home: string },
): Promise<Round> {
  const [written, floored] = [`engine_${round}`, `floor_${round}`]
  await admin(server, `CREATE DATABASE ${written}`)
  const url = server.urlOf(written)
  const store = postgres({ connectionString: url, poolSize: CONNECTIONS, lockTimeoutMs: 60_000 })
  const stacks = await Promise.all(ids.map((id) => openStack(id, { store, home })))
  const entities = stacks.map(() => new Entity('bench'))
  for (const [at, entity] of entities.entries()) {
    const stack = stacks[at]
    if (stack) await entity.attachStack(stack)
    await entity.note(sentence(at), { observed: true }) // what a first write makes is not timed
  }
  await admin(server, `CREATE DATABASE ${floored} TEMPLATE ${written} STRATEGY file_copy`, url)
  const floor = await floorOn(
    { engine: url, floor: server.urlOf(floored) },
    { connections: CONNECTIONS, ids },
  )
  const revOf = async (): Promise<number> => {
    let sum = 0
    for (const { stackId } of stacks) sum += (await store.read(stackId, STANDING)).tip.head.rev
    return sum
  }
  const first = await revOf()
  let number = STACKS
  let [tookMs, floorMs, last] = [0, 0, first]
  const worked = { engine: 0, floor: 0 }
  for (let slice = 0; slice < SLICES; slice += 1) {
    collectGarbage() // what the floor has read is not the engine's to clear away
    const start = performance.now()
    const begun = cpuMs(server)
    await Promise.all(
      entities.map((entity) =>
        together({ count: WRITES / SLICES, writers: WRITERS }, () => {
          number += 1
          return entity.note(sentence(number), { observed: true })
        }),
      ),
    )
    tookMs += performance.now() - start
    worked.engine += cpuMs(server) - begun
    const rev = await revOf()
    const inOne = (STACKS * WRITES) / SLICES / (rev - last)
    const put = await floor.catchUp(inOne, () => cpuMs(server))
    floorMs += put.tookMs
    worked.floor += put.workedMs
    last = rev
  }
  await floor.close()
  let notes = -STACKS
  let problems = 0
  for (const stack of stacks) {
    notes += (await stack.getStats()).note ?? 0
    problems += (await stack.ledger.audit()).problems.length
    await stack.close()
  }
  await store.close()
  const inCommit = (STACKS * WRITES) / (last - first)
  for (const name of [written, floored]) await admin(server, `DROP DATABASE ${name} WITH (FORCE)`)
  const rateOf = (ms: number): number => (STACKS * WRITES * 1_000) / ms
  const work = worked.floor / worked.engine
  return { rate: rateOf(tookMs), floor: rateOf(floorMs), work, notes, inCommit, problems }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Processor time of this program and of the server. */
function cpuMs(server: Server): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + (server.cpuMs() ?? Number.NaN)
}

/** `idle` names a database that nobody may use while it is copied. */
async function admin(server: Server, sql: string, idle?: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.urlOf('postgres') })
  await client.connect()
  if (idle !== undefined) {
    const name = new URL(idle).pathname.slice(1)
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
      [name],
    )
  }
  await client.query(sql)
  await client.end()
}
