import { expect, test } from 'vitest'
import { Entity, label, openStack, ProvenanceError } from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { holds } from '../support/holds.ts'
import { freshEntity, freshStack } from './support.ts'

test('opening makes nothing: the first write does', async () => {
  const { stack, store } = await freshStack()
  expect([stack.stackId, stack.schemaVersion, stack.state]).toEqual(['test', 1, 'INITIALIZING'])
  await stack.getStats()
  await stack.ledger.audit()
  expect(store.rows(stack.stackId).entries).toEqual([])
})

holds(
  ['PROV-BIRTH', 'LINE-DEPTH'],
  'a first day: captured, derived, and explained down to the words',
  async () => {
    const { me, stack } = await freshEntity()
    const raw = await me.raw('Deploy failed: migration 12 locked the table')
    const episode = await me.episode({
      objective: 'deploy v2',
      outcome: 'failed',
      lessons: ['migrate first'],
      derivedFrom: [raw.ref],
    })
    const belief = await me.belief('Migrations go first', {
      confidence: 0.8,
      derivedFrom: [episode.ref],
    })
    expect(
      [raw, episode, belief].map(({ disposition, rule, tier }) => [disposition, rule, tier]),
    ).toEqual([
      ['CommittedCheap', 'admit', 2],
      ['CommittedInferred', 'admit', 1],
      ['CommittedInferred', 'admit', 1],
    ])
    expect(raw.ref).toBe(`raw:${raw.id}`)
    const memory = await stack.getMemory('belief', belief.id)
    expect(memory?.provenance).toMatchObject({
      sourceType: 'inference',
      label: { type: 'ModelDerived' },
      source: 'llm_generation',
      sourceId: 'my-agent',
      ingestionPath: 'lib:belief',
      llmModel: 'unknown:my-agent',
      derivedFrom: [episode.ref],
      parentId: episode.id,
      derivationDepth: 2,
      depthNearest: 2,
      depthFarthest: 2,
      confidence: 0.8,
      captured: false,
      trustTier: 1,
    })
    const { lineage } = await stack.history.why(belief.ref)
    expect(lineage.map((step) => step.memory.text)).toEqual([
      'Deploy failed: migration 12 locked the table',
      'deploy v2\nfailed\nmigrate first',
      'Migrations go first',
    ])
    expect((await stack.ledger.audit()).ok).toBe(true)
  },
)

holds('LINE-REAL', 'because keeps the reason as raw and note, in the same commit', async () => {
  const { me, stack, store } = await freshEntity()
  const reason = 'three small releases shipped in a day'
  const belief = await me.belief('Small changes ship faster', { because: reason })
  expect(belief.captures.map((ref) => ref.split(':')[0])).toEqual(['raw', 'note'])
  const steps = await stack.history.trace(belief.ref)
  expect(steps.map(({ memory, distance }) => [memory.kind, memory.text, distance])).toEqual([
    ['raw', reason, 2],
    ['note', reason, 1],
    ['belief', 'Small changes ship faster', 0],
  ])
  // What was captured for a model's belief is the model's too: it is no witness of its own.
  expect(steps.map(({ memory }) => [memory.provenance.captured, memory.tier])).toEqual([
    [true, 1],
    [true, 1],
    [false, 1],
  ])
  const { rev } = store.rows(stack.stackId).tip.head
  expect(rev).toBe(2) // attaching, and this one
})

holds(
  ['LINE-REAL', 'LINE-KINDS'],
  'a belief with no source is refused, and told which kinds it may cite',
  async () => {
    const { me, stack } = await freshEntity()
    const error = await me.belief('no source').catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(ProvenanceError)
    expect(error).toMatchObject({
      code: 'refused',
      facts: { rule: 'lineage', reasons: ['source_needed'] },
      hint: expect.stringContaining('episode, note, claim'),
    })
    expect((error as ProvenanceError).hint).toContain('because')
    expect(await stack.getStats()).toEqual({ total: 0 })
  },
)

holds('LINE-KINDS', 'each kind cites what the table allows and nothing else', async () => {
  const { me } = await freshEntity()
  const raw = await me.raw('met with')
  const refused = [
    me.belief('A belief straight from a raw', { derivedFrom: [raw.ref] }),
    me.goal('A goal straight from a raw', { derivedFrom: [raw.ref] }),
    me.value('care', 'Care comes before speed', { derivedFrom: [raw.ref] }),
    me.raw('a raw made from a raw', { derivedFrom: [raw.ref] }),
  ]
  for (const write of refused) {
    await expect(write).rejects.toMatchObject({ facts: { reasons: ['parent_kind'] } })
  }
})

test('convenience writes capture their own words, so that the first thing tried works', async () => {
  const { me, stack } = await freshEntity()
  const writes = [
    await me.note('The staging database is slow on Mondays'),
    await me.episode({ objective: 'measure it', outcome: 'twice as slow' }),
    await me.claim({ subject: 'staging', predicate: 'slow on', value: 'Mondays' }),
  ]
  for (const { captures, ref } of writes) {
    expect(captures).toHaveLength(1)
    const [captured, own] = await stack.history.trace(ref)
    expect(captured?.memory).toMatchObject({ kind: 'raw', provenance: { captured: true } })
    expect(own?.memory.ref).toBe(ref)
  }
  expect(await stack.getStats()).toEqual({ raw: 3, note: 1, episode: 1, claim: 1, total: 6 })
})

test('a core writes to the stack that is active, and says so when none is', async () => {
  const me = new Entity('me', { modelId: 'model-9' })
  await expect(me.raw('nowhere')).rejects.toMatchObject({ code: 'no_active_stack' })
  const [one, two] = await Promise.all(
    ['one', 'two'].map((id) => openStack(id, { store: new MemoryStore() })),
  )
  if (!one || !two) throw new Error('two stacks were opened')
  await me.attachStack(one)
  await me.attachStack(two, { alias: 'second' })
  await me.note('to the second')
  me.setActiveStack('one')
  await me.note('to the first')
  await me.detachStack('one')
  await expect(me.raw('nowhere')).rejects.toMatchObject({ code: 'no_active_stack' })
  expect(() => me.setActiveStack('one')).toThrow('No stack')
  expect((await one.getNotes()).map(({ text }) => text)).toEqual(['to the first'])
  expect((await two.getNotes()).map(({ text }) => text)).toEqual(['to the second'])
})

holds(
  'PROV-DOOR',
  'the core’s defaults may be said otherwise by its host, label by label',
  async () => {
    const { me, stack } = await freshEntity()
    const said = await me.note('My name is Ann', { label: label.userAsserted(), source: 'Ann' })
    const memory = await stack.getMemory('note', said.id)
    expect(memory?.provenance).toMatchObject({
      label: { type: 'External', kind: 'UserAsserted' },
      source: 'user_input',
      sourceId: 'test:user',
      sourceEntity: 'Ann',
      trustTier: 3,
      llmModel: null,
    })
    const lowered = await me.note('Somebody may have said so', { trustTier: 0 })
    expect(lowered.tier).toBe(0)
    expect(lowered.reasons).toContain('tier_supplied')
  },
)
