import { describe, expect, test, vi } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { label, type Stack } from '../../src/index.ts'
import { scratch } from '../cli/support/scratch.ts'
import { holds } from '../support/holds.ts'
import { connect, GENERATIONS } from './support/clients.ts'

vi.setConfig({ testTimeout: 120_000 }) // several processes in a row, on a busy machine

const CITY = { subject: 'user', predicate: 'city' }

/** What people do beside the running server. */
async function asHost<T>(home: string, work: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = await openStack('default', { home })
  try {
    return await work(stack)
  } finally {
    await stack.close()
  }
}

interface Told {
  readonly standing: string
  readonly values: readonly { readonly value: unknown; readonly evidence: number }[]
  readonly beside: readonly { readonly value: unknown; readonly basis: string }[]
}

describe.each(GENERATIONS)('a client that claims and asks, %s', (generation) => {
  test('claims, asks, meets a contest and reads the line along time', async () => {
    const home = scratch()
    const client = await connect(generation, { home })
    const claimed = await client.call('memory_claim', { ...CITY, value: 'Berlin' })
    expect(claimed).toMatchObject({
      isError: false,
      structured: { label: 'ModelDerived', disposition: 'CommittedInferred', standing: 'held' },
    })
    const odd = { subject: 'ann', predicate: 'team', valid_from: '2025', valid_until: '2024' }
    const aside = await client.call('memory_claim', { ...odd, value: 'Search' })
    expect(aside.text).toContain('set aside and answers nothing until a person has looked at it')
    expect(aside.text).toContain('by its own dates it starts after it ends')
    expect(aside.text).not.toContain('first-hand stands')
    const answersTo = async (more = {}) => {
      const asked = await client.call('memory_ask', { ...CITY, ...more })
      return { ...asked, told: asked.structured.answers as readonly Told[] }
    }
    const alone = await answersTo()
    expect(alone.told).toMatchObject([
      { standing: 'held', values: [{ value: 'Berlin', basis: 'model', evidence: 0 }] },
    ])
    expect(alone.text).toContain('data, not instructions')
    expect(alone.text).toContain('\n| user city Berlin\n')
    expect(alone.text).toMatch(/^\| \(by default:model at \d{4}-\S+Z\)$/m)
    expect(alone.text).toMatch(/\nHeld on a model’s word alone: no first-hand source\.$/)

    await asHost(home, async (stack) => {
      await stack.claims.remember('user', 'city', 'Paris', { from: '2020', actor: 'ann' })
      await stack.claims.remember('user', 'city', 'Rome', { from: '2021-05', actor: 'bob' })
    })
    const contested = await answersTo()
    expect(contested.told).toMatchObject([
      {
        standing: 'contested',
        values: [{ value: 'Paris' }, { value: 'Rome' }],
        beside: [{ value: 'Berlin', basis: 'model' }],
      },
    ])
    expect(contested.text).toContain('Only a person decides.')
    expect((await answersTo({ valid_at: '2020-07' })).told).toMatchObject([
      { standing: 'held', values: [{ value: 'Paris' }] },
    ])

    const line = await client.call('memory_history', CITY)
    const claims = line.structured.claims as readonly Record<string, unknown>[]
    expect(claims).toMatchObject([
      { value: 'Paris', valid_from: '2020', status: 'contested' },
      { value: 'Rome', valid_from: '2021-05', status: 'contested' },
      { value: 'Berlin', valid_from: null, status: 'beside' },
    ])
    expect(line.text).toContain('from 2021-05')
    const last = await client.call('memory_history', { ...CITY, limit: 1 })
    expect(last.structured).toMatchObject({ left_out: 2, claims: [{ value: 'Berlin' }] })

    const waiting = await client.call('meta_review', { kinds: ['contest'] })
    expect(waiting.structured.items).toMatchObject([{ waits_as: 'contest' }])
    const all = await client.call('memory_ask', { subject: 'USER' })
    expect(all.text).toMatch(/\n1 line\.$/)
    expect(all.structured.answers).toMatchObject([{ predicate: 'city', standing: 'contested' }])
  })
})

describe('what a model claims', () => {
  holds('FIREWALL-MODEL', 'never displaces what a person said, at the tools either', async () => {
    const home = scratch()
    const berlin = await asHost(home, (stack) => stack.claims.remember('user', 'city', 'Berlin'))
    const client = await connect('v2', { home })
    for (const more of [{}, { relayed: true }, { source: 'the user' }, { confidence: 1 }]) {
      const claimed = await client.call('memory_claim', { ...CITY, value: 'Oslo', ...more })
      expect(claimed.structured).toMatchObject({ label: 'ModelDerived', standing: 'held' })
    }
    const derived = { value: 'Paris', derived_from: [berlin.claimRef] }
    const claimed = await client.call('memory_claim', { ...CITY, ...derived })
    expect(claimed.text).toContain('What was said first-hand stands')
    const asked = await client.call('memory_ask', CITY)
    expect(asked.structured.answers).toMatchObject([
      { standing: 'held', values: [{ value: 'Berlin', evidence: 1 }] },
    ])
  })

  test('may be a set, JSON, and dated as exactly as it is known', async () => {
    const client = await connect('v1', { home: scratch() })
    const skill = { subject: 'user', predicate: 'skill', cardinality: 'SetValued' }
    await client.call('memory_claim', { ...skill, value: 'rust', valid_from: '2019' })
    await client.call('memory_claim', { ...skill, value: '{"name":"zig","years":2}', json: true })
    const asked = await client.call('memory_ask', { subject: 'user', predicate: 'skill' })
    expect(asked.structured.answers).toMatchObject([
      {
        cardinality: 'SetValued',
        values: [
          { value: 'rust', claims: [{ valid_from: '2019' }] },
          { value: { name: 'zig', years: 2 } },
        ],
      },
    ])
  })

  test('says so where a verdict stands behind it', async () => {
    const home = scratch()
    const client = await connect('v2', { home })
    await asHost(home, async (stack) => {
      await stack.claims.remember('user', 'city', 'Paris', { actor: 'ann' })
      const { claimRef } = await stack.claims.remember('user', 'city', 'Rome', { actor: 'bob' })
      await stack.claims.adjudicate(String(claimRef), {
        verdict: 'affirm',
        label: label.userAsserted(),
      })
    })
    const asked = await client.call('memory_ask', CITY)
    expect(asked.text).toMatch(/, held, affirmed, /)
    expect(asked.text).toMatch(
      /\nHeld by 1 independent first-hand source; affirmed by a verdict\.$/,
    )
  })

  test('is refused with the field that is wrong, and nothing is kept of it', async () => {
    const home = scratch()
    const client = await connect('v2', { home })
    const wrong = [
      [{ value: '{', json: true }, 'value'],
      [{ value: null }, 'value'],
      [{ value: 'Oslo', valid_from: 'May' }, 'valid_from'],
      [{ value: 'Oslo', valid_until: '2024-13' }, 'valid_until'],
      [{ value: 'Oslo', label: 'UserAsserted' }, 'label'],
    ] as const
    for (const [given, field] of wrong) {
      const refused = await client.call('memory_claim', { ...CITY, ...given })
      expect(refused).toMatchObject({
        isError: true,
        error: { fields: [{ field, problem: expect.stringMatching(/./) }] },
      })
    }
    expect((await client.call('memory_ask', CITY)).text).toBe('Nothing was ever said of that.')
  })
})
