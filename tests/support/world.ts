import { hash } from 'node:crypto'
import { nodeHasher } from '../../src/compose/node-world.ts'
import type { Hash, MemoryId } from '../../src/domain/ids.ts'
import { fakeClock, seededRandom } from '../../src/testing/world.ts'

export const testSha256 = (data: Uint8Array | string): Hash => hash('sha256', data, 'hex') as Hash // 64 hex digits

/** The n-th id of every counting source: shaped like a UUIDv7, and its number can be read off. */
export const idAt = (n: number): MemoryId =>
  `01980000-0000-7000-8000-${n.toString(16).padStart(12, '0')}` as MemoryId // 8-4-4-4-12 hex digits

/** What every test world's clock says at first. */
export const WORLD_START = fakeClock().now()

/** Where the ids of a world start when nobody says; ids that a test gives by hand stay below. */
const FIRST_ID = 1_000_000

/** Time, chance and identity without surprises: equal calls in equal order give equal bytes. */
export const testWorld = (of: Parameters<typeof openWorld>[0] = {}) => ({
  ...openWorld(of),
  sha256: testSha256,
  hasher: nodeHasher,
})

/** The same as far as whoever opens a stack may give it. */
export function openWorld({ seed = 1, firstId = FIRST_ID } = {}) {
  let made = 0
  return {
    clock: fakeClock(),
    timer: () => () => {}, // nothing here takes long enough to be cut off
    ids: {
      next: (): MemoryId => {
        made += 1
        return idAt(firstId + made - 1)
      },
    },
    random: seededRandom(seed),
  }
}

export type TestWorld = ReturnType<typeof testWorld>
