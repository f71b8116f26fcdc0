import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { COMPILED } from '../../support/compiled.ts'

/** Every kind of step by which a restore changes files. */
export const STEP_NAMES = [
  'link',
  'mkdir',
  'rename',
  'rm',
  'unlink',
  'write',
  'sync',
  'exec',
  'close',
] as const
export type StepName = (typeof STEP_NAMES)[number]

/** The nth step of one kind, or of all kinds together. */
export interface KillPoint {
  readonly step: StepName | 'any'
  readonly nth: number
}

export interface RestorerTask {
  readonly home: string
  readonly from: string
  /** The process dies before this step of the swap; a restore with fewer steps ends well. */
  readonly killBefore: KillPoint
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
