import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'

/** An MCP server over stdio, asked by bare lines, so that no client's work is measured. */
export class StdioClient {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #id = 0

  private constructor(child: ChildProcess) {
    this.#child = child
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer
      this.#waiting.get(answer.id)?.(answer)
      this.#waiting.delete(answer.id)
    })
  }

  static async start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<StdioClient> {
    const child = spawn(process.execPath, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, ...env },
    })
    const client = new StdioClient(child)
    await client.#ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '0' },
    })
    client.#send({ method: 'notifications/initialized' })
    return client
  }

  async call(name: string, given: object): Promise<void> {
    const { error, result } = await this.#ask('tools/call', { name, arguments: given })
    if (error !== undefined || result?.isError === true)
      throw new Error(`${name} failed: ${JSON.stringify(error ?? result)}`)
  }

  get cpuMs(): number {
    return cpuMsOf(this.#child.pid ?? 0)
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.stdin?.end()
    await exited
  }

  #ask(method: string, params: object): Promise<Answer> {
    const id = ++this.#id
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#send({ id, method, params })
    })
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
}

interface Answer {
  readonly id: number
  readonly error?: unknown
  readonly result?: { readonly isError?: boolean }
}

const TICK_MS = 10 // a clock tick of /proc, on every Linux that Node runs on

/** Processor time of a process so far; not a number where the system has no /proc. */
export function cpuMsOf(pid: number): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=\S )/)
    const [user, system] = fields.split(' ').slice(11, 13)
    return (Number(user) + Number(system)) * TICK_MS
  } catch {
    return Number.NaN
  }
}
