import { describe, expect, test } from 'vitest'
import { KINDS, type Ref } from '../../src/domain/ids.ts'
import { entriesOf, freshEntity } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { idOf, memoryOf, smallFamily } from './support.ts'

/** One memory of every kind, each made from what its kind may be made from. */
async function everyKind() {
  const { me, stack } = await freshEntity()
  const raw = await me.raw('what was said')
  const episode = await me.episode({
    objective: 'try it',
    outcome: 'it went',
    derivedFrom: [raw.ref],
  })
  const note = await me.note('what was noted', { derivedFrom: [raw.ref], source: 'a colleague' })
  const on = { derivedFrom: [episode.ref], evidence: [note.ref] }
  const belief = await me.belief('Trying things out is worth it', on)
  const start = '2026-01-01T00:00:00.000Z'
  return {
    stack,
    refs: {
      raw: raw.ref,
      episode: episode.ref,
      note: note.ref,
      claim: (
        await me.claim(
          { subject: 'it', predicate: 'went', value: 'well' },
          { derivedFrom: [raw.ref] },
        )
      ).ref,
      belief: belief.ref,
      goal: (await me.goal('try more', on)).ref,
      relationship: (
        await me.relationship({ entityName: 'Ann', relationshipType: 'colleague', ...on })
      ).ref,
      value: (await me.value('courage', 'Trying matters to me', { derivedFrom: [belief.ref] })).ref,
      drive: (await me.drive('curiosity', on)).ref,
      playbook: (await me.playbook({ name: 'try', description: 'how to try', ...on })).ref,
      summary: (
        await me.summary({
          scope: 'month',
          periodStart: start,
          periodEnd: start,
          content: 'a month',
          ...on,
        })
      ).ref,
      self_narrative: (await me.selfNarrative({ content: 'I am one who tries', ...on })).ref,
      epoch: (await me.epoch({ epochNumber: 1, name: 'the first', startedAt: start })).ref,
    },
  }
}

holds('P-01', 'every memory of every kind carries all of it', async () => {
  const { stack, refs } = await everyKind()
  expect(Object.keys(refs)).toEqual([...KINDS])
  for (const ref of Object.values(refs)) {
    const memory = await memoryOf(stack, ref)
    expect(memory.provenance).toMatchObject({
      sourceType: expect.any(String),
      derivedFrom: expect.any(Array),
      sourceEpisodes: expect.any(Array),
    })
    expect(memory.provenance).toHaveProperty('sourceEntity')
    expect(memory).toMatchObject({ verificationCount: 0, confidenceHistory: [] })
    expect(memory.evidence).toEqual(memory.provenance.sourceEpisodes)
  }
  expect((await memoryOf(stack, refs.note)).provenance.sourceEntity).toBe('a colleague')
})

