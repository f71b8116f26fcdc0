import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { COMPILED } from '../../support/compiled.ts'

export interface RestorerTask {
  readonly home: string
  readonly from: string
  /** The process dies before this step of the swap; there are fewer steps where it ends well. */
  readonly killBefore: number
}

const SCRIPT = fileURLToPath(new URL('../children/restorer.ts', import.meta.url))

/** Restores in a process of its own, which kills itself before one of its steps. */
export async function restored(task: RestorerTask): Promise<'killed' | 'done'> {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(task)], {
    env: { ...COMPILED, PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (signal === 'SIGKILL') return 'killed'
  expect(code).toBe(0)
  return 'done'
}
