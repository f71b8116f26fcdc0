import { ComponentRegistry } from '../../src/engine/components/component-registry.ts'
import type {
  ComponentMemory,
  SaveEvent,
  SearchResult,
  StackComponent,
} from '../../src/ports/component.ts'
import type { InferencePort } from '../../src/ports/models.ts'
import type { Timer } from '../../src/ports/world.ts'
import { fakeClock } from '../../src/testing/world.ts'
import { idAt } from '../support/world.ts'

/** A component that is what a test says of it, and otherwise does nothing. */
export const part = (name: string, more: Partial<StackComponent> = {}): StackComponent => ({
  name,
  version: '1.0.0',
  required: false,
  needsInference: false,
  ...more,
})

/** Time runs out when the test says so. */
export function handTimer() {
  const waiting = new Set<() => void>()
  const timer: Timer = (_ms, run) => {
    waiting.add(run)
    return () => waiting.delete(run)
  }
  const expire = async (): Promise<void> => {
    // The hook is called a few turns after its dispatch.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    for (const run of [...waiting]) run()
  }
  return { timer, expire, waiting }
}

export function registryOf(...components: readonly StackComponent[]) {
  const hand = handTimer()
  const registry = new ComponentRegistry({ clock: fakeClock(), timer: hand.timer, components })
  return { registry, ...hand }
}

const memory = {
  ref: `note:${idAt(1)}`,
  kind: 'note',
  id: idAt(1),
  body: { content: 'rain', tags: ['weather'] },
  text: 'rain',
  confidence: 0.8,
  strength: 1,
  isProtected: false,
} as unknown as ComponentMemory // papers are of no interest here

export const saved = (): SaveEvent => ({
  kind: memory.kind,
  id: memory.id,
  ref: memory.ref,
  memory,
})

export const found = (n: number, more: Partial<SearchResult> = {}): SearchResult => ({
  memoryType: 'note',
  memoryId: idAt(n),
  content: `note ${n}`,
  score: 1 / n,
  metadata: { confidence: 0.8 },
  ...more,
})

export const model = (modelId: string): InferencePort => ({
  modelId,
  infer: async (prompt) => `${modelId}: ${prompt}`,
})

export const never = (): Promise<never> => new Promise(() => {})
