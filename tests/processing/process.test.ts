import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { fakeModel, items, lived, working } from '../components/support.ts'

const deployed = (colour: string) => ({
  objective: `The ${colour} deploy ran`,
  outcome: `The ${colour} deploy failed on Friday.`,
})
const COLOURS = ['red', 'blue', 'green', 'grey', 'white']
const cites = ['red', 'blue', 'green'].map((colour, at) => ({
  source: `S${at + 1}`,
  quote: `The ${colour} deploy failed on Friday.`,
}))
const GOOD = items({ content: { statement: 'A deploy on Friday failed' }, confidence: 0.7, cites })
const STEP = { transitions: ['episode_to_belief'] } as const

const callsOf = async ({ stack }: { stack: Awaited<ReturnType<typeof working>>['stack'] }) =>
  (await stack.list('report', { limit: 1_000 }))
    .filter(({ body }) => body.topic === 'model_call')
    .map(({ body }) => body.fields as { readonly tokens: number; readonly outcome: string })

describe('a step', () => {
  test('waits until it is called for, and looks at nothing twice', async () => {
    const place = await working()
    const { model, asked } = fakeModel(() => GOOD)
    await place.me.setModel(model)
    await lived(place, ...COLOURS.slice(0, 4).map(deployed))
    expect((await place.stack.review.process(STEP)).steps[0]).toMatchObject({ status: 'not_due' })
    await lived(place, deployed('white'))
    expect((await place.stack.review.process(STEP)).steps[0]).toMatchObject({
      status: 'done',
      examined: 5,
    })
    expect((await place.stack.review.process(STEP)).steps[0]).toMatchObject({ status: 'not_due' })
    expect((await place.stack.review.process({ ...STEP, force: true })).steps[0]).toMatchObject({
      status: 'not_due', // there is nothing that it has not seen
    })
    expect(asked).toHaveLength(1)
  })

  test('what was said no to, or is believed, is not proposed again', async () => {
    const place = await working()
    const { model } = fakeModel(() => GOOD)
    await place.me.setModel(model)
    await lived(place, ...COLOURS.map(deployed))
    await place.stack.review.process(STEP)
    const [suggestion] = await place.stack.getSuggestions()
    await place.stack.dismissSuggestion(suggestion?.id ?? '')
    await lived(place, ...COLOURS.map(deployed))
    expect((await place.stack.review.process(STEP)).steps[0]).toMatchObject({
      made: [],
      dropped: { already_known: 1 },
    })
  })

  test('two processes at once propose the same once', async () => {
    const here = await working()
    await here.me.setModel(fakeModel(() => GOOD).model)
    await lived(here, ...COLOURS.map(deployed))
    const stack = await openStack('work', { store: here.store, ...fakeWorld(2) })
    const there = new Entity('my-other-agent')
    await there.attachStack(stack)
    await there.setModel(fakeModel(() => GOOD).model)
    const runs = await Promise.all([here.stack.review.process(STEP), stack.review.process(STEP)])
    expect(runs.flatMap(({ steps }) => steps.flatMap(({ made }) => made))).toHaveLength(1)
    expect(await here.stack.getSuggestions()).toHaveLength(1)
    await stack.close()
  })

  test('two processes at once promote the same lesson once', async () => {
    const here = await working()
    for (const colour of COLOURS)
      await here.me.episode({
        objective: `The ${colour} deploy`,
        outcome: 'It was late.',
        lessons: ['start earlier'],
      })
    const stack = await openStack('work', { store: here.store, ...fakeWorld(2) })
    const as = 'suggestion' as const
    const runs = await Promise.all([here.stack.promote({ as }), stack.promote({ as })])
    expect(runs.flatMap(({ suggestionsCreated }) => suggestionsCreated)).toHaveLength(1)
    expect(await here.stack.getSuggestions()).toHaveLength(1)
    await stack.close()
  })

  test('every protected belief is looked at once, however it comes by its protection', async () => {
    const place = await working()
    const { me, stack } = place
    const { model, asked } = fakeModel(() => '{"items":[]}')
    await me.setModel(model)
    const ids: string[] = []
    for (let at = 0; at < 14; at += 1) {
      const { id } = await me.belief(`Rest number ${at} matters more than speed`, {
        because: `reason ${at}`,
      })
      ids.push(id)
    }
    for (const id of ids.slice(1, 13)) await stack.protectMemory('belief', id)
    const run = { transitions: ['belief_to_value'], force: true, batches: 9 }
    await stack.review.process(run)
    const shown = () => asked.map(({ prompt }) => prompt.match(/(?<=number )\d+/g)?.map(Number))
    expect(shown()).toEqual([
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      [11, 12, 10, 9, 8, 7, 6, 5, 4, 3], // the new ones, beside enough to rest on
    ])
    await stack.review.process(run)
    expect(asked).toHaveLength(2)
    await stack.protectMemory('belief', ids[4] as string, false)
    await stack.protectMemory('belief', ids[0] as string) // an old one; there are as many as before
    await stack.review.process(run)
    expect(shown()[2]?.[0]).toBe(0)
    expect(asked).toHaveLength(3)
  })

  test('a lesson recurs across all that was lived through, not only the latest of it', async () => {
    const place = await working()
    const old = (at: number) => ({
      objective: `o ${at}`,
      outcome: 'so',
      lessons: ['Ask the owner first'],
    })
    await lived(place, old(1), old(2), old(3))
    await lived(
      place,
      ...Array.from({ length: 210 }, (_, at) => ({ objective: `p ${at}`, outcome: 'so' })),
    )
    await place.stack.review.process(STEP)
    const [suggestion] = await place.stack.getSuggestions()
    expect(suggestion?.content).toMatchObject({ statement: 'Ask the owner first' })
    expect(suggestion?.sourceRefs).toHaveLength(3)
  })

  test('with no model, what cannot be done by rule says so', async () => {
    const place = await working()
    await lived(place, ...COLOURS.map(deployed))
    const { steps } = await place.stack.review.process()
    expect(Object.fromEntries(steps.map(({ transition, status }) => [transition, status]))).toEqual(
      {
        raw_to_episode: 'not_due',
        raw_to_note: 'not_due',
        episode_to_belief: 'done',
        episode_to_goal: 'needs_model',
        episode_to_relationship: 'needs_model',
        belief_to_value: 'not_due',
        episode_to_drive: 'needs_model',
      },
    )
  })

  test('memories at once are a model’s word that cites its sources, through the gate', async () => {
    const place = await working()
    const { model } = fakeModel(() => GOOD)
    await place.me.setModel(model)
    const refs = await lived(place, ...COLOURS.map(deployed))
    const { steps } = await place.me.process({ ...STEP, as: 'memories' })
    const [belief] = await place.stack.getBeliefs()
    expect(steps[0]?.made).toEqual([belief?.ref])
    expect(belief?.provenance).toMatchObject({
      label: { type: 'ModelDerived' },
      llmModel: 'fake:model-1',
      sourceId: 'my-agent',
      derivedFrom: refs.slice(0, 3),
    })
    expect(belief?.tier).toBe(1)
  })

  test('what the model saw of the least trusted caps what it writes', async () => {
    const place = await working()
    const { model } = fakeModel(() => GOOD)
    await place.me.setModel(model)
    await lived(place, ...COLOURS.slice(0, 4).map(deployed))
    await place.me.episode({ ...deployed('white'), trustTier: 0 })
    await place.stack.review.process({ ...STEP, as: 'memories' })
    const [belief] = await place.stack.getBeliefs({ minTier: 0 })
    expect(belief?.tier).toBe(0) // it cites none of it, and has read it all the same
  })

  test('bad input is refused by name', async () => {
    const { stack } = await working()
    for (const wrong of [
      { transitions: ['raw_to_gold'] },
      { batches: 0 },
      { budget: { calls: -1 } },
      { as: 'truth' as never },
      { force: 'yes' as never },
    ]) {
      await expect(stack.review.process(wrong)).rejects.toMatchObject({ code: 'invalid_input' })
    }
  })
})

