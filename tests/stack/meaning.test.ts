import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { staticEmbedder } from '../../src/compose/static-embedder.ts'
import { parseStackId } from '../../src/domain/ids.ts'
import { Entity, openStack } from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { foundIn, spellingsOfBytes } from '../erasure/scan.ts'
import { holds } from '../support/holds.ts'

const DEMO = parseStackId('demo')
const ORDINARY = Array.from(
  { length: 90 },
  (_, at) => `The ledger of year ${at} lies in box ${at}.`,
)

async function opened(options: Parameters<typeof openStack>[1]) {
  const stack = await openStack('demo', options)
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const found = async (text: string, more = {}) =>
    (await stack.search(text, { limit: 5, ...more })).map(({ content }) => content)
  return { stack, me, found }
}

const home = () => mkdtempSync(join(tmpdir(), 'muniment-meaning-'))

async function vectorsIn(path: string) {
  const store = new SqliteStore({ path, readOnly: true })
  const { id, dimension } = staticEmbedder()
  const kept = await store.read(DEMO, { type: 'vectors', model: { id, dimension } })
  const { tip } = await store.read(DEMO, { type: 'standing' })
  await store.close()
  return { ...kept, head: tip.head.seq }
}

/** Questions that share no word with what answers them. */
const ASKED = [
  ['puppy', 'We adopted a small dog'],
  ['holiday', 'Our vacation in Spain was lovely'],
  ['illness', 'He has been sick with flu'],
  ['physician', 'My doctor retired in March'],
  ['which meals does she enjoy', 'Pizza is her favourite food'],
] as const

test('what shares no word with the question is found by what it means, in every store', async () => {
  const ranks: (readonly string[])[][] = []
  for (const options of [{ store: new MemoryStore() }, { path: ':memory:' }]) {
    const { stack, me, found } = await opened(options)
    for (const text of [...ORDINARY, ...ASKED.map(([, said]) => said)]) await me.note(text)
    const results = []
    for (const [asked, said] of ASKED) {
      const order = await found(asked)
      expect(order[0], asked).toBe(said)
      results.push(order)
    }
    ranks.push(results)
    await stack.close()
  }
  expect(ranks[0]).toEqual(ranks[1])
})

test('every filter holds for what is found by meaning, however few it leaves', async () => {
  const { stack, me, found } = await opened({ store: new MemoryStore() })
  for (let at = 0; at < 700; at += 1) await me.note(`The dog barked, time ${at}`)
  await me.note('The dog sleeps', { context: 'home' })
  expect(await found('puppy', { context: 'home' })).toEqual(['The dog sleeps'])
  expect(await found('puppy', { recordTypes: ['belief'] })).toEqual([])
  expect(await found('puppy')).toHaveLength(5)
  await stack.close()
})

test('a revision is found by what it means now, and no longer by what it meant', async () => {
  const { stack, me, found } = await opened({ store: new MemoryStore() })
  const { ref } = await me.episode({ objective: 'The first walk', outcome: 'done' })
  const ann = { entityName: 'Ann', relationshipType: 'friend' }
  const one = await me.relationship({ ...ann, notes: 'Keeps a small dog', derivedFrom: [ref] })
  expect((await found('puppy'))[0]).toContain('small dog')
  await stack.updateRelationshipAtomic({ id: one.id, ...ann, notes: 'Paints in watercolours' })
  expect(await found('puppy')).toEqual([])
  expect((await found('painter and paintings'))[0]).toContain('watercolours')
  await stack.close()
})

holds(
  ['ERASE-BYTES', 'STORE-REBUILD'],
  'what a memory means is kept for the next process, goes with it, and is made again',
  async () => {
    const folder = home()
    const path = join(folder, 'demo.db')
    const first = await opened({ path, home: folder })
    for (const text of ORDINARY) await first.me.note(text)
    const said = 'My secret pet is a small ginger cat'
    const { ref } = await first.me.note(said)
    expect((await vectorsIn(path)).seqs, 'writing makes none').toHaveLength(0)
    expect(await first.found('kitten')).toEqual([said])
    await first.stack.close()

    const kept = await vectorsIn(path)
    expect(kept.seqs).toHaveLength(ORDINARY.length + 1)
    expect(kept.upto).toBe(kept.head)
    const vector = Buffer.from(staticEmbedder().embed(said).buffer)
    expect(foundIn(folder, spellingsOfBytes(vector)).length).toBeGreaterThan(0)

    const second = await opened({ path, home: folder })
    expect(await second.found('kitten')).toEqual([said])
    await second.stack.erasure.erase(ref)
    expect(await second.found('kitten')).toEqual([])
    expect(foundIn(folder, spellingsOfBytes(vector))).toEqual([])
    await second.stack.ledger.rebuild()
    expect((await vectorsIn(path)).seqs).toHaveLength(0)
    await second.stack.close()

    const third = await opened({ path, home: folder })
    await third.found('kitten')
    await third.stack.close()
    expect((await vectorsIn(path)).seqs).toHaveLength(ORDINARY.length)
    const store = new SqliteStore({ path })
    expect(await store.check()).toEqual([])
    await store.close()
    expect(foundIn(folder, spellingsOfBytes(vector))).toEqual([])
  },
)

test('who waits has a turn while much is embedded', async () => {
  const { stack, me, found } = await opened({ path: ':memory:' })
  for (let number = 0; number < 500; number += 1) await me.note(`Box ${number} lies in the cellar`)
  let turns = 0
  let isDone = false
  const waiting = (): void => {
    turns += 1
    if (!isDone) setImmediate(waiting)
  }
  setImmediate(waiting)
  await found('crate')
  isDone = true
  expect(turns).toBeGreaterThanOrEqual(7) // a thousand entries, and one turn for each 128 of them
  await stack.close()
})

test('meaning is found again once a stack was folded anew', async () => {
  for (const options of [{ store: new MemoryStore() }, { path: ':memory:' }]) {
    const { stack, me, found } = await opened(options)
    for (let number = 0; number < 100; number += 1) await me.raw(`Physician of ward ${number}`)
    expect(await found('doctor')).toHaveLength(5)
    await stack.ledger.rebuild()
    for (let number = 100; number < 180; number += 1) await me.raw(`Physician of ward ${number}`)
    for (let asked = 0; asked < 4; asked += 1) {
      expect(await found('doctor')).toHaveLength(5)
      await new Promise((resolve) => setTimeout(resolve, 20)) // what was made is kept meanwhile
    }
    await stack.close()
  }
})
