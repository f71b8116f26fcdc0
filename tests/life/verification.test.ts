import { describe, expect, test } from 'vitest'
import { label } from '../../src/domain/labels.ts'
import { at } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { idOf, memoryOf, smallFamily } from './support.ts'

describe('verification', () => {
  holds('P-21', 'independent evidence raises confidence and starts its clock anew', async () => {
    const { me, stack, clock, belief } = await smallFamily()
    clock.advance({ days: 300 })
    expect((await memoryOf(stack, belief)).confidence).toBeCloseTo(0.7, 9)
    const seen = await me.raw('Another deploy failed on a lock, months later')
    const result = await stack.changes.verify(belief, { evidence: [seen.ref] })
    expect(result).toMatchObject({ changed: true, reason: null })
    expect(await memoryOf(stack, belief)).toMatchObject({
      confidence: 0.8,
      verificationCount: 1,
      lastVerified: expect.any(String),
      evidence: [seen.ref],
    })
    clock.advance({ days: 29 })
    expect((await memoryOf(stack, belief)).confidence).toBeCloseTo(0.8 - (0.01 * 29) / 30, 6)
  })

  holds('P-39', 'each source of a verified memory gains 0.02 strength', async () => {
    const { me, stack, episode, belief } = await smallFamily()
    await stack.changes.weaken(episode, 0.5)
    const seen = await me.raw('It failed again on another table')
    await stack.changes.verify(belief, { evidence: [seen.ref] })
    expect((await memoryOf(stack, episode)).strength).toBeCloseTo(0.52, 9)
    const changes = await stack.history.strength(episode)
    expect(changes.at(-1)).toMatchObject({ old: 0.5, new: 0.52, reason: 'memory.strengthened' })
  })

  holds('P-21', 'reinforcing halts the fading and starts its clock anew, too', async () => {
    const { me, stack, clock, belief } = await smallFamily()
    clock.advance({ days: 300 })
    const seen = await me.raw('Another deploy failed on a lock, months later')
    await stack.changes.reinforce(belief, { evidence: [seen.ref] })
    const { confidence } = await memoryOf(stack, belief)
    expect(confidence).toBeGreaterThan(0.7)
    clock.advance({ days: 29 })
    const { confidence: later } = await memoryOf(stack, belief)
    expect(later).toBeCloseTo(confidence - (0.01 * 29) / 30, 6)
  })

  holds('P-39', 'all sources of a verified memory gain, and nothing else does', async () => {
    const { me, stack, episode, raw } = await smallFamily()
    const { ref: note } = await me.note('locks are slow')
    const { ref: other } = await me.note('tables are large')
    const derivedFrom = [episode, note]
    const { ref: belief } = await me.belief('Locks make deployments slow', { derivedFrom })
    for (const ref of [raw, episode, note, other]) await stack.changes.weaken(ref, 0.5)
    const seen = await me.raw('It failed again on another table')
    await stack.changes.verify(belief, { evidence: [seen.ref] })
    const strengthOf = async (ref: typeof raw) => (await memoryOf(stack, ref)).strength
    expect(await strengthOf(episode)).toBeCloseTo(0.52, 9)
    expect(await strengthOf(note)).toBeCloseTo(0.52, 9)
    expect(await strengthOf(other)).toBe(0.5)
    expect(await strengthOf(raw)).toBe(0.5)
  })

  test('the same evidence counts once, and nothing verifies itself by a detour', async () => {
    const { me, stack, raw, episode, belief, value } = await smallFamily()
    const seen = await me.raw('It failed again')
    const note = await me.note('again the lock', { derivedFrom: [seen.ref] })
    expect(await stack.changes.verify(belief, { evidence: [note.ref] })).toMatchObject({
      changed: true,
    })
    for (const evidence of [[seen.ref], [note.ref], [raw], [episode], [belief], [value], []]) {
      const before = await memoryOf(stack, belief)
      const result = await stack.changes.verify(belief, { evidence })
      expect(result).toMatchObject({ changed: false, reason: 'attested' })
      expect(result.entry).not.toBeNull()
      const { confidence, verificationCount, evidence: kept } = await memoryOf(stack, belief)
      expect({ confidence, verificationCount, kept }).toEqual({
        confidence: before.confidence,
        verificationCount: before.verificationCount,
        kept: before.evidence,
      })
    }
  })

  test("a model's own words are no witness, however they are dressed", async () => {
    const { me, stack, belief } = await smallFamily()
    const modelled = await me.note('I have seen it again', { label: label.modelDerived() })
    const captured = await me.note('seen again by me', {
      actor: 'my-agent',
      observed: true,
    })
    for (const evidence of [[modelled.ref], [captured.ref]]) {
      const result = await stack.changes.verify(belief, { evidence, actor: 'my-agent' })
      expect(result).toMatchObject({ changed: false, reason: 'attested' })
    }
  })

  test('confidence ends at one', async () => {
    const { me, stack, belief } = await smallFamily()
    for (const word of ['first', 'second', 'third', 'fourth']) {
      const seen = await me.raw(`${word} sighting`)
      await stack.changes.verify(belief, { evidence: [seen.ref] })
    }
    expect(await memoryOf(stack, belief)).toMatchObject({ confidence: 1, verificationCount: 4 })
  })
})

