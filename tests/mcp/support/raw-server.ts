import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { COMPILED } from '../../support/compiled.ts'

const BIN = fileURLToPath(new URL('../../../src/doors/cli/bin.ts', import.meta.url))

interface Message {
  readonly id?: number
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number }
}

/** The server without a client: lines in, lines out, so that a test sees every byte. */
export class RawServer {
  readonly child: ChildProcessWithoutNullStreams
  out = ''
  err = ''
  #nextId = 1

  constructor(home: string, env: Readonly<Record<string, string>> = {}) {
    const args = [BIN, 'mcp', '--home', home]
    this.child = spawn(process.execPath, args, {
      env: { ...COMPILED, PATH: process.env.PATH, ...env },
    })
    this.child.stdout.on('data', (chunk: Buffer) => {
      this.out += chunk.toString()
    })
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.err += chunk.toString()
    })
    onTestFinished(() => void this.child.kill('SIGKILL'))
  }

  /** Every line that was written so far, each of which must be a message. */
  get messages(): readonly Message[] {
    return this.out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Message) // throws on noise
  }

  send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  request(method: string, params: object): number {
    const id = this.#nextId
    this.#nextId += 1
    this.send({ id, method, params })
    return id
  }

  async answer(id: number): Promise<Message> {
    for (;;) {
      const found = this.messages.find((message) => message.id === id)
      if (found) return found
      await once(this.child.stdout, 'data')
    }
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: 'raw', version: '1' }
    const id = this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo,
    })
    await this.answer(id)
    this.send({ method: 'notifications/initialized' })
  }

  call(name: string, args: object): number {
    return this.request('tools/call', { name, arguments: args })
  }

  async exited(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode
    const [code] = (await once(this.child, 'exit')) as [number | null]
    return code
  }
}
