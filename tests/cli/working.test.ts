import { describe, expect, test } from 'vitest'
import { memoryKeyring } from '../../src/compose/keyring.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { part } from '../stack/component-registry.ts'
import { holds } from '../support/holds.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

describe('process', () => {
  test('makes suggestions of captures by rule, and says what to do next', async () => {
    const desk = new Desk(scratch())
    await desk.person([
      'memory',
      'raw',
      'I tried the new index today. It failed because of a lock.',
    ])
    const said = await desk.person(['agent', 'process'])
    expect(said.out).toMatch(/^raw_to_episode +done +1 looked at, 1 suggested/)
    expect(said.out).toMatch(/^episode_to_goal +nothing due/m)
    expect(said.out).toContain('next: muniment review')
    expect((await desk.person(['review'])).out).toContain('would become an episode')
    const again = await desk.person([
      'agent',
      'process',
      '--transition',
      'raw_to_episode',
      '--json',
    ])
    expect(again.json()).toMatchObject({
      steps: [{ transition: 'raw_to_episode', status: 'not_due' }],
      spent: { calls: 0, tokens: 0 },
    })
  })
})

describe('anxiety and components', () => {
  test('an empty stack has nothing to measure by; a used one says how it does', async () => {
    const desk = new Desk(scratch())
    await desk.person(['belief', 'It might rain', '--because', 'clouds', '--confidence', '0.2'])
    const { out } = await desk.person(['agent', 'health'])
    expect(out).toMatch(/^\w+ \(\d+ of 100\)\n {2}identityCoherence +80/)
    const full = ['--context-tokens', '95', '--context-window', '100']
    expect((await desk.person(['agent', 'health', ...full, '--json'])).json()).toMatchObject({
      health: { dimensions: { contextPressure: 96 } },
    })
  })

  test('lists what works along, and lets one speak', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'something'])
    expect((await desk.person(['agent', 'components'])).out).toMatch(
      /^embedding +1\.0\.0 +required, uses a model +ok/,
    )
    expect((await desk.person(['agent', 'components', 'metamemory'])).out).toContain(
      '"uncertain": 0',
    )
    expect((await desk.person(['agent', 'components', 'emotions'])).out).toContain('nothing to say')
    expect((await desk.person(['agent', 'components', 'nobody'])).code).toBe(3)
  })
})

describe('epochs and playbooks', () => {
  test('begin, conclude, use', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'before'])
    expect(
      (await desk.person(['agent', 'begin', 'The first year', '--why', 'a new job'])).code,
    ).toBe(0)
    await desk.person(['memory', 'episode', 'learn', 'learnt', '--lesson', 'ask'])
    const ended = await desk.person(['agent', 'conclude'])
    expect(ended.out).toMatch(
      /^Epoch 1, The first year, has ended\.\n {2}summary:\w+ tells of 1 memory/,
    )
    expect((await desk.person(['agent', 'conclude'])).code).toBe(3)
    const how = [
      'agent',
      'playbook',
      'deploying',
      'how it is done',
      '--because',
      'it worked',
      '--json',
    ]
    const { ref } = (await desk.person(how)).json() as { ref: string }
    expect((await desk.person(['agent', 'use', ref])).out).toBe(
      'novice: used 1 times, 100 % went well\n',
    )
    expect((await desk.person(['agent', 'use', ref, '--failed'])).out).toContain('50 % went well')
  })
})

describe('doctor', () => {
  test('ends with 5 when a check is bad that no audit sees, and names it', async () => {
    const home = scratch()
    const kept = new Desk(home, { keyring: memoryKeyring() })
    const { ref } = (await kept.person(['note', 'a secret', '--json'])).json() as { ref: string }
    await kept.person(['erase', ref, '--yes'])
    expect((await kept.person(['doctor'])).code).toBe(0)
    const lost = new Desk(home, { keyring: memoryKeyring() })
    for (const [name, store] of kept.stores) lost.stores.set(name, store)
    const said = await lost.person(['doctor', '--json'])
    expect(said.code).toBe(5)
    expect(said.json()).toMatchObject({ ok: false, failed: ['key'] })
  })

  holds('S-72', 'names a component that failed in another process', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'something'])
    expect((await desk.person(['doctor'])).out).toMatch(/^ok +components +none was failing/m)
    const broken = part('mood', {
      onSave: () => {
        throw new Error('no')
      },
    })
    const store = desk.store('default')
    const stack = await openStack('default', { store, components: [broken] })
    await stack.claims.remember('user', 'city', 'Berlin')
    await stack.close()
    expect((await desk.person(['doctor'])).out).toMatch(
      /^warning +components +mood fails in onSave {2}→ muniment stack maintain/m,
    )
  })
})
