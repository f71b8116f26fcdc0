import { describe, expect, test } from 'vitest'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { type Door, doorsFor, type Input } from './support/doors.ts'

const GOAL = { title: 'Ship it', because: 'the customers wait', priority: 'high' }

async function answer(door: Door, name: 'goal' | 'update_goal' | 'show' | 'render', input: Input) {
  const said = await door.ask(name, input)
  if (!said.ok) throw new Error(`${door.name}: ${name} was refused: ${JSON.stringify(said)}`)
  return said.value as Input
}

const bodyOf = async (door: Door, ref: unknown): Promise<Input> => {
  const shown = await answer(door, 'show', { ref })
  return ((shown.memory ?? shown) as { readonly body: Input }).body
}

describe.each(['person', 'model'] as const)('a goal of a %s', (who) => {
  test('is completed by its words at every door, and keeps its other fields', async () => {
    for (const door of await doorsFor(who)) {
      const born = await answer(door, 'goal', GOAL)
      const done = await answer(door, 'goal', {
        title: 'Ship it',
        status: 'completed',
        because: 'it is in the shop',
      })
      expect(done, door.name).toMatchObject({ ref: born.ref, version: 2 })
      expect(await bodyOf(door, born.ref), door.name).toMatchObject({
        title: 'Ship it',
        status: 'completed',
        priority: 'high',
      })
      // Control: words alone reopen nothing.
      const again = await answer(door, 'goal', { title: 'Ship it', because: 'it is so' })
      expect(again, door.name).toMatchObject({ ref: born.ref, disposition: 'Corroborated' })
      expect(await bodyOf(door, born.ref), door.name).toMatchObject({ status: 'completed' })
    }
  })

  test.each(['completed', 'paused', 'dropped'])(
    'is %s by its ref at every door',
    async (status) => {
      for (const door of await doorsFor(who)) {
        const born = await answer(door, 'goal', GOAL)
        const done = await answer(door, 'update_goal', { ref: born.ref, status })
        expect(done, door.name).toMatchObject({ ref: born.ref, version: 2 })
        expect(await bodyOf(door, born.ref), door.name).toMatchObject({ status, priority: 'high' })
      }
    },
  )
})

const TITLES = ['Ship the tent', 'Paint the tent', 'Sell the tent', 'Rent the tent'] as const
const STATUSES = ['active', 'paused', 'completed', 'dropped'] as const

describe('a goal that nobody pursues', () => {
  test('is no part of working memory once finished, and is marked while paused', async () => {
    const desk = new Desk(scratch())
    for (const [at, title] of TITLES.entries()) {
      await desk.person(['memory', 'goal', title, '--because', 'the season ends'])
      if (at > 0)
        await desk.person([
          'memory',
          'goal',
          title,
          '--status',
          String(STATUSES[at]),
          '--because',
          'said',
        ])
    }
    const loaded = (await desk.call(['agent', 'load'])).out
    expect(loaded).toMatch(/Ship the tent/)
    expect(loaded).toMatch(/Paint the tent\n.* · paused/)
    expect(loaded).not.toMatch(/(Sell|Rent) the tent/)
    const listed = (await desk.call(['list', 'goal'])).out
    for (const page of [listed, (await desk.call(['search', 'the tent', '--kind', 'goal'])).out]) {
      expect(page).toMatch(/(?<!\] )Ship the tent/)
      expect(page).toMatch(/\[paused\] Paint the tent/)
      expect(page).toMatch(/\[completed\] Sell the tent/)
      expect(page).toMatch(/\[dropped\] Rent the tent/)
    }
  })

  test('says its status to a model', async () => {
    const [door] = await doorsFor('model')
    if (door === undefined) throw new Error('there is no door')
    for (const [at, title] of TITLES.entries()) {
      const { ref } = await answer(door, 'goal', { ...GOAL, title })
      if (at > 0) await answer(door, 'update_goal', { ref, status: String(STATUSES[at]) })
    }
    const rendered = String((await answer(door, 'render', {})).text)
    expect(rendered).toMatch(/^goal:.*, paused\n\| Paint the tent/m)
    expect(rendered).not.toMatch(/(Sell|Rent) the tent/)
    const found = String((await answer(door, 'render', { query: 'the tent' })).text)
    expect(found).toMatch(/^goal:.*, completed\n\| Sell the tent/m)
  })
})

describe('on the command line', () => {
  const firstGoal = async (desk: Desk) => {
    const [goal] = (await desk.call(['list', 'goal', '--all', '--json'])).json() as readonly {
      readonly ref: string
      readonly status: string
    }[]
    if (!goal) throw new Error('there is no goal')
    return goal
  }

  test('a person completes a goal by the words that made it', async () => {
    const desk = new Desk(scratch())
    await desk.person(['memory', 'goal', 'Ship it', '--because', 'the customers wait'])
    const said = await desk.person([
      'memory',
      'goal',
      'Ship it',
      '--status',
      'completed',
      '--because',
      'done',
    ])
    expect(said.code).toBe(0)
    expect(said.out).toMatch(/^Revised goal:[0-9a-f]{8}, version 2 \(you said it\)\n/)
    expect((await firstGoal(desk)).status).toBe('completed')
  })

  test('a person pauses a goal by its short ref, and help shows both ways', async () => {
    const desk = new Desk(scratch())
    await desk.person(['memory', 'goal', 'Ship it', '--because', 'the customers wait'])
    const { ref } = await firstGoal(desk)
    const said = await desk.person([
      'memory',
      'goal',
      ref.slice(0, 'goal:'.length + 8),
      '--status',
      'paused',
    ])
    expect(said.out).toMatch(/^Revised goal:[0-9a-f]{8}, version 2 \(you said it\)\n/)
    expect((await firstGoal(desk)).status).toBe('paused')
    const help = (await desk.call(['help', 'memory', 'goal'])).out
    expect(help).toContain('--status completed')
    expect(help).toMatch(/muniment memory goal goal:\S+ --status/)
  })

  test('a model that completes the goal of a person proposes it, and the page says so', async () => {
    const desk = new Desk(scratch())
    await desk.person(['memory', 'goal', 'Ship it', '--because', 'the customers wait'])
    const said = await desk.call([
      'memory',
      'goal',
      'Ship it',
      '--status',
      'completed',
      '--because',
      'done',
    ])
    expect(said.out).toMatch(/^Proposed for goal:[0-9a-f]{8}; a person decides/)
    const { ref, status } = await firstGoal(desk)
    expect(status).toBe('active')
    expect((await desk.person(['review'])).out).toContain('status: active → completed')
    const [item] = (await desk.person(['review', '--json'])).json() as readonly unknown[]
    expect(item).toMatchObject({
      fields: [{ proposal: expect.any(Number), field: 'status', from: 'active', to: 'completed' }],
      since: expect.any(String),
    })
    expect((await desk.person(['review', ref, 'accept'])).code).toBe(0)
    expect((await firstGoal(desk)).status).toBe('completed')
  })
})
