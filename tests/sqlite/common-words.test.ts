import { expect } from 'vitest'
import { parseStackId } from '../../src/domain/ids.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { EMPTY_TIP, Scribe } from '../../src/testing/conformance/scribe.ts'
import { holds } from '../support/holds.ts'

const MEMORIES = 6_000 // so that common words are held often enough to be told from telling ones

/** Every memory says elm and fir; a fifth says yew in passing, and two fifths go on about ash. */
const CONTENTS = [
  `elm fir yew ${'moss '.repeat(40)}`,
  'elm fir ash ash ash ash ash ash',
  'elm fir oak',
  'elm fir ash ash ash ash ash ash',
  'elm fir oak oak pine',
] as const

const QUESTIONS = [
  ['yew', 'elm', 'fir'], // whoever says yew is among the best
  ['yew', 'ash', 'elm', 'fir'], // the telling word is yew, and those about ash come before it
  ['pine', 'oak', 'elm', 'fir', 'ash'],
  ['elm', 'fir'],
] as const

holds('STORE-SAME', 'common words are ranked as in the reference, page after page', async () => {
  const scribe = new Scribe(parseStackId('woods'))
  scribe.birth()
  for (let count = 0; count < MEMORIES; count += 1) {
    const content = CONTENTS[count % CONTENTS.length] ?? ''
    scribe.save({ kind: count % 99 === 0 ? 'note' : 'raw', content })
  }
  const store = new SqliteStore({ path: ':memory:' })
  const reference = new MemoryStore()
  await reference.commit(scribe.stackId, await scribe.commit(store), EMPTY_TIP.head)
  for (const terms of QUESTIONS) {
    for (const kinds of [['raw', 'note'], ['note']] as const) {
      for (const skip of [0, 50]) {
        const query = { type: 'match', terms, kinds, skip, limit: 50 } as const
        const found = await store.read(scribe.stackId, query)
        expect(found).toEqual(await reference.read(scribe.stackId, query))
      }
      for (const hits of [3, 128, 1_024, 10_000]) {
        const query = { type: 'recall', terms, near: [], kinds, hits } as const
        const found = await store.read(scribe.stackId, query)
        expect(found).toEqual(await reference.read(scribe.stackId, query))
      }
    }
  }
  await store.close()
})
