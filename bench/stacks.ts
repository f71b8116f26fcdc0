import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stack } from '../src/stack/stack.ts'
import { Entity, openStack } from './built.ts'
import { sentence } from './words.ts'

export interface Bench {
  readonly folder: string
  readonly stack: Stack
  readonly entity: InstanceType<typeof Entity>
}

/** A stack in a folder of its own on the real disk, removed when the work is done. */
export async function withStack<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-bench-'))
  const stack = await openStack('bench', { home: folder })
  const entity = new Entity('bench')
  await entity.attachStack(stack)
  try {
    return await work({ folder, stack, entity })
  } finally {
    await stack.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

let number = 0

/** Notes by `writers` at once, each waiting for its own before the next; gives notes a second. */
export async function writeNotes(
  { entity }: Bench,
  { count, writers }: { readonly count: number; readonly writers: number },
): Promise<number> {
  const start = performance.now()
  let left = count
  const writer = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      number += 1
      await entity.note(sentence(number))
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
  return (count / (performance.now() - start)) * 1_000
}
