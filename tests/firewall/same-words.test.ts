import { describe, expect, test } from 'vitest'
import { toRef } from '../../src/domain/ids.ts'
import type { BodyInputOf } from '../../src/domain/kinds/table.ts'
import { Entity, type Kind, label, openStack } from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { idOf, memoryOf } from '../life/support.ts'
import { entriesOf, papersFor } from '../stack/support.ts'

const MODEL = { label: label.modelDerived(), actor: 'my-agent' }
const PERSON = { label: label.userAsserted(), actor: 'ada' }

async function scene() {
  const store = new MemoryStore()
  const world = fakeWorld(1)
  const stack = await openStack('test', { store, ...world })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const raw = await me.raw('It was seen in the office')
  const episode = await me.episode({
    objective: 'look around',
    outcome: 'it was there',
    derivedFrom: [raw.ref],
    label: label.userAsserted(),
    actor: 'ada',
  })
  const belief = await me.belief('Looking around is worth it', {
    derivedFrom: [episode.ref],
    ...PERSON,
  })
  return { store, world, stack, me, raw: raw.ref, episode: episode.ref, belief: belief.ref }
}

type Scene = Awaited<ReturnType<typeof scene>>

const PERIOD = {
  periodStart: '2026-01-01T00:00:00.000Z',
  periodEnd: '2026-01-31T00:00:00.000Z',
}

/** Words of a kind, one of its other fields, and what that field is when nobody gives it. */
const CASES: readonly (readonly [Kind, object, object, object])[] = [
  ['note', { content: 'Tea at five' }, { tags: ['drinks'] }, { tags: ['daily', 'drinks'] }],
  [
    'belief',
    { statement: 'Tea calms people down' },
    { beliefType: 'fact' },
    { beliefType: 'rule' },
  ],
  ['goal', { title: 'Ship it' }, { status: 'paused', priority: 'high' }, { status: 'completed' }],
  ['value', { name: 'care', statement: 'Care comes first' }, { priority: 10 }, { priority: 90 }],
  ['drive', { driveType: 'growth' }, { intensity: 0.2 }, { intensity: 0.9 }],
  [
    'relationship',
    { entityName: 'Kim', relationshipType: 'colleague' },
    { sentiment: 0.1 },
    { sentiment: -0.5 },
  ],
  [
    'playbook',
    { name: 'release', description: 'how to release' },
    { failureModes: ['no tests'] },
    { failureModes: ['no tests', 'no notes'] },
  ],
  [
    'summary',
    { content: 'A quiet month', scope: 'month', ...PERIOD },
    { keyThemes: ['calm'] },
    { keyThemes: ['tea'] },
  ],
  ['self_narrative', { content: 'I drink tea' }, { keyThemes: ['calm'] }, { keyThemes: ['tea'] }],
]

const sourceOf = (kind: Kind, { raw, episode, belief }: Scene): string[] =>
  kind === 'note' ? [raw] : kind === 'value' ? [belief] : [episode]

describe.each(CASES)('the same words of a %s with other fields', (kind, words, first, second) => {
  const write = (at: Scene, fields: object, who: object = MODEL) =>
    at.me.write(kind, { ...words, ...fields } as BodyInputOf<typeof kind>, {
      derivedFrom: sourceOf(kind, at),
      ...who,
    })

  test.each([
    ['a model', MODEL],
    ['a person', PERSON],
  ] as const)('are a revision when %s says its own again', async (_, who) => {
    const at = await scene()
    const born = await write(at, first, who)
    expect(born.revised).toBeUndefined()
    const revised = await write(at, second, who)
    expect(revised).toMatchObject({ ref: born.ref, revised: true, version: 2 })
    const memory = await memoryOf(at.stack, born.ref)
    expect(memory.version).toBe(2)
    expect(memory.body).toMatchObject({ ...words, ...first, ...second })
    const entry = entriesOf(at.store, at.stack).find(({ seq }) => seq === revised.entry.seq)
    expect(entry).toMatchObject({ op: 'memory.revised', ref: born.ref, revision: 2 })
    // Control: with the same fields it is counted, and nothing changes.
    const again = await write(at, second, who)
    expect(again).toMatchObject({ ref: born.ref, disposition: 'Corroborated' })
    expect(again.revised).toBeUndefined()
    // Fields that are not given stay as they are.
    expect((await write(at, {}, who)).disposition).toBe('Corroborated')
    expect((await memoryOf(at.stack, born.ref)).version).toBe(2)
    expect((await at.stack.ledger.audit()).problems).toEqual([])
  })

  test("of a person, said by a model, are a proposal that a person's yes applies", async () => {
    const at = await scene()
    const born = await write(at, first, PERSON)
    const proposed = await write(at, second)
    expect(proposed).toMatchObject({
      ref: born.ref,
      disposition: 'PendingReview',
      rule: 'authority',
      reasons: ['proposed'],
    })
    expect(proposed.message).toContain(Object.keys(second)[0])
    expect((await memoryOf(at.stack, born.ref)).body).toMatchObject(first)
    const [item, ...more] = await at.stack.review.list()
    expect(more).toEqual([])
    expect(item).toMatchObject({ kind: 'proposal', ref: born.ref })
    expect(item?.proposal).toMatchObject({ change: 'revise', fields: second })
    expect(await at.stack.review.resolve(born.ref, 'accept', PERSON)).toBe(true)
    const accepted = await memoryOf(at.stack, born.ref)
    expect(accepted.body).toMatchObject({ ...words, ...first, ...second })
    expect(accepted.version).toBe(2)
    expect(await at.stack.review.list()).toEqual([])
    expect((await at.stack.ledger.audit()).problems).toEqual([])
  })
})

