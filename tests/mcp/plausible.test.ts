import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { unbarred } from '../support/unbarred.ts'
import { linkedTo } from './support/linked.ts'

interface Answer {
  readonly isError: boolean
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>>
}

async function connected() {
  const stack = await openStack('plausible', { store: new MemoryStore() })
  const me = new Entity('me')
  await me.attachStack(stack)
  const { client } = await linkedTo(stack)
  const call = async (name: string, given: Record<string, unknown>): Promise<Answer> => {
    const { isError, content, structuredContent } = await client.callTool({
      name,
      arguments: given,
    })
    const text = (content as readonly { readonly text: string }[]).map((part) => part.text).join('') // text alone
    return {
      isError: isError === true,
      text,
      structured: unbarred((structuredContent ?? {}) as Record<string, unknown>), // an object by its schema
    }
  }
  return { stack, me, call }
}

const memoryAt = async ({ stack }: Awaited<ReturnType<typeof connected>>, ref: unknown) => {
  const memory = await stack.getMemory(...(String(ref).split(':') as ['note', string])) // as kind and id
  if (!memory) throw new Error(`${ref} is not there`)
  return memory
}

describe('a tool takes a value in the form that a model plausibly sends', () => {
  test.each([
    ['a number', 42],
    ['a truth value', true],
    ['a list', ['rust', 'zig']],
    ['an object', { name: 'zig', years: 2 }],
  ])('%s as the value of a claim', async (_, value) => {
    const { call } = await connected()
    const claimed = await call('memory_claim', { subject: 'user', predicate: 'fact', value })
    expect(claimed.isError, claimed.text).toBe(false)
    const asked = await call('memory_ask', { subject: 'user', predicate: 'fact' })
    expect(asked.structured.answers).toMatchObject([{ standing: 'held', values: [{ value }] }])
  })

  test('a reason in words as the source of a claim', async () => {
    const { call } = await connected()
    const fact = { subject: 'user', predicate: 'city', value: 'Lisbon', because: 'They said so.' }
    const claimed = await call('memory_claim', fact)
    expect(claimed.isError, claimed.text).toBe(false)
    const why = await call('meta_lineage', { memory_id: claimed.structured.ref })
    expect(why.text).toContain('They said so.')
  })

  test('text that looks like JSON stays text unless json is set', async () => {
    const { call } = await connected()
    await call('memory_claim', { subject: 'user', predicate: 'pin', value: '42' })
    const asked = await call('memory_ask', { subject: 'user', predicate: 'pin' })
    expect(asked.structured.answers).toMatchObject([{ values: [{ value: '42' }] }])
  })

  test.each([
    ['a text with commas', 'a, b', ['a', 'b']],
    ['one word', 'a', ['a']],
    ['a list as JSON text', '["a","b"]', ['a', 'b']],
    ['a list', ['a', 'b'], ['a', 'b']],
  ])('tags as %s', async (_, tags, kept) => {
    const world = await connected()
    const noted = await world.call('memory_note', { content: 'We deploy on Tuesdays', tags })
    expect(noted.isError, noted.text).toBe(false)
    expect((await memoryAt(world, noted.structured.ref)).tags).toEqual(kept)
  })

  test('a lesson keeps its commas, since a sentence is not a list of words', async () => {
    const world = await connected()
    const lessons = 'Migrate first, then deploy'
    const kept = await world.call('memory_episode', {
      objective: 'deploy v2',
      outcome: 'failed',
      lessons,
    })
    expect((await memoryAt(world, kept.structured.ref)).body).toMatchObject({ lessons: [lessons] })
  })

  test('numbers and truth values as text, and a field that is null as a field left out', async () => {
    const { call } = await connected()
    await call('memory_note', { content: 'One deploy failed' })
    await call('memory_note', { content: 'Two deploys failed' })
    const found = await call('memory_search', {
      query: 'deploys failed',
      limit: '1',
      min_confidence: '0.1',
      context: null,
      kinds: 'Note',
    })
    expect(found.isError, found.text).toBe(false)
    expect(found.structured.results).toHaveLength(1)
    const uncertain = await call('meta_uncertain', { threshold: '0.95', apply_decay: 'false' })
    expect(uncertain.isError, uncertain.text).toBe(false)
    expect(uncertain.structured.items).toHaveLength(4) // each note and the raw captured for it
  })

  test('evidence and sources as a text with one ref or several', async () => {
    const { me, call } = await connected()
    const first = await me.raw('Deploy failed on a lock')
    const second = await me.raw('Another deploy failed on a lock')
    const note = await call('memory_note', {
      content: 'Locks break deploys',
      derived_from: first.ref,
    })
    expect(note.isError, note.text).toBe(false)
    const verified = await call('meta_verify', {
      memory_id: note.structured.ref,
      evidence: second.ref,
    })
    expect(verified.structured).toMatchObject({ verified: true })
    const both = await call('memory_note', {
      content: 'Locks break deploys twice',
      derived_from: `${first.ref}, ${second.ref}`,
    })
    expect(both.isError, both.text).toBe(false)
  })

  test('names of fields in another spelling, and the usual other names', async () => {
    const { me, call } = await connected()
    const raw = await me.raw('Deploy failed on a lock')
    const noted = await call('memory_note', { text: 'Locks break deploys', derivedFrom: [raw.ref] })
    expect(noted.isError, noted.text).toBe(false)
    const believed = await call('memory_belief', {
      content: 'Migrations go first',
      derivedFrom: noted.structured.ref,
    })
    expect(believed.isError, believed.text).toBe(false)
    const why = await call('meta_lineage', { ref: believed.structured.ref })
    expect(why.structured).toMatchObject({ first_hand_roots: [raw.ref] })
  })

  test('lineage of a ref needs no memory_type, and a bare id takes one', async () => {
    const { call } = await connected()
    const { structured } = await call('memory_note', { content: 'We deploy on Tuesdays' })
    const byRef = await call('meta_lineage', { memory_id: structured.ref })
    const byId = await call('meta_lineage', { memory_type: 'note', memory_id: structured.id })
    expect([byRef.structured.ref, byId.structured.ref]).toEqual([structured.ref, structured.ref])
    const other = await call('meta_lineage', { memory_type: 'belief', memory_id: structured.ref })
    expect(other).toMatchObject({ isError: true })
  })

  test('nonsense is still refused, with the field that is wrong', async () => {
    const { call } = await connected()
    const wrong = [
      ['memory_search', { query: 'x', limit: 'five' }, 'limit'],
      ['memory_search', { query: 'x', limit: '5 or so' }, 'limit'],
      ['meta_uncertain', { apply_decay: 'perhaps' }, 'apply_decay'],
      ['memory_note', { content: 'x', tags: { a: 1 } }, 'tags'],
      ['memory_note', { content: 'x', label: 'UserAsserted' }, 'label'],
      ['memory_note', { content: 'x', text: 'y' }, 'text'],
      ['memory_search', { query: 'x', kinds: 'dream' }, 'kinds'],
    ] as const
    for (const [tool, given, field] of wrong) {
      const refused = await call(tool, given)
      expect(refused.isError, JSON.stringify(given)).toBe(true)
      expect(refused.text).toContain(`field ${field}`)
    }
  })
})

