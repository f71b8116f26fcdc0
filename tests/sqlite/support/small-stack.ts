import { Entity } from '../../../src/agent/entity.ts'
import { openStack } from '../../../src/compose/open-stack.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Stack } from '../../../src/stack.ts'
import { SqliteStore, type SqliteStoreOptions } from '../../../src/stores/sqlite/store.ts'
import { fakeWorld } from '../../../src/testing/world.ts'
import { DEMO } from './history.ts'

export interface Opened {
  readonly store: SqliteStore
  readonly stack: Stack
  readonly me: Entity
  close(): Promise<void>
}

interface OpenOn extends Partial<SqliteStoreOptions> {
  readonly seed?: number
  readonly minutesLater?: number
}

/** A stack on a file, with somebody to write into it; another seed for every other opening. */
export async function openOn(
  path: string,
  { seed = 1, minutesLater = 0, ...options }: OpenOn = {},
): Promise<Opened> {
  const store = new SqliteStore({ path, ...options })
  const world = fakeWorld(seed)
  world.clock.advance({ minutes: minutesLater })
  const stack = await openStack(DEMO, { store, ...world })
  return {
    store,
    stack,
    me: new Entity('agent'),
    close: async () => {
      await stack.close()
      await store.close()
    },
  }
}

/** Captures, derivations, a repeat, a refusal: a little of everything, in eleven memories. */
export async function writeSmallHistory({ stack, me }: Pick<Opened, 'stack' | 'me'>) {
  await me.attachStack(stack)
  const raw = await me.raw('Deploy failed: migration 12 locked the table')
  const note = await me.note('Migrations lock tables', { observed: true })
  const claim = await me.claim({ subject: 'user', predicate: 'city', value: 'Berlin' })
  const episode = await me.episode({ objective: 'deploy', outcome: 'failed', observed: true })
  const belief = await me.belief('Migrations go before deploys', {
    derivedFrom: [episode.ref ?? ''],
  })
  const both = { derivedFrom: [note.ref ?? '', claim.ref ?? ''] }
  const joint = await me.belief('Berlin deploys need migrations first', both)
  await me.belief('Migrations go before deploys', { derivedFrom: [note.ref ?? ''] })
  await me.belief('Nobody said so at all').catch(() => undefined)
  return { raw, note, claim, episode, belief, joint }
}

export const headOf = async (store: Store) =>
  (await store.read(DEMO, { type: 'standing' })).tip.head
