import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { PROGRAM } from './built.ts'
import type { Record } from './report.ts'
import { sized } from './size.ts'
import { type Bench, withStack, writeNotes } from './stacks.ts'
import { cpuMsOf, StdioClient } from './stdio-client.ts'
import { sentence, wordAt } from './words.ts'

const TURNS = sized(5, 1)
const CHUNK = sized(60, 4) // notes of a turn
const READS = sized(1_000, 4)

/** Each door beside its peer in turns: wall time and processor time of every note. */
export async function benchDoors(record: Record): Promise<void> {
  await benchMcp(record)
  await benchHttpWrites(record)
  await benchBeliefs(record)
}

/** Wall and processor milliseconds of work, per piece. */
interface Spent {
  readonly wallMs: number
  readonly cpuMs: number
}

type Work = (turn: number) => Promise<void>

/** Takes turns, so that other work on the machine touches all alike; the middle turn counts. */
async function inTurns(
  works: readonly { readonly work: Work; readonly cpuMs: () => number }[],
): Promise<readonly Spent[]> {
  const spent = works.map((): Spent[] => [])
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const [at, { work, cpuMs }] of works.entries()) {
      const [start, cpu] = [performance.now(), cpuMs()]
      for (let each = 0; each < CHUNK; each += 1) await work(turn * CHUNK + each)
      const wallMs = (performance.now() - start) / CHUNK
      if (turn > 0) spent[at]?.push({ wallMs, cpuMs: (cpuMs() - cpu) / CHUNK }) // the first warms up
    }
  }
  return spent.map((all) => ({
    wallMs: middle(all.map(({ wallMs }) => wallMs)),
    cpuMs: middle(all.map(({ cpuMs }) => cpuMs)),
  }))
}

const middle = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

const PEER = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/server-memory/dist/index.js', import.meta.url),
)

async function benchMcp(record: Record): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'muniment-bench-'))
  const ours = await StdioClient.start([PROGRAM, 'mcp', '--home', home])
  const peer = await StdioClient.start([PEER], { MEMORY_FILE_PATH: join(home, 'memory.jsonl') })
  try {
    let written = 0
    const note = () => ours.call('memory_note', { content: sentence(++written) })
    const entity = (turn: number) =>
      peer.call('create_entities', {
        entities: [
          { name: `e${written}.${turn}`, entityType: 'note', observations: [sentence(turn)] },
        ],
      })
    const both = [
      { work: note, cpuMs: () => ours.cpuMs },
      { work: entity, cpuMs: () => peer.cpuMs },
    ]
    const [own, others] = await inTurns(both)
    tellPair(record, ['MCP note', own], ['server-memory entity', others], '≥ 1.2')
    for (let read = 0; read < READS; read += 1)
      await ours.call('memory_search', { query: `${wordAt(read)} ${wordAt(read + 3)}` })
    const [after] = await inTurns(both)
    const ratio = (own?.cpuMs ?? 0) / (after?.cpuMs ?? 1)
    tellSpent(record, `MCP note after ${READS} searches`, after)
    record({
      name: `notes in a processor second after ${READS} searches ÷ before`,
      value: ratio,
      unit: '',
      budget: '≥ 0.9',
      met: ratio >= 0.9,
    })
  } finally {
    await ours.stop()
    await peer.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

async function benchHttpWrites(record: Record): Promise<void> {
  await withStack(async (bench) => {
    const home = mkdtempSync(join(tmpdir(), 'muniment-bench-'))
    const args = [PROGRAM, 'serve', '--port', '0', '--home', home, '--json', '--rate', '1000000']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const { url, tokenFile } = await printedIn(createInterface({ input: child.stdout }))
      const headers = {
        authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`,
        'content-type': 'application/json',
      }
      const post = async (turn: number): Promise<void> => {
        const body = JSON.stringify({ content: sentence(1_000_000 + turn) })
        const path = `${url}/v1/stacks/default/note`
        const response = await fetch(path, { method: 'POST', headers, body })
        if (response.status !== 201) throw new Error(await response.text())
        await response.arrayBuffer()
      }
      const [http, library] = await inTurns([
        { work: post, cpuMs: () => cpuMsOf(child.pid ?? 0) },
        { work: libraryNote(bench), cpuMs: ownCpuMs },
      ])
      tellSpent(record, 'HTTP note', http)
      tellSpent(record, 'library note', library)
      const ratio = (http?.cpuMs ?? 0) / (library?.cpuMs ?? 1)
      record({
        name: 'processor time of an HTTP note ÷ library note',
        value: ratio,
        unit: '',
        budget: '≤ 1.5',
        met: ratio <= 1.5,
      })
    } finally {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      rmSync(home, { recursive: true, force: true })
    }
  })
}

async function printedIn(
  lines: AsyncIterable<string>,
): Promise<{ readonly url: string; readonly tokenFile: string }> {
  for await (const line of lines) return JSON.parse(line) as { url: string; tokenFile: string } // what --json prints
  throw new Error('The server ended before it listened.')
}

const libraryNote =
  ({ entity }: Bench): Work =>
  async (turn) => {
    await entity.note(sentence(2_000_000 + turn), { observed: true })
  }

const ownCpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const MEMORIES = sized(20_000, 40)

async function benchBeliefs(record: Record): Promise<void> {
  await withStack(async (bench) => {
    await writeNotes(bench, { count: MEMORIES / 2, writers: 256 })
    const because = 'seen in the yard'
    const [belief, note] = await inTurns([
      {
        work: async (turn) =>
          void (await bench.entity.belief(sentence(3_000_000 + turn), { because })),
        cpuMs: ownCpuMs,
      },
      { work: libraryNote(bench), cpuMs: ownCpuMs },
    ])
    const at = `at ${MEMORIES.toLocaleString('en')} memories`
    tellPair(record, [`belief ${at}`, belief], [`note ${at}`, note], '≥ 0.8')
  })
}

function tellSpent(record: Record, name: string, spent?: Spent): void {
  const { wallMs = Number.NaN, cpuMs = Number.NaN } = spent ?? {}
  record({ name, value: 1_000 / wallMs, unit: '/s' })
  record({ name: `${name}, processor time`, value: cpuMs, unit: 'ms' })
}

/** Two rates, and the first divided by the second. */
function tellPair(
  record: Record,
  [own, ours]: readonly [string, Spent | undefined],
  [other, theirs]: readonly [string, Spent | undefined],
  budget: `≥ ${number}`,
): void {
  tellSpent(record, own, ours)
  tellSpent(record, other, theirs)
  for (const [of, spent] of [
    ['rate', 'wallMs'],
    ['notes in a processor second', 'cpuMs'],
  ] as const) {
    const value = (theirs?.[spent] ?? 0) / (ours?.[spent] ?? 1)
    const met = value >= Number(budget.slice(2))
    record({ name: `${of}: ${own} ÷ ${other}`, value, unit: '', budget, met })
  }
}
