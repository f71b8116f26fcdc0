import type { Ref } from '../../src/domain/ids.ts'
import { splitRef } from '../../src/domain/ids.ts'
import type { Memory } from '../../src/engine/read/memory-view.ts'
import type { Stack } from '../../src/stack.ts'
import { freshEntity } from '../stack/support.ts'

/** A memory that is there; a test that asks for another one fails here. */
export async function memoryOf(stack: Stack, ref: Ref): Promise<Memory> {
  const { kind, id } = splitRef(ref)
  const memory = await stack.getMemory(kind, id)
  if (!memory) throw new Error(`${ref} is not there`)
  return memory
}

/** What was said, what was noted of it, and what is believed because of it. */
export async function smallFamily() {
  const world = await freshEntity()
  const { me } = world
  const raw = await me.raw('The deploy failed: migration 12 locked the table')
  const episode = await me.episode({
    objective: 'deploy version two',
    outcome: 'failed on a lock',
    lessons: ['migrate first'],
    derivedFrom: [raw.ref],
    observed: true,
  })
  const belief = await me.belief('Migrations go before deployments', {
    confidence: 0.8,
    derivedFrom: [episode.ref],
  })
  const value = await me.value('care', 'Doing things in order matters', {
    derivedFrom: [belief.ref],
  })
  return { ...world, raw: raw.ref, episode: episode.ref, belief: belief.ref, value: value.ref }
}

export const idOf = (ref: Ref): string => splitRef(ref).id
