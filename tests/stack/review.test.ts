import { describe, expect, test } from 'vitest'
import { memoryKeyring } from '../../src/compose/keyring.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'
import { at, entriesOf, freshStack, saying } from './support.ts'

const WORDS = 'Everybody says so'
const PERSON = at('explorer', { person: true })

async function sourceIn(stack: Stack): Promise<readonly string[]> {
  const [known] = await stack.getRaw({ limit: 1 })
  if (known) return [known.ref]
  const { ref } = await stack.write({
    kind: 'raw',
    body: { content: 'x' },
    provenance: saying('ExternalFirstHand'),
  })
  return ref ? [ref] : []
}

async function say(stack: Stack, content: string, sourceId = 'loop') {
  const derivedFrom = (await sourceIn(stack)) as never // refs
  const provenance = saying('ModelDerived', { derivedFrom, sourceId })
  return stack.write({ kind: 'note', body: { content }, provenance }, at('mcp'))
}

/** Says words that no live memory says, until they are set aside. */
async function burst(stack: Stack): Promise<string> {
  const { id } = await say(stack, WORDS)
  await stack.forgetMemory('note', id ?? '', 'said in a loop')
  for (let times = 0; times < 11; times += 1) {
    const { disposition, ref } = await say(stack, WORDS)
    if (disposition === 'Quarantined') return String(ref)
  }
  throw new Error('the burst was not noticed')
}

