import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type OpenOptions, openStack } from '../../../src/compose/open-stack.ts'
import type { Memory } from '../../../src/engine/read/memory-view.ts'
import type { Stack } from '../../../src/stack.ts'

/** The person whose stack it is, as a host names them. */
export const OWNER = { name: 'ann', isOwner: true } as const

/** A stack in memory without components. */
export const bareStack = (options: OpenOptions = {}): Promise<Stack> =>
  openStack('seat', { path: ':memory:', components: [], ...options })

/** The words, label, tier and author of every raw memory, oldest first. */
export async function rawsIn(stack: Stack) {
  const raws = await stack.list('raw', { limit: 1000 })
  return raws.toReversed().map(({ text, tier, provenance }) => {
    const { label, sourceId } = provenance
    return { text, tier, by: 'kind' in label ? label.kind : label.type, sourceId }
  })
}

/** The words in which the lineage of a memory begins. */
export async function rootsOf(stack: Stack, { ref }: Pick<Memory, 'ref'>) {
  const { lineage } = await stack.history.why(ref)
  return lineage.filter(({ parents }) => parents.length === 0).map(({ memory }) => memory.text)
}

/** Runs a file of `children/` as a process of its own; rejects unless it ends well. */
export function child(file: string, task: object): Promise<void> {
  const script = fileURLToPath(new URL(`../children/${file}`, import.meta.url))
  return new Promise((resolve, reject) => {
    const started = spawn(process.execPath, [script, JSON.stringify(task)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    started.on('error', reject)
    started.on('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${file} ended with ${code}`))
    })
  })
}