describe('reinforcement', () => {
  holds(
    'P-41',
    'each further one raises confidence by less, as in the original, and none lowers',
    async () => {
      const { me, stack, belief } = await smallFamily()
      const seen: number[] = []
      for (const word of ['one', 'two', 'three', 'four', 'five']) {
        const raw = await me.raw(`sighting number ${word}`)
        await stack.changes.reinforce(belief, { evidence: [raw.ref] })
        seen.push((await memoryOf(stack, belief)).confidence)
      }
      const expected = [0.808636, 0.816193, 0.822878, 0.828847, 0.834218]
      for (const [index, value] of expected.entries()) expect(seen[index]).toBeCloseTo(value, 6)
      const steps = seen.map((value, index) => value - (seen[index - 1] ?? 0.8))
      expect([...steps].sort((a, b) => b - a)).toEqual(steps)
    },
  )

  test('above the ceiling nothing is pulled down, which the original did', async () => {
    const { me, stack, belief } = await smallFamily()
    const person = at('cli', { person: true })
    await stack.updateMemoryMeta('belief', idOf(belief), { confidence: 1, caller: person })
    const seen = await me.raw('once more')
    await stack.changes.reinforce(belief, { evidence: [seen.ref] })
    expect((await memoryOf(stack, belief)).confidence).toBe(1)
  })
})

holds(
  'P-22',
  'every change of confidence carries time, old, new, reason and evidence',
  async () => {
    const { me, stack, clock, belief } = await smallFamily()
    clock.advance({ days: 1 })
    const seen = await me.raw('It failed again')
    await stack.changes.verify(belief, { evidence: [seen.ref], reason: 'saw it myself' })
    clock.advance({ days: 1 })
    await stack.updateMemoryMeta('belief', idOf(belief), {
      confidence: 0.5,
      reason: 'less sure now',
    })
    const { confidenceHistory } = await memoryOf(stack, belief)
    expect(confidenceHistory).toEqual([
      {
        time: '2026-01-02T00:00:00.000Z',
        seq: expect.any(Number),
        old: expect.closeTo(0.8 - 0.01 / 30, 6),
        new: expect.closeTo(0.9 - 0.01 / 30, 6),
        reason: 'memory.verified',
        text: 'saw it myself',
        tier: 2,
        evidence: [seen.ref],
      },
      {
        time: '2026-01-03T00:00:00.000Z',
        seq: expect.any(Number),
        old: expect.any(Number),
        new: 0.5,
        reason: 'memory.described',
        text: 'less sure now',
        tier: 2,
        evidence: [],
      },
    ])
  },
)

holds('P-22', 'each item of a confidence history names its own evidence', async () => {
  const { me, stack, clock, belief } = await smallFamily()
  const seen: string[] = []
  for (const content of ['It failed on Monday', 'It failed on Tuesday', 'It failed on Friday']) {
    clock.advance({ days: 1 })
    seen.push((await me.raw(content)).ref)
  }
  const [monday = '', tuesday = '', friday = ''] = seen
  await stack.changes.verify(belief, { evidence: [monday] })
  await stack.changes.reinforce(belief, { evidence: [tuesday] })
  await stack.updateMemoryMeta('belief', idOf(belief), { confidence: 0.6 })
  await stack.changes.verify(belief, { evidence: [friday] })
  const { confidenceHistory } = await memoryOf(stack, belief)
  expect(confidenceHistory.map(({ reason, evidence }) => [reason, evidence])).toEqual([
    ['memory.verified', [monday]],
    ['memory.reinforced', [tuesday]],
    ['memory.described', []],
    ['memory.verified', [friday]],
  ])
  const { confidenceHistory: listed } = (await stack.getBeliefs({ limit: 1 }))[0] ?? {}
  expect(listed).toEqual(confidenceHistory)
})

test('confidence is raised by a person, not by the host on its own word', async () => {
  const { stack, belief } = await smallFamily()
  const raised = { confidence: 0.95 }
  expect(await stack.updateMemoryMeta('belief', idOf(belief), raised)).toBe(false)
  expect((await memoryOf(stack, belief)).confidence).toBe(0.8)
  const person = { ...raised, label: label.userAsserted() }
  expect(await stack.updateMemoryMeta('belief', idOf(belief), person)).toBe(true)
  expect((await memoryOf(stack, belief)).confidence).toBe(0.95)
})

test('words captured for the one who made a memory are no witness for it, whoever verifies', async () => {
  const { me, stack, episode } = await smallFamily()
  const belief = await me.belief('Locks are the trouble', { derivedFrom: [episode] })
  const own = await me.note('Again it was the lock', { observed: true })
  const other = await me.note('The lock, I saw it', { actor: 'a colleague', observed: true })
  expect(await stack.changes.verify(belief.ref, { evidence: [own.ref] })).toMatchObject({
    changed: false,
    reason: 'attested',
  })
  expect(await stack.changes.verify(belief.ref, { evidence: [other.ref] })).toMatchObject({
    changed: true,
  })
  expect((await stack.ledger.audit()).ok).toBe(true)
})

test('evidence that counted for a belief does not count again for the one in its place', async () => {
  const { me, stack, belief } = await smallFamily()
  const seen = await me.raw('Another deploy failed on a lock')
  const evidence = [seen.ref]
  expect(await stack.changes.verify(belief, { evidence })).toMatchObject({ changed: true })
  const second = await stack.changes.supersede(belief, 'Migrations go well before deployments')
  expect(await stack.changes.verify(second.ref, { evidence })).toMatchObject({ reason: 'attested' })
  const third = await stack.changes.supersede(second.ref, 'Migrations go a day before deployments')
  expect(await stack.changes.verify(third.ref, { evidence })).toMatchObject({ reason: 'attested' })
  const fresh = await me.raw('And one more, on another table')
  const more = { evidence: [seen.ref, fresh.ref] }
  expect(await stack.changes.verify(third.ref, more)).toMatchObject({ changed: true })
  expect((await stack.ledger.audit()).ok).toBe(true)
})
