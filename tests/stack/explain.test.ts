import { describe, expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { holds } from '../support/holds.ts'
import { freshEntity, freshStack, saying } from './support.ts'

/** raw → two notes → a belief on both → a value. */
async function family() {
  const { me, stack, clock } = await freshEntity()
  const raw = await me.raw('it rained on Monday and on Tuesday')
  const left = await me.note('rain on Monday', { derivedFrom: [raw.ref], observed: true })
  const right = await me.note('rain on Tuesday', { derivedFrom: [raw.ref], observed: true })
  const belief = await me.belief('It rains early in the week', {
    derivedFrom: [right.ref, left.ref],
  })
  const value = await me.value('shelter', 'Having a roof matters more', {
    derivedFrom: [belief.ref],
  })
  const refs = {
    raw: raw.ref,
    left: left.ref,
    right: right.ref,
    belief: belief.ref,
    value: value.ref,
  }
  return { me, stack, clock, refs }
}

describe('trace', () => {
  holds(
    'LINE-REAL',
    'goes up to everything a memory was made from, roots first, itself last',
    async () => {
      const { stack, refs } = await family()
      const steps = await stack.history.trace(refs.value)
      expect(steps.map(({ memory, distance }) => [memory.ref, distance])).toEqual([
        [refs.raw, 3],
        [refs.right, 2],
        [refs.left, 2],
        [refs.belief, 1],
        [refs.value, 0],
      ])
      expect(steps.map(({ parents }) => parents)).toEqual([
        [],
        [refs.raw],
        [refs.raw],
        [refs.right, refs.left],
        [refs.belief],
      ])
      expect(await stack.history.trace(refs.raw)).toMatchObject([{ distance: 0, parents: [] }])
    },
  )

  test('a step that is copied or written out takes its memory along', async () => {
    const { stack, refs } = await family()
    const [root] = await stack.history.trace(refs.value)
    const memory = await stack.getMemory('raw', refs.raw.slice('raw:'.length))
    expect(root?.memory).toEqual(memory)
    expect(root?.memory).toBe(root?.memory)
    expect({ ...root }).toEqual({ memory, distance: 3, parents: [] })
    expect(JSON.stringify(root)).toBe(JSON.stringify({ memory, distance: 3, parents: [] }))
  })

  test('says at once where words are gone that nobody erased', async () => {
    const { stack, store } = await freshStack()
    const raw = await stack.write({
      kind: 'raw',
      body: { content: 'the first' },
      provenance: saying('ExternalFirstHand'),
    })
    store.rows(stack.stackId).sealed.clear()
    await expect(stack.history.trace(raw.ref ?? '')).rejects.toMatchObject({ code: 'data_loss' })
  })

  test('is as safe a thousand deep as three deep', async () => {
    const { stack } = await freshStack()
    const source = await stack.write({
      kind: 'raw',
      body: { content: 'the first' },
      provenance: saying('ExternalFirstHand'),
    })
    let last = source.ref as Ref // a raw is taken
    for (let depth = 0; depth < 1_000; depth += 1) {
      const { ref } = await stack.write({
        kind: 'claim',
        body: { subject: 'chain', predicate: `link ${depth}`, value: depth },
        provenance: saying('ModelDerived', { derivedFrom: [last] }),
      })
      last = ref as Ref // so is every claim on a line of its own
    }
    const steps = await stack.history.trace(last)
    expect(steps).toHaveLength(1_001)
    expect(steps[0]).toMatchObject({ distance: 1_000, memory: { ref: source.ref } })
    expect(steps.at(-1)?.memory.provenance).toMatchObject({
      depthNearest: 1_000,
      depthFarthest: 1_000,
    })
    expect(await stack.history.impact(String(source.ref))).toHaveLength(1_000)
  })
})

describe('impact', () => {
  test('goes down to everything made from a memory, nearest first, without itself', async () => {
    const { stack, refs } = await family()
    const steps = await stack.history.impact(refs.raw)
    expect(steps.map(({ memory, distance }) => [memory.ref, distance])).toEqual([
      [refs.left, 1],
      [refs.right, 1],
      [refs.belief, 2],
      [refs.value, 3],
    ])
    expect(await stack.history.impact(refs.value)).toEqual([])
  })
})

describe('why', () => {
  test('says who let it in, under which rule and which policy', async () => {
    const { stack, refs } = await family()
    const { memory, letInBy, changes, lineage } = await stack.history.why(refs.belief)
    const { policyHash } = await stack.control.getPolicy()
    expect(memory.ref).toBe(refs.belief)
    expect(letInBy).toEqual({
      rule: 'admit',
      seq: memory.entry.seq,
      policy: policyHash,
      door: 'lib',
    })
    expect(lineage.at(-1)?.memory).toEqual(memory)
    expect(changes).toMatchObject([
      {
        op: 'memory.saved',
        seq: memory.entry.seq,
        door: 'lib',
        label: { type: 'ModelDerived' },
        decision: {
          rule: 'admit',
          disposition: 'CommittedInferred',
          facts: { depth: { nearest: 1, farthest: 1 } },
        },
      },
    ])
  })

  test('tells how it changed: restated, echoed, revised, in the order of the ledger', async () => {
    const { me, stack, refs, clock } = await family()
    const words = 'rain on Monday'
    await me.note(words, { derivedFrom: [refs.raw], observed: true })
    clock.advance({ minutes: 1 })
    const echo = {
      kind: 'note' as const,
      body: { content: words.toUpperCase() },
      provenance: saying('ModelDerived', { derivedFrom: [refs.raw] }),
    }
    await stack.write(echo)
    await stack.write(echo)
    const { changes } = await stack.history.why(refs.left)
    expect(changes.map(({ op, decision }) => [op, decision.rule])).toEqual([
      ['memory.saved', 'admit'],
      ['memory.collapsed', 'restate'],
      ['memory.collapsed', 'echo'],
    ])
    // Eleven minutes later the next write finds the window ended, and the repeat is told as a tally.
    clock.advance({ minutes: 11 })
    await me.raw('something else')
    const later = await stack.history.why(refs.left)
    expect(later.changes.at(-1)).toMatchObject({
      op: 'tally',
      decision: { rule: 'echo', facts: { count: 1 } },
    })
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  holds(
    'PROV-FIXED',
    'a revision has papers of its own; version and body are its, the birth stays',
    async () => {
      const { me, stack } = await freshEntity()
      const episode = await me.episode({ objective: 'plan', outcome: 'a plan' })
      const goal = await me.goal('Walk every day', { derivedFrom: [episode.ref] })
      const revised = await stack.write({
        kind: 'goal',
        id: goal.id,
        body: { title: 'Walk every day', status: 'paused' },
        provenance: saying('ModelDerived', { sourceId: 'my-agent', derivedFrom: [episode.ref] }),
        revises: { expectedVersion: 1 },
      })
      expect(revised).toMatchObject({ ref: goal.ref, rule: 'admit' })
      const memory = await stack.getMemory('goal', goal.id)
      expect(memory).toMatchObject({ version: 2, body: { status: 'paused' } })
      const { changes, letInBy } = await stack.history.why(goal.ref)
      expect(changes.map(({ op }) => op)).toEqual(['memory.saved', 'memory.revised'])
      expect(letInBy.seq).toBe(goal.entry.seq)
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )
})

describe('revising', () => {
  const revision = (id: string, ref: Ref, expectedVersion: number | null) => ({
    kind: 'goal' as const,
    id,
    body: { title: `Walk, as of ${expectedVersion}` },
    provenance: saying('ModelDerived', { sourceId: 'my-agent', derivedFrom: [ref] }),
    revises: { expectedVersion },
  })

  test('what has moved on is a version conflict that names both versions', async () => {
    const { me, stack } = await freshEntity()
    const episode = await me.episode({ objective: 'plan', outcome: 'a plan' })
    const goal = await me.goal('Walk every day', { derivedFrom: [episode.ref] })
    await stack.write(revision(goal.id, episode.ref, 1))
    await expect(stack.write(revision(goal.id, episode.ref, 7))).rejects.toMatchObject({
      code: 'version_conflict',
      facts: { expected: 7, actual: 2 },
    })
    // Whoever does not care which version it was need not say.
    expect(await stack.write(revision(goal.id, episode.ref, null))).toMatchObject({ rule: 'admit' })
    expect((await stack.getMemory('goal', goal.id))?.version).toBe(3)
  })

  test('with a new reason keeps the reason, beside the one it was born with', async () => {
    const { me, stack } = await freshEntity()
    const born = await me.belief('Trains here are late', { because: 'two were late' })
    const [note] = born.captures.slice(-1)
    const revised = await stack.write({
      kind: 'belief',
      id: born.id,
      body: { statement: 'Trains here are late in winter' },
      provenance: saying('ModelDerived', { sourceId: 'my-agent', derivedFrom: note ? [note] : [] }),
      captures: [
        { kind: 'raw', body: { content: 'none was late in June' } },
        { kind: 'note', body: { content: 'none was late in June' } },
      ],
      revises: { expectedVersion: 1 },
    })
    expect(revised).toMatchObject({ ref: born.ref, rule: 'admit' })
    const texts = (await stack.history.trace(born.ref)).map(({ memory }) => memory.text)
    expect(texts).toEqual(expect.arrayContaining(['two were late', 'none was late in June']))
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('what does not exist is not found', async () => {
    const { me, stack } = await freshEntity()
    const episode = await me.episode({ objective: 'plan', outcome: 'a plan' })
    const id = '00000000-0000-7000-8000-00000000dead'
    await expect(stack.write(revision(id, episode.ref, 1))).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  holds('GATE-ONE-ENTRY', 'sent again after a fault is recognised as made', async () => {
    const { me, stack } = await freshEntity()
    const episode = await me.episode({ objective: 'plan', outcome: 'a plan' })
    const goal = await me.goal('Walk every day', { derivedFrom: [episode.ref] })
    const first = await stack.write(revision(goal.id, episode.ref, 1))
    expect(await stack.write(revision(goal.id, episode.ref, 1))).toMatchObject({
      ref: goal.ref,
      entry: first.entry,
      reasons: ['already_saved'],
    })
    expect((await stack.getMemory('goal', goal.id))?.version).toBe(2)
  })
})
