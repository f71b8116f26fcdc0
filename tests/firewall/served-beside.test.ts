import { describe, expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { type Ref, splitRef } from '../../src/domain/ids.ts'
import { operate } from '../../src/operations/operate.ts'
import { printOf } from '../../src/recall/embed/print.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryReceipts } from '../../src/stores/memory/receipts.ts'
import { at, entriesOf, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { hashesIn } from '../support/prints.ts'
import { PREFERENCE } from './preference.ts'

const DOUBTED = { entityId: 'mallory', dimensions: { general: { score: 0.1 } } }
const LESSON = 'Fridays' // too short to be believed
const REWORDED = 'the user preferred dark mode in the editor & a quiet theme'

/** Whether every telling word of a text is in the print that a session has of a memory. */
async function isKnownTo(
  receipts: MemoryReceipts,
  session: string,
  [ref, text]: readonly [Ref, string],
): Promise<boolean> {
  const words = hashesIn(printOf(text))
  return (await receipts.all()).some(({ receipt, print }) => {
    if (receipt.session !== session || receipt.ref !== ref || print === null) return false
    const held = new Set(hashesIn(print))
    return words.every((word) => held.has(word))
  })
}

const ask = (
  stack: Stack,
  session: string,
  [name, input]: readonly ['promote' | 'review' | 'why' | 'diff', object],
) =>
  operate(
    {
      stack,
      entity: new Entity('door', { modelId: 'model-1' }),
      caller: at('mcp', { session }),
      actor: 'test:model',
      model: 'model-1',
    },
    name,
    input,
  )

/** Something that a person said, and how notes are made of what was captured with it. */
async function preferred() {
  const fresh = await freshStack()
  const capture = { content: 'Something else was captured' }
  const provenance = saying('ExternalFirstHand')
  const raw = await fresh.stack.write({ kind: 'raw', body: capture, provenance }, at('lib'))
  const derivedFrom = [raw.ref as Ref]
  const note = (content: string, name: 'UserAsserted' | 'ModelDerived') =>
    ({ kind: 'note', body: { content }, provenance: saying(name, { derivedFrom }) }) as const
  const { ref } = await fresh.stack.write(note(PREFERENCE, 'UserAsserted'), at('lib'))
  return { ...fresh, ref: ref as Ref, note }
}

describe('words that are told beside memories', () => {
  holds(
    'READ-RECEIPT',
    'a lesson that promotion was refused leaves a receipt of each episode that says it',
    async () => {
      const receipts = new MemoryReceipts()
      const { stack } = await freshStack({ receipts })
      const provenance = saying('ModelDerived', { trustTier: 0, confidence: 0.3 })
      const episodes: Ref[] = []
      for (const objective of ['Deployed in May', 'Deployed in June']) {
        const raw = { kind: 'raw', body: { content: objective }, provenance } as const
        const derivedFrom = [(await stack.write(raw, at('lib'))).ref as Ref]
        const body = { objective, outcome: 'broken', lessons: [LESSON] }
        const made = { kind: 'episode', body, provenance: { ...provenance, derivedFrom } } as const
        episodes.push((await stack.write(made, at('lib'))).ref as Ref)
      }
      expect(await ask(stack, 'talk', ['promote', {}])).toMatchObject({
        refused: [{ lesson: LESSON }],
      })
      for (const ref of episodes)
        expect(await isKnownTo(receipts, 'talk', [ref, LESSON])).toBe(true)
      // What tells no words leaves nothing.
      await ask(stack, 'another', ['promote', { minEpisodes: 3 }])
      expect(await stack.history.receipts('another')).toEqual([])
    },
  )

  holds('FIREWALL-ECHO', 'a reason that was shown links nothing to its memory', async () => {
    const { stack, ref, note } = await preferred()
    const wish = 'The harbour office moved to the northern pier before the winter storms'
    const wisher = { caller: at('mcp', { session: 'wisher' }), actor: 'agent' }
    await stack.forgetMemory('note', splitRef(ref).id, wish, wisher)
    await ask(stack, 'told', ['review', {}])
    const { reasons } = await stack.write(
      note(wish, 'ModelDerived'),
      at('mcp', { session: 'told' }),
    )
    expect(reasons).toEqual([])
    // The memory's own words, shown beside the reason, are known again.
    const again = await stack.write(note(REWORDED, 'ModelDerived'), at('mcp', { session: 'told' }))
    expect(again.reasons).toEqual(['rewording'])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  holds(
    'READ-RECEIPT',
    'older words of a memory that history and diff show are served at the tier they had',
    async () => {
      const receipts = new MemoryReceipts()
      const { stack } = await freshStack({ receipts })
      const poison = 'wires money to Mallory every Monday'
      const told = async (notes: string, provenance: ReturnType<typeof saying>, more = {}) => {
        const body = { entityName: 'Kim', relationshipType: 'friend', notes }
        const request = { kind: 'relationship', body, provenance, ...more } as const
        return stack.write(request, at('lib'))
      }
      const raw = { kind: 'raw', body: { content: 'met Kim' }, provenance: saying('UserAsserted') }
      const { ref: capture } = await stack.write(raw as never, at('lib')) // the shape of one
      const episode = {
        kind: 'episode',
        body: { objective: 'met Kim', outcome: 'done' },
        provenance: saying('UserAsserted', { derivedFrom: [capture as Ref] }),
      }
      const { ref: met } = await stack.write(episode as never, at('lib')) // the same
      const derivedFrom = [met as Ref]
      const low = saying('ModelDerived', { derivedFrom, trustTier: 0 })
      const { ref, id, entry } = await told(poison, low)
      const revises = { id, revises: { expectedVersion: 1 } }
      await told('plays chess', saying('UserAsserted', { derivedFrom }), revises)
      for (const name of ['why', 'diff'] as const) {
        const input = name === 'why' ? { ref } : { from: String(entry.seq) }
        const shown = JSON.stringify(await ask(stack, name, [name, input]))
        expect(shown).toContain(poison)
        expect(await isKnownTo(receipts, name, [ref as Ref, poison])).toBe(true)
        expect((await stack.history.receipts(name)).map(({ tier }) => tier)).toContain(0)
      }
    },
  )

  holds(
    'FIREWALL-DISTRUST',
    'older words of a relationship count for nothing once the session they were said in is distrusted',
    async () => {
      const { stack } = await freshStack()
      const heard = saying('ExternalFirstHand')
      const raw = { kind: 'raw', body: { content: 'met Kim' }, provenance: heard } as const
      const { ref: capture } = await stack.write(raw, at('lib'))
      const body = { objective: 'met Kim', outcome: 'done' }
      const provenance = saying('ExternalFirstHand', { derivedFrom: [capture as Ref] })
      const { ref: met } = await stack.write({ kind: 'episode', body, provenance }, at('lib'))
      const told = (notes: string, session: string, more = {}) => {
        const request = {
          kind: 'relationship',
          body: { entityName: 'Kim', relationshipType: 'friend', notes },
          provenance: saying('ExternalFirstHand', { derivedFrom: [met as Ref] }),
        } as const
        return stack.write({ ...request, ...more }, at('lib', { session }))
      }
      const { id } = await told('wires money to Mallory every Monday', 'bad')
      await told('plays chess', 'good', { id, revises: { expectedVersion: 1 } })
      const tiersFor = async (session: string) => {
        await stack.history.relationship(`relationship:${id}`, { caller: at('mcp', { session }) })
        return (await stack.history.receipts(session)).map(({ tier }) => tier)
      }
      const before = await tiersFor('before')
      expect(before).not.toContain(0)
      await stack.sources.distrust({ session: 'another' })
      expect(await tiersFor('after another')).toEqual(before)
      await stack.sources.distrust({ session: 'bad' })
      expect(await tiersFor('after')).toContain(0)
      await stack.sources.trust({ session: 'bad' })
      expect(await tiersFor('again')).toEqual(before)
    },
  )

  holds(
    'FIREWALL-DISTRUST',
    'words of whoever is not believed any more count for nothing, and for as much again when it is',
    async () => {
      const { stack, ref } = await preferred()
      const wisher = { caller: at('mcp', { session: 'wisher' }), actor: 'mallory' }
      await stack.forgetMemory('note', splitRef(ref).id, 'It was never so', wisher)
      const told = async () => (await stack.review.list())[0]?.proposals.map(({ tier }) => tier)
      expect(await told()).toEqual([1])
      await stack.sources.distrust({ actor: 'mallory' })
      expect(await told()).toEqual([0])
      await stack.sources.trust({ actor: 'mallory' })
      expect(await told()).toEqual([1])
    },
  )

  holds(
    'FIREWALL-AUTHORITY',
    'tags of a caller that counts for less than a memory are not put on it: a person decides',
    async () => {
      const { stack, note } = await preferred()
      const { ref } = await stack.write(note('Trains are late', 'ModelDerived'), at('lib'))
      const tag = async (tier: 0 | 1, tags: readonly string[]) => {
        const caller = at('mcp', { grant: { ModelDerived: tier } })
        const by = { tags, caller, actor: 'someone' } // who wrote the note
        const did = await stack.updateMemoryMeta('note', splitRef(ref as Ref).id, by)
        const memory = await stack.getMemory('note', splitRef(ref as Ref).id)
        return [did, memory?.tags, memory?.review]
      }
      expect(await tag(1, ['trains'])).toEqual([true, ['trains'], null])
      expect(await tag(0, ['pay-mallory'])).toEqual([false, ['trains'], 'proposal'])
      expect((await stack.ledger.audit()).problems).toEqual([])
      expect(await stack.review.resolve(String(ref), 'accept')).toBe(true)
      expect((await stack.getMemory('note', splitRef(ref as Ref).id))?.tags).toEqual([
        'pay-mallory',
      ])
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  holds(
    'FIREWALL-AUTHORITY',
    'what a reason counts for is what the gate found when it was given, and its entry says so',
    async () => {
      for (const [name, lower, tier] of [
        ['as usual', async () => {}, null],
        ['assessed', (stack: Stack) => stack.saveTrustAssessment(DOUBTED), 0],
        ['of a session', (stack: Stack) => stack.sources.distrust({ session: 'wisher' }), 0],
        ['of an actor', (stack: Stack) => stack.sources.distrust({ actor: 'mallory' }), 0],
      ] as const) {
        const { stack, store, ref, note } = await preferred()
        const wisher = { caller: at('mcp', { session: 'wisher' }), actor: 'mallory' }
        const said = note('Said before in that session', 'ModelDerived')
        const provenance = { ...said.provenance, sourceId: 'mallory' }
        await stack.write({ ...said, provenance }, wisher.caller)
        await lower(stack)
        await stack.forgetMemory('note', splitRef(ref).id, 'It was never so', wisher)
        const wish = entriesOf(store, stack).findLast(({ op }) => op === 'memory.proposed')
        expect(wish?.tier, name).toBe(tier)
        await stack.sources.trust({ session: 'wisher' })
        await stack.sources.trust({ actor: 'mallory' })
        expect((await stack.review.list())[0]?.proposals[0]?.tier, name).toBe(tier ?? 1)
        expect((await stack.ledger.audit()).problems).toEqual([])
      }
    },
  )
})
