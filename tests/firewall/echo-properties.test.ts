import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { parseStackId, type Ref } from '../../src/domain/ids.ts'
import type { Store } from '../../src/ports/store.ts'
import { printOf } from '../../src/recall/embed/print.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { likeness } from '../gate/reference/likeness.ts'
import { verifyLedger } from '../ledger/naive-verifier.ts'
import { ledgerOf } from '../ledger/vandal.ts'
import { at, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { likenessOf } from '../support/prints.ts'

const SAID = 'The release train leaves every second Tuesday at 14:30'
const WAYS: readonly string[] = [
  SAID,
  'the release train leaves every second tuesday, at 14:30!',
  'Release trains leave every second Tuesday at 14:30.',
  'Every second Tuesday at 14:30 the release train leaves',
  'Note that the release train leaves every second Tuesday at 14:30',
  'The release train leaves every second Tuesday at 15:30',
  'The release train never leaves on a second Tuesday at 14:30',
  'Lunch is served in the canteen on the ground floor',
]

const telling = fc.record({
  way: fc.nat({ max: WAYS.length - 1 }),
  session: fc.nat({ max: 2 }),
  label: fc.constantFrom('ModelDerived', 'RecallReEntry'),
  door: fc.constantFrom('mcp', 'cli', 'lib'),
  reads: fc.boolean(),
})
type Telling = typeof telling extends fc.Arbitrary<infer T> ? T : never

/** A person's note, and a model that reads it and says it again; what is left of the note. */
async function play(store: Store, tellings: readonly Telling[]) {
  const stack = await openStack('test', { store, ...fakeWorld(1) })
  const raw = await stack.write(
    { kind: 'raw', body: { content: SAID }, provenance: saying('ExternalFirstHand') },
    at('lib'),
  )
  const derivedFrom = [raw.ref as Ref]
  const write = (content: string, more: Parameters<typeof saying>, caller = at('lib')) =>
    stack.write({ kind: 'note', body: { content }, provenance: saying(...more) }, caller)
  const first = await write(SAID, ['UserAsserted', { derivedFrom }])
  const note = () => stack.getMemory('note', String(first.id))
  const before = await note()
  for (const { way, session, label, door, reads } of tellings) {
    const caller = at(door, { session: `talk-${session}` })
    if (reads) await stack.history.trace(String(first.ref), { caller })
    await write(WAYS[way] as string, [label, { derivedFrom }], caller)
  }
  const { problems } = await stack.ledger.audit()
  return { before, after: await note(), problems }
}

const bytesOf = async (store: Store): Promise<readonly string[]> => {
  const rows = await store.read(parseStackId('test'), { type: 'entries', from: 0, limit: 1_000 })
  return rows.map(({ hash }) => hash)
}

describe('whatever a model says again', () => {
  holds(
    'FIREWALL-ECHO',
    'moves nothing of what it repeats, and every store and verifier agrees',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(telling, { maxLength: 24 }), async (tellings) => {
          const memory = new MemoryStore()
          const sqlite = new SqliteStore({ path: ':memory:' })
          try {
            const played = await play(memory, tellings)
            expect(played.after).toEqual(played.before)
            expect(played.problems).toEqual([])
            expect(verifyLedger(ledgerOf(memory.rows(parseStackId('test'))))).toEqual([])
            expect((await play(sqlite, tellings)).problems).toEqual([])
            expect(await bytesOf(sqlite)).toEqual(await bytesOf(memory))
          } finally {
            await sqlite.close()
          }
        }),
        { numRuns: 40 },
      )
    },
  )
})

test('likeness by prints is what the words themselves give', () => {
  const word = fc.constantFrom(...new Set(WAYS.join(' ').split(' ')), 'Zarquon', 'deploys', 'not')
  const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
  let alike = 0
  fc.assert(
    fc.property(text, text, fc.boolean(), (said, other, isSame) => {
      const source = isSame ? said.split(' ').toReversed().join(' ') : other
      const like = likenessOf(printOf(said), printOf(source))
      expect(like).toBe(likeness(said, source))
      if (like !== null) alike += 1
    }),
    { numRuns: 500 },
  )
  expect(alike).toBeGreaterThan(20)
})
