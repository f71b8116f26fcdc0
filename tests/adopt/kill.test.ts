import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { actorsOf, listBatches } from '../../src/adopt/batches.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { scratch } from '../cli/support/scratch.ts'
import { COMPILED } from '../support/compiled.ts'
import { memoriesOf } from './support/scene.ts'

const BIN = fileURLToPath(new URL('../../src/doors/cli/bin.ts', import.meta.url))
const MESSAGES = 800 // more than wait together for one commit
const RUN_MS_MAX = 90_000

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function start(home: string, file: string) {
  const args = [BIN, 'adopt', file, '--yes', '--json']
  const env = { ...COMPILED, PATH: process.env.PATH, MUNIMENT_HOME: home }
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
}

async function finished(home: string, file: string) {
  const child = start(home, file)
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  return JSON.parse(out).sources[0].taken as { taken: number; here: number; batch: string }
}

/** Kills the program once its stack has grown to some size, and returns the number of kills. */
async function killedAt(home: string, file: string, bytes: number): Promise<number> {
  const child = start(home, file)
  const closed = once(child, 'close')
  let isOver = false
  closed.then(() => {
    isOver = true
  })
  while (!isOver) {
    await later(5)
    if (bytesIn(home) < bytes) continue
    child.kill('SIGKILL')
    break
  }
  const [, signal] = await closed
  return signal === 'SIGKILL' ? 1 : 0
}

function bytesIn(home: string): number {
  const size = (name: string): number =>
    statSync(path.join(home, 'stacks', name), { throwIfNoEntry: false })?.size ?? 0
  return size('default.db') + size('default.db-wal')
}

/** Everything of a stack but the order and the times of writing. */
async function contentsOf(home: string) {
  const stack = await openStack('default', { home })
  try {
    const { problems } = await stack.ledger.audit()
    expect(problems).toEqual([])
    const memories = await memoriesOf(stack)
    return memories
      .map(({ ref, body, tier, provenance: { timestamp, policyHash, ...provenance } }) =>
        JSON.stringify({ ref, body, tier, provenance }),
      )
      .toSorted()
  } finally {
    await stack.close()
  }
}

async function batchesOf(home: string) {
  const stack = await openStack('default', { home })
  try {
    const [only, ...more] = await listBatches(stack)
    const actors = only === undefined ? [] : await actorsOf(stack, only.batch)
    return { batch: only?.batch, more, isUndoable: actors.length > 0 }
  } finally {
    await stack.close()
  }
}

test(
  'a run that is killed and started again ends as a run that was left alone',
  async () => {
    const [folder, calm, killed] = [scratch(), scratch(), scratch()]
    const file = path.join(folder, 'memory.jsonl')
    const entities = Array.from({ length: MESSAGES }, (_, index) => ({
      type: 'entity',
      name: `Thing ${index}`,
      entityType: 'thing',
      observations: [`was seen ${index} times`],
    }))
    writeFileSync(file, entities.map((each) => `${JSON.stringify(each)}\n`).join(''))
    const whole = await finished(calm, file)
    expect(whole.taken).toBe(MESSAGES)
    // With one key, the same record has the same id in both homes.
    mkdirSync(killed, { recursive: true })
    copyFileSync(path.join(calm, 'adopt.key'), path.join(killed, 'adopt.key'))
    const end = bytesIn(calm)
    let kills = 0
    for (const share of [0.2, 0.7]) kills += await killedAt(killed, file, end * share)
    expect(kills).toBeGreaterThan(0)
    expect(await batchesOf(killed)).toEqual({ batch: whole.batch, more: [], isUndoable: true })
    const last = await finished(killed, file)
    expect(last.batch).toBe(whole.batch)
    expect(last.taken + last.here).toBe(MESSAGES)
    expect(last.here).toBeGreaterThan(0)
    expect(await contentsOf(killed)).toEqual(await contentsOf(calm))
  },
  RUN_MS_MAX * 2,
)
