import fc from 'fast-check'
import { expect } from 'vitest'
import type { MemoryState } from '../../src/domain/state.ts'
import type { Store } from '../../src/ports/store.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { textOf } from '../../src/testing/conformance/compare.ts'
import { Scribe } from '../../src/testing/conformance/scribe.ts'
import { holds } from '../support/holds.ts'
import { DEMO } from './support/history.ts'
import { queries, type Step, steps, withFields } from './support/rows.ts'

const RUNS = 60

/** The same rows into every store; equal steps give equal batches. */
async function write(stores: readonly Store[], taken: readonly Step[]): Promise<void> {
  const scribe = new Scribe(DEMO)
  scribe.birth()
  const states: MemoryState[] = []
  const commit = async (): Promise<void> => {
    const { batch, expected } = scribe.batch()
    for (const store of stores) await store.commit(DEMO, batch, expected)
  }
  for (const step of taken) {
    if (step.type === 'commit') await commit()
    else if (step.type === 'save') {
      const { kind, content, identity, fields } = step
      const state = withFields(scribe.save({ kind, content, identity }), fields)
      scribe.replace(state)
      states.push(state)
    } else {
      const at = states.length - 1 - step.back
      const state = states[at]
      if (state) states[at] = changed(scribe, state, step)
    }
  }
  await commit()
}

function changed(
  scribe: Scribe,
  state: MemoryState,
  step: Exclude<Step, { type: 'save' | 'commit' }>,
): MemoryState {
  switch (step.type) {
    case 'revise':
      return scribe.revise(state.ref, step)
    case 'note':
      return scribe.note(state.ref, step.name)
    case 'set': {
      const after = withFields(state, step.fields)
      scribe.replace(after)
      return after
    }
  }
}

holds(
  'STORE-SAME',
  'random rows give the same answers to random questions in memory and in SQLite, scores included',
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, queries, async (taken, asked) => {
        const reference = new MemoryStore()
        const store = new SqliteStore({ path: ':memory:' })
        await write([reference, store], taken)
        for (const query of asked) {
          const [expected, found] = [
            await reference.read(DEMO, query),
            await store.read(DEMO, query),
          ]
          expect(textOf(found), JSON.stringify(query)).toBe(textOf(expected))
        }
        await store.close()
      }),
      { numRuns: RUNS },
    )
  },
)
