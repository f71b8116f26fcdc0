import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { COMPILED } from '../../support/compiled.ts'

export const BIN = fileURLToPath(new URL('../../../src/doors/cli/bin.ts', import.meta.url))

/** `muniment serve` in a process of its own. */
export class ServeProgram {
  readonly url: string
  readonly child: ChildProcess

  constructor(url: string, child: ChildProcess) {
    this.url = url
    this.child = child
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
    const { url } = JSON.parse(line) as { url: string } // what --json prints
    return new ServeProgram(url, child)
  }
  throw new Error('the program ended before it listened')
}