describe('why', () => {
  holds('P-02', 'answers where from, from what and how changed in one call', async () => {
    const { me, stack, raw, episode, belief } = await smallFamily()
    const seen = await me.raw('It failed again')
    await stack.changes.verify(belief, { evidence: [seen.ref], reason: 'saw it' })
    await stack.changes.weaken(belief, 0.1)
    const answer = await stack.history.why(belief)
    expect(answer.memory.provenance).toMatchObject({
      sourceType: 'inference',
      label: { type: 'ModelDerived' },
      sourceId: 'my-agent',
    })
    expect(answer.letInBy).toMatchObject({ rule: 'admit', door: 'lib' })
    expect(answer.lineage.map(({ memory }) => memory.ref)).toEqual([raw, episode, belief])
    expect(answer.evidence.map(({ ref }) => ref)).toEqual([seen.ref])
    expect(answer.changes.map(({ op, text }) => [op, text])).toEqual([
      ['memory.saved', null],
      ['memory.verified', 'saw it'],
      ['memory.weakened', null],
    ])
    expect(answer.confidenceHistory).toMatchObject([{ old: 0.8, new: 0.9, evidence: [seen.ref] }])
    expect(answer.strengthHistory).toMatchObject([{ old: 1, new: 0.9 }])
  })

  holds('P-10', 'what it was made from and what supports it are two things', async () => {
    const { me, stack, episode, belief } = await smallFamily()
    const seen = await me.raw('It failed again')
    await stack.changes.verify(belief, { evidence: [seen.ref] })
    const { provenance, evidence } = await memoryOf(stack, belief)
    expect(provenance.derivedFrom).toEqual([episode])
    expect(evidence).toEqual([seen.ref])
    expect((await stack.history.trace(belief)).map(({ memory }) => memory.ref)).not.toContain(
      seen.ref,
    )
  })

  test('answers for any past moment, by entry and by time', async () => {
    const { stack, clock, belief } = await smallFamily()
    const { head } = await stack.ledger.audit()
    clock.advance({ days: 10 })
    await stack.forgetMemory('belief', idOf(belief), 'no longer so')
    clock.advance({ days: 10 })
    await stack.recoverMemory('belief', idOf(belief))
    const strengthAt = async (asOf: number | string) =>
      (await stack.history.why(belief, { asOf })).memory.strength
    expect(await strengthAt(head.seq)).toBe(1)
    expect(await strengthAt('2026-01-10T23:59:59.999Z')).toBe(0.997)
    expect(await strengthAt('2026-01-11T00:00:00.000Z')).toBe(0)
    expect(await strengthAt('2026-01-21T00:00:00.000Z')).toBe(0.2)
    expect((await stack.history.why(belief, { asOf: head.seq })).changes).toHaveLength(1)
    const early = { asOf: 0 }
    await expect(stack.history.why(belief, early)).rejects.toMatchObject({ code: 'not_found' })
    await expect(stack.history.why(belief, { asOf: 'yesterday' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  holds('ANSWER-ASOF', 'nothing recorded later changes what was known then', async () => {
    const { me, stack, belief, value } = await smallFamily()
    const { head } = await stack.ledger.audit()
    const asOf = head.seq
    const ask = async () =>
      JSON.stringify([
        await stack.history.why(belief, { asOf }),
        await stack.history.trace(value, { asOf }),
        await stack.getMemory('belief', idOf(belief), { asOf }),
      ])
    const before = await ask()
    const seen = await me.raw('It failed again')
    await stack.changes.verify(belief, { evidence: [seen.ref] })
    await stack.forgetMemory('belief', idOf(belief), 'gone')
    await stack.recoverMemory('belief', idOf(belief))
    await stack.changes.supersede(belief, 'Something entirely different holds')
    expect(await ask()).toBe(before)
  })
})

test('diff says what was learnt, lost and changed between two moments', async () => {
  const { me, stack, episode, belief } = await smallFamily()
  const from = (await stack.ledger.audit()).head.seq
  const note = await me.note('locks are slow')
  await stack.forgetMemory('episode', idOf(episode), 'wrong day')
  await stack.updateMemoryMeta('belief', idOf(belief), { tags: ['deploys'] })
  const to = (await stack.ledger.audit()).head.seq
  const { added, lost, changed } = await stack.history.diff(from, to)
  expect(added.map(({ ref }) => ref)).toEqual([expect.stringMatching(/^raw:/), note.ref])
  expect(lost.map(({ ref }) => ref)).toEqual([episode])
  expect(changed.map(({ ref, members }) => [ref, members])).toEqual([[belief, ['tags', 'flags']]])
  expect(await stack.history.diff(to, to)).toMatchObject({ added: [], lost: [], changed: [] })
})

holds('P-14', 'from any memory its parents lead to what was said', async () => {
  const { stack, refs } = await everyKind()
  for (const [kind, ref] of Object.entries(refs)) {
    if (kind === 'epoch') continue // a marker of time is made from nothing
    const [root] = await stack.history.trace(ref)
    expect(root?.memory.kind, kind).toBe('raw')
  }
})

holds('P-14', 'all parents are followed, each to its own capture', async () => {
  const { me, stack } = await smallFamily()
  const raws: string[] = []
  const notes: Ref[] = []
  for (const content of ['The first train left', 'The second train left', 'No third train came']) {
    const { ref } = await me.raw(content)
    raws.push(ref)
    notes.push((await me.note(`${content}, as the board said`, { derivedFrom: [ref] })).ref)
  }
  const { ref } = await me.belief('Two trains run in the evening', { derivedFrom: notes })
  const steps = await stack.history.trace(ref)
  const said = steps.filter(({ memory }) => memory.kind === 'raw').map(({ memory }) => memory.ref)
  expect([...said].sort()).toEqual([...raws].sort())
  expect(steps).toHaveLength(7)
  expect(steps.at(-1)?.parents).toEqual(notes)
})

holds('P-47', 'going up is a walk; a change is not pushed down to what rests on it', async () => {
  const { stack, store, raw, belief } = await smallFamily()
  expect(await stack.history.impactCount(raw)).toBe(3)
  const before = entriesOf(store, stack).length
  await stack.updateMemoryMeta('belief', idOf(belief), { confidence: 0.2 })
  expect(entriesOf(store, stack)).toHaveLength(before + 1)
  expect(
    (await stack.history.impact(belief)).map(({ memory }) => memory.stored.confidence),
  ).toEqual([0.9])
})

holds(['P-46', 'PROV-FIXED'], 'no change touches a body, a certificate or a link', async () => {
  const { me, stack, belief } = await smallFamily()
  const { body, provenance } = await memoryOf(stack, belief)
  const id = idOf(belief)
  const seen = await me.raw('It failed again')
  await stack.changes.verify(belief, { evidence: [seen.ref] })
  await stack.changes.reinforce(belief, { evidence: [(await me.raw('and again')).ref] })
  await stack.updateMemoryMeta('belief', id, { confidence: 0.4, tags: ['x'] })
  await stack.protectMemory('belief', id)
  await stack.protectMemory('belief', id, false)
  await stack.recordAccess('belief', id)
  await stack.changes.weaken(belief, 0.5)
  await stack.forgetMemory('belief', id, 'why not')
  await stack.recoverMemory('belief', id)
  await stack.changes.supersede(belief, 'Something entirely different holds')
  const after = await memoryOf(stack, belief)
  expect({ body: after.body, provenance: after.provenance }).toEqual({ body, provenance })
  expect(await stack.ledger.audit()).toMatchObject({ ok: true })
})
