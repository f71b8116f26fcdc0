import fc from 'fast-check'
import { expect } from 'vitest'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { holds } from '../support/holds.ts'
import { ownPath } from './support/folder.ts'
import { contentsOf, type History, live } from './support/history.ts'

const RUNS = 12
const histories = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  steps: fc.constantFrom(60, 120),
  atOnce: fc.constantFrom(1, 7, 30),
  enforceProvenance: fc.constantFrom(true, true, false),
})

holds(
  'STORE-SAME',
  'random histories give the same answers and the same bytes in memory and in a file',
  async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history: History) => {
        const reference = new MemoryStore()
        const file = new SqliteStore({ path: ownPath() })
        const expected = await live(reference, history)
        expect(await live(file, history)).toEqual(expected)
        expect(await contentsOf(file)).toEqual(await contentsOf(reference))
        expect(await file.check()).toEqual([])
        await file.close()
      }),
      { numRuns: RUNS },
    )
  },
)
