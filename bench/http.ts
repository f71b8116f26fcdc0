import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openStack, PROGRAM } from './built.ts'
import { quantiles, type Record } from './report.ts'
import { sized } from './size.ts'

const CLIENTS = sized(64, 4)
const REQUESTS = sized(30, 10) // of each client
const WRITES_IN_TEN = 3

interface Asked {
  readonly isWrite: boolean
  readonly ms: number
  readonly status: number
  readonly ref: string | null
}

/** 64 clients at once, three writes among seven reads, against the program as it is installed. */
export async function benchHttp(record: Record): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'muniment-bench-'))
  const args = [PROGRAM, 'serve', '--port', '0', '--home', home, '--json', '--rate', '1000000']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const { url, tokenFile } = await printedIn(createInterface({ input: child.stdout }))
    const token = readFileSync(tokenFile, 'utf8').trim()
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
    const ask = asker(agent, token)
    await ask(`${url}/v1/stacks/default/note`, { content: 'The first words' })
    const start = performance.now()
    const all = (
      await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(ask, url, number)))
    ).flat()
    const seconds = (performance.now() - start) / 1_000
    agent.destroy()
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    tell(record, all, seconds)
    await tellKept(record, home, all)
    record({
      name: 'exit code of the server',
      value: code ?? -1,
      unit: '',
      budget: '0',
      met: code === 0,
    })
  } finally {
    child.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
}

interface Printed {
  readonly url: string
  readonly tokenFile: string
}

async function printedIn(lines: AsyncIterable<string>): Promise<Printed> {
  for await (const line of lines) return JSON.parse(line) as Printed // what --json prints
  throw new Error('The server ended before it listened.')
}

async function client(ask: Ask, url: string, number: number): Promise<readonly Asked[]> {
  const stack = `${url}/v1/stacks/default`
  const asked: Asked[] = []
  for (let turn = 0; turn < REQUESTS; turn += 1) {
    const isWrite = turn % 10 < WRITES_IN_TEN
    const start = performance.now()
    const said = isWrite
      ? await ask(`${stack}/note`, { content: `Client ${number} notes train ${turn}` })
      : await ask(
          turn % 2 === 0
            ? `${stack}/search?query=train&limit=10`
            : `${stack}/list?kind=note&limit=20`,
        )
    const ref = isWrite && said.status === 201 ? String(JSON.parse(said.text).ref) : null
    asked.push({ isWrite, ms: performance.now() - start, status: said.status, ref })
  }
  return asked
}

type Ask = (url: string, body?: object) => Promise<{ status: number; text: string }>

const asker =
  (agent: Agent, token: string): Ask =>
  (url, body) =>
    new Promise((resolve) => {
      const method = body === undefined ? 'GET' : 'POST'
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const sent = request(url, { agent, method, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      sent.on('error', () => resolve({ status: 0, text: '' }))
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })

function tell(record: Record, all: readonly Asked[], seconds: number): void {
  record({
    name: `${CLIENTS} clients over HTTP, mixed`,
    value: all.length / seconds,
    unit: 'requests/s',
  })
  for (const [name, isWrite] of [
    ['reads', false],
    ['writes', true],
  ] as const) {
    const { p50, p99 } = quantiles(
      all.filter((each) => each.isWrite === isWrite).map(({ ms }) => ms),
    )
    record({ name: `${name} among them, p50`, value: p50, unit: 'ms' })
    record({ name: `${name} among them, p99`, value: p99, unit: 'ms' })
  }
  const failures = all.filter(({ status }) => status < 200 || status >= 300).length
  record({
    name: `failures of ${all.length}`,
    value: failures,
    unit: '',
    budget: '0',
    met: failures === 0,
  })
}

/** What was acknowledged before the stop is there after it. */
async function tellKept(record: Record, home: string, all: readonly Asked[]): Promise<void> {
  const stack = await openStack('default', { home })
  const told = all.flatMap(({ ref }) => (ref === null ? [] : [ref]))
  const there = await Promise.all(
    told.map((ref) => stack.getMemory('note', ref.slice('note:'.length))),
  )
  await stack.close()
  const lost = there.filter((memory) => memory === null).length
  record({
    name: `acknowledged notes that are missing, of ${told.length}`,
    value: lost,
    unit: '',
    budget: '0',
    met: lost === 0,
  })
}
