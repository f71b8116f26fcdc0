import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { COMPILED } from '../../support/compiled.ts'

export const BIN = fileURLToPath(new URL('../../../src/doors/cli/bin.ts', import.meta.url))

/** What `muniment serve --json` prints. */
interface Printed {
  readonly url: string
  readonly tokenFile: string
}

/** `muniment serve` in a process of its own. */
export class ServeProgram {
  readonly url: string
  /** The file with the token for programs. */
  readonly tokenFile: string
  readonly child: ChildProcess

  constructor({ url, tokenFile }: Printed, child: ChildProcess) {
    this.url = url
    this.tokenFile = tokenFile
    this.child = child
  }

  get token(): string {
    return readFileSync(this.tokenFile, 'utf8').trim()
  }

  /** Asks with the token for programs. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${this.token}`)
    return fetch(`${this.url}${path}`, { ...init, headers })
  }

  async ended(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode
    const [code] = (await once(this.child, 'exit')) as [number | null]
    return code
  }
}

export async function serveIn(home: string, ...args: readonly string[]): Promise<ServeProgram> {
  const all = [BIN, 'serve', '--port', '0', '--home', home, '--json', ...args]
  const child = spawn(process.execPath, all, {
    env: { ...COMPILED, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stdout })) {
    return new ServeProgram(JSON.parse(line) as Printed, child) // what --json prints
  }
  throw new Error('the program ended before it listened')
}