describe('known words', () => {
  test('that are declared as recalled always collapse, whatever else they say', async () => {
    const at = await scene()
    const born = await at.me.goal('Ship it', { status: 'active', derivedFrom: [at.episode] })
    const recalled = await at.me.goal('Ship it', {
      status: 'completed',
      derivedFrom: [at.episode],
      label: label.recallReEntry(),
    })
    expect(recalled).toMatchObject({ ref: born.ref, disposition: 'Corroborated' })
    expect((await memoryOf(at.stack, born.ref)).body).toMatchObject({ status: 'active' })
    expect(await at.stack.review.list()).toEqual([])
  })

  test('proposed by several models are one proposal of each, and a no applies none of them', async () => {
    const at = await scene()
    const born = await at.me.goal('Ship it', { derivedFrom: [at.episode], ...PERSON })
    const as = (actor: string) => ({ derivedFrom: [at.episode], ...MODEL, actor })
    await at.me.goal('Ship it', { status: 'completed', ...as('one') })
    await at.me.goal('ship IT', { priority: 'high', ...as('two') })
    await at.me.goal('Ship it', { tags: ['late'], ...as('one') })
    const again = await at.me.goal('Ship it', { status: 'completed', ...as('one') })
    expect(again).toMatchObject({ disposition: 'PendingReview' })
    const [item, ...more] = await at.stack.review.list()
    expect(more).toEqual([])
    expect(item?.proposals.map(({ fields }) => fields)).toEqual([
      { status: 'completed', tags: ['late'] },
      { priority: 'high' },
    ])
    expect(await at.stack.review.resolve(born.ref, 'dismiss', PERSON)).toBe(true)
    expect((await memoryOf(at.stack, born.ref)).version).toBe(1)
    expect(await at.stack.review.list()).toEqual([])
    expect((await at.stack.ledger.audit()).problems).toEqual([])
  })

  test('proposed by several models are applied for the model that a person names, and for no other', async () => {
    const at = await scene()
    const born = await at.me.goal('Ship it', { derivedFrom: [at.episode], ...PERSON })
    const as = (actor: string) => ({ derivedFrom: [at.episode], ...MODEL, actor })
    await at.me.goal('Ship it', { tags: ['soon'], ...as('one') })
    const last = await at.me.goal('Ship it', { priority: 'high', ...as('one') })
    await at.me.goal('Ship it', { status: 'dropped', ...as('two') })
    await expect(at.stack.review.resolve(born.ref, 'accept', PERSON)).rejects.toThrow('2 proposals')
    const wish = last.entry.seq
    expect(await at.stack.review.resolve(born.ref, 'accept', { ...PERSON, proposal: wish })).toBe(
      true,
    )
    const { body, version } = await memoryOf(at.stack, born.ref)
    expect(body).toMatchObject({ status: 'active', priority: 'high', tags: ['soon'] })
    expect(version).toBe(2)
    expect((await at.stack.ledger.audit()).problems).toEqual([])
  })

  test('whose author has proposed to forget the memory are refused, and the answer says why', async () => {
    const at = await scene()
    const born = await at.me.goal('Ship it', { derivedFrom: [at.episode], ...PERSON })
    expect(
      await at.stack.changes.change(born.ref, { type: 'forget' }, 'test', MODEL),
    ).toMatchObject({
      reason: 'proposed',
    })
    const as = (actor: string) => ({ derivedFrom: [at.episode], ...MODEL, actor })
    const fields = { status: 'completed' } as const
    await expect(at.me.goal('Ship it', { ...fields, ...as(MODEL.actor) })).rejects.toThrow(
      /another proposal of yours/,
    )
    // Control: another model has a proposal of its own.
    expect(await at.me.goal('Ship it', { ...fields, ...as('two') })).toMatchObject({
      disposition: 'PendingReview',
    })
    expect((await at.stack.ledger.audit()).problems).toEqual([])
  })

  test('come back by save and by a batch of saves with their new fields', async () => {
    const at = await scene()
    const record = async (tag: string) => {
      const body = { content: 'Tea at five', tags: [tag] }
      const more = { sourceType: 'inference', llmModel: 'm', trustTier: 1, ...MODEL } as const
      const { actor: sourceId, ...rest } = more
      const papers = { ...rest, sourceId, derivedFrom: [at.raw] }
      return { ...body, provenance: await papersFor(at.stack, 'note', body, papers) }
    }
    const id = await at.stack.saveNote(await record('a'))
    expect(await at.stack.saveNote(await record('b'))).toBe(id)
    const batch = [await record('c'), await record('d')]
    expect(await at.stack.saveNotesBatch(batch)).toEqual([id, id])
    const memory = await memoryOf(at.stack, toRef('note', id))
    expect(memory).toMatchObject({ version: 4, tags: ['d'] })
    expect((await at.stack.ledger.audit()).problems).toEqual([])
  })

  test('that alternate a thousand times are a burst, and leave a short ledger', async () => {
    const at = await scene()
    for (const who of [MODEL, PERSON]) {
      const before = entriesOf(at.store, at.stack).length
      for (let n = 0; n < 1_000; n += 1) {
        const status = n % 2 === 0 ? 'paused' : 'active'
        await at.me.goal('Ship it', { status, derivedFrom: [at.episode], ...who, actor: who.actor })
      }
      expect(entriesOf(at.store, at.stack).length - before).toBeLessThan(30)
      const last = await at.me.goal('Ship it', {
        status: 'paused',
        derivedFrom: [at.episode],
        ...who,
      })
      expect(last).toMatchObject({ disposition: 'Quarantined', rule: 'burst' })
    }
    expect((await at.stack.ledger.audit()).problems).toEqual([])
  })

  test('keep the reason and the sources that came with new fields', async () => {
    const at = await scene()
    const born = await at.me.goal('Ship it', { derivedFrom: [at.episode] })
    const done = await at.me.goal('Ship it', { status: 'completed', because: 'It is in the shop' })
    expect(done).toMatchObject({ ref: born.ref, version: 2 })
    const { provenance } = await memoryOf(at.stack, born.ref)
    expect(provenance.derivedFrom).toEqual([at.episode])
    expect(provenance.revisedFrom).toHaveLength(1)
    const traced = (await at.stack.history.trace(born.ref)).map(({ memory }) => memory.text)
    expect(traced.join()).toContain('It is in the shop')
    expect(await at.stack.ledger.replay(done.entry.seq)).toMatchObject({ code: 'decision.same' })
  })

  test('do not lift a tier by being accepted', async () => {
    const at = await scene()
    const born = await at.me.goal('Ship it', { derivedFrom: [at.episode], ...MODEL, actor: 'one' })
    await at.me.goal('Ship it', {
      status: 'paused',
      derivedFrom: [at.episode],
      ...MODEL,
      actor: 'two',
    })
    const before = await memoryOf(at.stack, born.ref)
    await at.stack.review.resolve(born.ref, 'accept', PERSON)
    const after = await memoryOf(at.stack, born.ref)
    expect(after.body).toMatchObject({ status: 'paused' })
    expect(after.tier).toBe(before.tier)
  })
})

