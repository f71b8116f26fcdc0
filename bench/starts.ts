import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM } from './built.ts'
import { quantiles, type Record } from './report.ts'
import { sized } from './size.ts'

const ROUNDS = sized(15, 1)
const WARM_ROUNDS = sized(2, 0) // the first ones make the stack, and keep what was compiled
const START_MS_MAX = 150 // for whatever a person or a client waits for

interface Start {
  readonly name: string
  readonly args: (turn: number) => readonly string[]
  readonly stdin?: (turn: number) => object
  /** A server does not end by itself; its first answer is what a client waits for. */
  readonly until?: 'answer'
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '0' },
  },
}

const program = (start: Start): Start => ({
  ...start,
  args: (turn) => [PROGRAM, ...start.args(turn)],
})

const BARE: Start = { name: 'node by itself', args: () => ['-e', '0'] }
const STARTS: readonly Start[] = [
  program({ name: 'muniment --version', args: () => ['--version'] }),
  program({
    name: 'muniment hook prompt',
    args: () => ['hook', 'prompt'],
    stdin: (turn) => ({ session_id: 'bench', prompt: `Which trains ran on day ${turn}?` }),
  }),
  program({ name: 'muniment note', args: (turn) => ['note', `Train ${turn} ran late.`] }),
  program({ name: 'muniment list', args: () => ['list'] }),
  program({
    name: 'muniment mcp until it answers',
    args: () => ['mcp'],
    stdin: () => INITIALIZE,
    until: 'answer',
  }),
]

/** One after the other in every round, so that a busy moment falls on all of them. */
export async function benchStart(record: Record): Promise<void> {
  if (!existsSync(PROGRAM)) throw new Error('Build first: npm run build')
  const home = mkdtempSync(join(tmpdir(), 'muniment-bench-'))
  const all = [BARE, ...STARTS]
  const times = new Map(all.map((start) => [start, [] as number[]]))
  try {
    for (let turn = 0; turn < WARM_ROUNDS + ROUNDS; turn += 1) {
      for (const start of all) {
        const took = await tookMs(start, { turn, home })
        if (turn >= WARM_ROUNDS) times.get(start)?.push(took)
      }
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  const p50 = (start: Start): number => quantiles(times.get(start) ?? []).p50
  const floor = p50(BARE)
  record({ name: `${BARE.name}, p50`, value: floor, unit: 'ms' })
  for (const start of STARTS) {
    const value = p50(start)
    const budget = { budget: `≤ ${START_MS_MAX} ms`, met: value <= START_MS_MAX }
    record({ name: `${start.name}, p50`, value, unit: 'ms', ratio: value / floor, ...budget })
  }
}

interface Turn {
  readonly turn: number
  readonly home: string
}

async function tookMs({ name, args, stdin, until }: Start, { turn, home }: Turn): Promise<number> {
  const env = { PATH: process.env.PATH, MUNIMENT_HOME: home }
  const begun = performance.now()
  const child = spawn(process.execPath, args(turn), { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = once(child, 'close')
  const told = stdin ? `${JSON.stringify(stdin(turn))}\n` : ''
  if (until === 'answer') {
    child.stdin.write(told)
    await Promise.race([once(child.stdout, 'data'), ended])
  } else {
    child.stdin.end(told)
    child.stdout.resume()
    await ended
  }
  const took = performance.now() - begun
  child.stdin.end()
  child.stdout.resume()
  const [code] = await ended
  if (code !== 0) throw new Error(`${name} ended with ${code}.`)
  return took
}