describe('a model that cannot be understood', () => {
  test('leaves nothing but its cost, and is passed over after three times', async () => {
    const place = await working()
    const { model, asked } = fakeModel(() => 'I would rather tell a story.')
    await place.me.setModel(model)
    await lived(place, ...COLOURS.map(deployed))
    for (let at = 0; at < 3; at += 1) {
      expect((await place.stack.review.process(STEP)).steps[0]).toMatchObject({
        status: 'failed',
        error: 'model_answer',
        made: [],
      })
    }
    expect((await place.stack.review.process(STEP)).steps[0]).toMatchObject({ status: 'not_due' })
    expect(asked).toHaveLength(3)
    expect(await place.stack.getSuggestions()).toEqual([])
    const calls = await callsOf(place)
    expect(calls).toHaveLength(3)
    expect(calls.every(({ tokens, outcome }) => tokens > 0 && outcome === 'answered')).toBe(true)
  })
})

describe('a budget', () => {
  test('of a run is never exceeded: a call that could cost more is not made', async () => {
    const place = await working()
    const { model, asked } = fakeModel(() => GOOD)
    await place.me.setModel(model)
    await lived(place, ...COLOURS.map(deployed))
    const poor = await place.stack.review.process({ ...STEP, budget: { tokens: 2_500 } })
    expect(poor).toMatchObject({
      steps: [{ error: 'model_budget' }],
      spent: { calls: 0, tokens: 0 },
    })
    const none = await place.stack.review.process({ ...STEP, budget: { calls: 0 } })
    expect(none).toMatchObject({ steps: [{ error: 'model_budget' }], spent: { calls: 0 } })
    expect(asked).toEqual([])
    const rich = await place.stack.review.process({ ...STEP, budget: { tokens: 20_000, calls: 1 } })
    expect(rich.steps[0]).toMatchObject({ status: 'done' })
    expect(rich.spent.tokens).toBeLessThanOrEqual(20_000)
  })

  test('of a day is kept in the ledger, for every process and across a crash', async () => {
    const budget = { calls: 3, tokens: 1_000_000 }
    const place = await working({ modelBudget: budget })
    const { model, asked } = fakeModel(() => '{"items":[]}')
    await place.me.setModel(model)
    await lived(place, ...COLOURS.map(deployed))
    const second = await openStack('work', {
      store: place.store,
      clock: place.clock,
      modelBudget: budget,
    })
    const other = new Entity('other', { model })
    await other.attachStack(second)
    const run = { transitions: ['episode_to_goal', 'episode_to_drive', 'episode_to_relationship'] }
    const both = await Promise.all([place.stack.review.process(run), second.review.process(run)])
    const errors = both.flatMap(({ steps }) => steps.map(({ error }) => error))
    expect(asked).toHaveLength(3)
    expect(errors.filter((error) => error === 'model_budget')).toHaveLength(3)
    place.clock.advance({ days: 1 })
    await lived(place, ...COLOURS.map(deployed))
    await place.stack.review.process({ transitions: ['episode_to_goal'] })
    expect(asked).toHaveLength(4)
    await second.close()
  })

  test('that is spent costs nothing more, and a clock set back brings no new day', async () => {
    const place = await working({ modelBudget: { calls: 1, tokens: 1_000_000 } })
    const { model, asked } = fakeModel(() => '{"items":[]}')
    await place.me.setModel(model)
    await lived(place, ...COLOURS.map(deployed))
    await place.stack.review.process({ transitions: ['episode_to_goal'] })
    expect(await place.stack.review.process({ transitions: ['episode_to_drive'] })).toMatchObject({
      steps: [{ error: 'model_budget' }],
      spent: { calls: 0, tokens: 0 },
    })
    place.clock.advance({ minutes: -60 }) // to the day before
    expect(await place.stack.review.process({ transitions: ['episode_to_drive'] })).toMatchObject({
      steps: [{ error: 'model_budget' }],
    })
    expect(asked).toHaveLength(1)
  })

  test('counts retries of a model that throws at their highest price', async () => {
    const place = await working({
      timer: (_, run) => {
        const soon = setTimeout(run, 1)
        return () => clearTimeout(soon)
      },
    })
    const { model, asked } = fakeModel(() => Promise.reject(new Error('lost on its way')))
    await place.me.setModel(model)
    await lived(place, ...COLOURS.map(deployed))
    const { steps, spent } = await place.stack.review.process({
      ...STEP,
      budget: { tokens: 12_000 },
    })
    expect(steps[0]).toMatchObject({ status: 'failed', made: [] })
    expect(asked.length).toBeGreaterThan(0)
    expect(spent.tokens).toBeGreaterThan(asked.length * 2_000)
    expect(spent.tokens).toBeLessThanOrEqual(12_000)
  })

  test('counts a call that was begun and never came back at its highest price', async () => {
    const place = await working({ modelBudget: { calls: 1, tokens: 1_000_000 } })
    const { model } = fakeModel(() => new Promise(() => {}))
    await place.me.setModel(model)
    await lived(place, ...COLOURS.map(deployed))
    void place.stack.review.process(STEP) // the process ends here, as it were
    await expect.poll(async () => (await callsOf(place)).length).toBe(1)
    const again = await openStack('work', {
      store: place.store,
      clock: place.clock,
      modelBudget: { calls: 1, tokens: 1_000_000 },
    })
    const other = new Entity('other', { model: fakeModel(() => GOOD).model })
    await other.attachStack(again)
    expect((await again.review.process(STEP)).steps[0]).toMatchObject({ error: 'model_budget' })
    await again.close()
  })
})