describe('how a memory came to be', () => {
  test.each(['external', 'observation', 'inference', 'direct_experience'])(
    'a model may say that it is %s, and its label stays a model’s',
    async (source_type) => {
      const world = await connected()
      const kept = await world.call('memory_raw', {
        content: 'The page says 14 trains',
        source_type,
      })
      expect(kept.isError, kept.text).toBe(false)
      expect((await memoryAt(world, kept.structured.ref)).provenance).toMatchObject({
        sourceType: source_type,
        label: { type: 'ModelDerived' },
      })
    },
  )

  test('a model seeds nothing', async () => {
    const { call } = await connected()
    const refused = await call('memory_raw', { content: 'In the beginning', source_type: 'seed' })
    expect(refused.isError).toBe(true)
  })
})

describe('memory_forget', () => {
  test('puts a model’s own note out of mind, and memory_recover is not needed to see it again', async () => {
    const world = await connected()
    const { structured } = await world.call('memory_note', { content: 'We deploy on Tuesdays' })
    const forgot = await world.call('memory_forget', {
      memory_id: structured.ref,
      reason: 'no longer so',
    })
    expect(forgot.isError, forgot.text).toBe(false)
    expect(forgot.structured).toMatchObject({
      ref: structured.ref,
      forgotten: true,
      proposed: false,
    })
    const found = await world.call('memory_search', { query: 'when do we deploy' })
    expect(JSON.stringify(found.structured.results)).not.toContain(String(structured.ref))
    expect((await memoryAt(world, structured.ref)).text).toBe('We deploy on Tuesdays')
  })

  test('asks a person where the memory is a person’s, and changes nothing', async () => {
    const world = await connected()
    const { claimRef } = await world.stack.claims.remember('user', 'city', 'Berlin')
    const forgot = await world.call('memory_forget', { memory_id: claimRef })
    expect(forgot.structured).toMatchObject({ forgotten: false, proposed: true })
    expect(forgot.text).toContain('A person decides')
    const asked = await world.call('memory_ask', { subject: 'user', predicate: 'city' })
    expect(asked.structured.answers).toMatchObject([{ standing: 'held' }])
  })
})