describe('a goal', () => {
  test.each(['completed', 'paused', 'dropped', 'active'] as const)(
    'is set to %s by its ref',
    async (status) => {
      const at = await scene()
      const other = status === 'active' ? 'paused' : 'active'
      const born = await at.me.goal('Ship it', { status: other, derivedFrom: [at.episode] })
      const done = await at.stack.changes.updateGoal(born.ref, { status })
      expect(done).toMatchObject({ ref: born.ref, revised: true, version: 2 })
      expect((await memoryOf(at.stack, born.ref)).status).toBe(status)
      expect((await at.stack.getGoals({ status })).map(({ ref }) => ref)).toEqual([born.ref])
    },
  )

  test("of a person is not a model's to complete; the model proposes it", async () => {
    const at = await scene()
    const born = await at.me.goal('Ship it', { derivedFrom: [at.episode], ...PERSON })
    const proposed = await at.stack.changes.updateGoal(born.ref, { status: 'completed' }, MODEL)
    expect(proposed).toMatchObject({ ref: born.ref, disposition: 'PendingReview' })
    expect((await memoryOf(at.stack, born.ref)).status).toBe('active')
    await at.stack.review.resolve(born.ref, 'accept', PERSON)
    expect((await memoryOf(at.stack, born.ref)).status).toBe('completed')
    // Control: the person completes it without asking anybody.
    const own = await at.me.goal('Sleep more', { derivedFrom: [at.episode], ...PERSON })
    expect(
      await at.stack.changes.updateGoal(own.ref, { status: 'completed' }, PERSON),
    ).toMatchObject({
      version: 2,
    })
    await expect(at.stack.changes.updateGoal(at.belief, { status: 'completed' })).rejects.toThrow(
      /not a goal/,
    )
    expect(idOf(own.ref)).toBe(own.id)
  })
})