describe('a person’s no', () => {
  holds(
    'GATE-ONE-ENTRY',
    'is one entry; the memory stays visible, rejected, and may not be cited',
    async () => {
      const { stack, store } = await freshStack()
      const ref = await burst(stack)
      const { seq } = await stack.review.reject(ref, PERSON)
      expect(entriesOf(store, stack)[seq]).toMatchObject({
        op: 'quarantine.rejected',
        ref,
        door: 'explorer',
        decision: { disposition: 'Rejected', reasons: ['person_said_no'] },
      })
      const memory = await stack.getMemory('note', ref.slice('note:'.length))
      expect(memory).toMatchObject({ disposition: 'Rejected', body: { content: WORDS } })
      const belief = {
        kind: 'belief' as const,
        body: { statement: 'Everybody must be right' },
        provenance: saying('ModelDerived', { derivedFrom: [ref as never] }),
      }
      expect(await stack.write(belief)).toMatchObject({ ref: null, reasons: ['parent_rejected'] })
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  holds(
    'PROV-NOBYPASS',
    'keeps the same words of the same actor out, in whatever case and spacing',
    async () => {
      const { stack } = await freshStack()
      await stack.review.reject(await burst(stack), PERSON)
      for (const words of [WORDS, WORDS.toUpperCase(), `  everybody\tsays   so `]) {
        expect(await say(stack, words)).toMatchObject({
          ref: null,
          rule: 'tombstone',
          reasons: ['tombstoned'],
        })
      }
      // Other words, and the same words of somebody else, are not meant.
      expect(await say(stack, 'Hardly anybody says so')).toMatchObject({ rule: 'admit' })
      expect((await say(stack, WORDS, 'somebody else')).rule).not.toBe('tombstone')
    },
  )

  holds(
    'PROV-NOBYPASS',
    'holds in another process, and without its key nothing is let in unchecked',
    async () => {
      const store = new MemoryStore()
      const keyring = memoryKeyring()
      const world = fakeWorld(1)
      const first = await openStack('test', { store, keyring, ...world })
      const early = await openStack('test', { store, keyring, ...world })
      await first.review.reject(await burst(first), PERSON)
      expect(await say(early, WORDS)).toMatchObject({ rule: 'tombstone' })
      const later = await openStack('test', { store, keyring, ...world })
      expect(await say(later, WORDS)).toMatchObject({ rule: 'tombstone' })
      const elsewhere = await openStack('test', { store, keyring: memoryKeyring(), ...world })
      for (const words of [WORDS, 'Something else entirely']) {
        await expect(say(elsewhere, words)).rejects.toMatchObject({ code: 'tombstone_key_missing' })
      }
      // An event's words may be the erased ones too.
      const raw = { kind: 'raw', body: { content: 'It rained' } } as const
      const provenance = saying('ExternalFirstHand')
      await expect(elsewhere.write({ ...raw, provenance }, at('lib'))).rejects.toMatchObject({
        code: 'tombstone_key_missing',
        hint: expect.stringContaining(`keys/${elsewhere.ledger.uid}`),
      })
      expect([later.ledger.lacksKey, elsewhere.ledger.lacksKey]).toEqual([false, true])
    },
  )

  holds(
    'PROV-DOOR',
    'is a person’s to say, or the host’s; a model at a door changes nothing',
    async () => {
      const { stack, store } = await freshStack()
      const ref = await burst(stack)
      const { tip } = store.rows(stack.stackId)
      for (const door of ['mcp', 'http', 'cli', 'hook'] as const) {
        await expect(stack.review.reject(ref, at(door))).rejects.toMatchObject({
          code: 'scope',
        })
      }
      expect(store.rows(stack.stackId).tip).toEqual(tip)
      await stack.review.reject(ref)
    },
  )

  holds(
    'GATE-ONE-ENTRY',
    'is said once, to what is in quarantine, and not in maintenance',
    async () => {
      const { stack, store } = await freshStack()
      const ref = await burst(stack)
      const [source] = await sourceIn(stack)
      await expect(stack.review.reject(String(source))).rejects.toMatchObject({
        code: 'invalid_input',
      })
      await stack.control.setState('MAINTENANCE')
      await expect(stack.review.reject(ref)).rejects.toMatchObject({ code: 'maintenance_mode' })
      await stack.control.setState('ACTIVE')
      await stack.review.reject(ref)
      const { tip } = store.rows(stack.stackId)
      await expect(stack.review.reject(ref)).rejects.toMatchObject({ code: 'invalid_input' })
      expect(store.rows(stack.stackId).tip).toEqual(tip)
    },
  )

  holds(
    'GATE-ONE-ENTRY',
    'to a burst: what follows while it stands is counted, not written',
    async () => {
      const { stack, store } = await freshStack()
      const ref = await burst(stack)
      const { entries } = store.rows(stack.stackId)
      const before = entries.length
      for (let times = 0; times < 30; times += 1) {
        expect(await say(stack, WORDS)).toMatchObject({ ref, disposition: 'Quarantined' })
      }
      expect(store.rows(stack.stackId).entries.length).toBe(before)
    },
  )
})

describe('a suggestion', () => {
  async function suggested(label: 'UserAsserted' | 'ModelDerived') {
    const { stack, store } = await freshStack()
    const content = { content: 'Trains, not flights' }
    const sources = await sourceIn(stack)
    const { ref } = await stack.write(
      {
        kind: 'suggestion',
        body: { memoryType: 'note', content, confidence: 0.8, sourceRefs: [...sources] },
        provenance: saying(label),
      },
      label === 'UserAsserted' ? PERSON : at('mcp'),
    )
    const id = String(ref).slice('suggestion:'.length)
    return { stack, store, ref: String(ref), id }
  }

  test('of a person is not settled by a model, one way or the other', async () => {
    const { stack, store, ref, id } = await suggested('UserAsserted')
    const caller = at('mcp')
    const before = entriesOf(store, stack).length
    expect(await stack.review.resolve(ref, 'accept', { caller })).toBe(false)
    expect(await stack.review.resolve(ref, 'dismiss', { caller })).toBe(false)
    expect(await stack.acceptSuggestion(id, null, { caller })).toBeNull()
    expect(await stack.dismissSuggestion(id, 'no', { caller })).toBe(false)
    expect(entriesOf(store, stack)).toHaveLength(before)
    expect((await stack.getSuggestion(id))?.status).toBe('pending')
    expect(await stack.review.resolve(ref, 'accept', { caller: PERSON })).toBe(true)
  })

  test('of a model may be settled by one', async () => {
    const { stack, ref } = await suggested('ModelDerived')
    expect(await stack.review.resolve(ref, 'dismiss', { caller: at('mcp') })).toBe(true)
  })
})

describe('an item of the queue says since when it waits', () => {
  async function agedNote() {
    const fresh = await freshStack()
    const derivedFrom = (await sourceIn(fresh.stack)) as never // refs
    const said = await fresh.stack.write({
      kind: 'note',
      body: { content: 'Deploys freeze on Friday' },
      provenance: saying('ExternalFirstHand', { derivedFrom }),
    })
    const { createdAt } = (await fresh.stack.getNotes())[0] ?? { createdAt: '' }
    fresh.clock.advance({ days: 30 })
    return { ...fresh, said, createdAt, now: () => new Date(fresh.clock.now()).toISOString() }
  }

  test('for a proposal, the time of the proposal', async () => {
    const { stack, said, createdAt, now } = await agedNote()
    await stack.forgetMemory('note', said.id ?? '', 'no longer so', { caller: at('mcp') })
    const [item] = await stack.review.list()
    expect(item).toMatchObject({ kind: 'proposal', since: now() })
    expect(item?.since).not.toBe(createdAt)
  })

  test('for a lost source, the time of the loss', async () => {
    const { stack, said, clock, now } = await agedNote()
    const derivedFrom = [said.ref] as never // refs
    await stack.write({
      kind: 'belief',
      body: { statement: 'Fridays are quiet' },
      provenance: saying('ModelDerived', { derivedFrom }),
    })
    clock.advance({ days: 30 })
    await stack.forgetMemory('note', said.id ?? '', 'wrong day', { caller: PERSON })
    const [item] = await stack.review.list()
    expect(item).toMatchObject({ kind: 'ungrounded', since: now() })
  })

  test('for what was set aside, the time of the words', async () => {
    const { stack, clock, now } = await agedNote()
    await burst(stack)
    const then = now()
    clock.advance({ days: 3 })
    expect((await stack.review.list())[0]).toMatchObject({ kind: 'quarantine', since: then })
  })
})
