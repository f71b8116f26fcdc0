import { onTestFinished } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { type OpenOptions, openStack } from '../../src/compose/open-stack.ts'
import type { BodyInputOf } from '../../src/domain/kinds/table.ts'
import type { InferencePort, InferOptions, Inferred } from '../../src/ports/models.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'

/** A core on a stack in memory with the eight components, in a world that stands still. */
export async function working(options: OpenOptions = {}) {
  const world = fakeWorld(1)
  const store = new MemoryStore()
  const stack = await openStack('work', { store, ...world, ...options })
  onTestFinished(() => stack.close())
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const entries = async (): Promise<number> =>
    (await store.read(stack.stackId, { type: 'standing' })).tip.head.seq + 1
  return { stack, me, store, entries, ...world }
}

export type Working = Awaited<ReturnType<typeof working>>

/** Episodes that somebody really went through. */
export async function lived(
  { me }: Working,
  ...bodies: readonly BodyInputOf<'episode'>[]
): Promise<readonly string[]> {
  const refs: string[] = []
  for (const body of bodies) refs.push((await me.episode({ ...body, observed: true })).ref)
  return refs
}

export interface Asked {
  readonly prompt: string
  readonly options: InferOptions | undefined
}

/** A model that answers as the test says, and remembers what it was asked. */
export function fakeModel(
  answer: (asked: Asked, nth: number) => string | Inferred | Promise<string | Inferred>,
  more: Partial<InferencePort> = {},
) {
  const asked: Asked[] = []
  const model: InferencePort = {
    modelId: 'fake:model-1',
    infer: async (prompt, options) => {
      asked.push({ prompt, options })
      return answer({ prompt, options }, asked.length)
    },
    ...more,
  }
  return { model, asked }
}

export const items = (...drafted: readonly object[]): string => JSON.stringify({ items: drafted })
