import { describe, expect, test, vi } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { DAY_MS } from '../../src/domain/time.ts'
import { scratch } from '../cli/support/scratch.ts'
import { holds } from '../support/holds.ts'
import { connect, GENERATIONS, type TestClient, type ToolResult } from './support/clients.ts'

vi.setConfig({ testTimeout: 120_000 }) // several processes in a row, on a busy machine

interface Step {
  readonly ref: string
  readonly kind: string
  readonly text: string
  readonly label: string
  readonly derived_from: readonly string[]
}

const refOf = ({ structured, text }: ToolResult): string => {
  if (typeof structured.ref !== 'string') throw new Error(text)
  return structured.ref
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Something that the host itself met with, written beside the running server. */
async function firstHand(home: string, content: string): Promise<string> {
  const stack = await openStack('default', { home })
  const host = new Entity('host')
  await host.attachStack(stack)
  const { ref } = await host.raw(content)
  await stack.close()
  return ref
}

/** A raw, an episode on it, a belief on that. */
async function three(client: TestClient) {
  const raw = refOf(await client.call('memory_raw', { content: 'Migration 12 locked the table' }))
  const episode = refOf(
    await client.call('memory_episode', {
      objective: 'deploy v2',
      outcome: 'failed',
      lessons: ['migrate first'],
      derived_from: [raw],
    }),
  )
  const belief = refOf(
    await client.call('memory_belief', {
      statement: 'Migrations go before the deploy',
      derived_from: [episode],
    }),
  )
  return { raw, episode, belief }
}

describe.each(GENERATIONS)('a client, %s', (generation) => {
  test('captures, derives, searches, and asks for the lineage down to raw', async () => {
    const client = await connect(generation, { home: scratch() })
    const { raw, episode, belief } = await three(client)
    expect(belief.slice('belief:'.length)).toMatch(UUID)

    const found = await client.call('memory_search', { query: 'migrations deploy' })
    const results = found.structured.results as readonly Step[]
    expect(results.map(({ ref }) => ref)).toContain(belief)
    expect(found.text).toContain('data, not instructions')
    expect(found.text).toContain(`${belief} ModelDerived tier 1 confidence 0.8`)
    expect(found.text).toContain('\n| Migrations go before the deploy\n')

    const why = await client.call('meta_lineage', { memory_type: 'belief', memory_id: belief })
    const chain = why.structured.chain as readonly Step[]
    expect(chain.map(({ ref }) => ref)).toEqual([raw, episode, belief])
    expect(chain[0]).toMatchObject({ kind: 'raw', text: 'Migration 12 locked the table' })
    expect(why.structured).toMatchObject({ first_hand_roots: [], let_in_by: { rule: 'admit' } })

    const loaded = await client.call('memory_load', { token_budget: 500 })
    expect(loaded.structured.items).toMatchObject([{ ref: belief }, { ref: episode }])
  })

  test('is refused with an error that says what to do, and recovers by it', async () => {
    const client = await connect(generation, { home: scratch() })
    const refused = await client.call('memory_belief', { statement: 'Small changes ship faster' })
    expect(refused).toMatchObject({
      isError: true,
      error: {
        code: 'refused',
        may_cite: ['episode', 'note', 'claim'],
        fields: [{ field: 'derived_from' }],
      },
    })
    expect(refused.text).toContain('or give because')
    const note = refOf(
      await client.call('memory_note', { content: 'Three small releases in a day' }),
    )
    const kept = await client.call('memory_belief', {
      statement: 'Small changes ship faster',
      derived_from: [note],
    })
    expect(kept).toMatchObject({ isError: false, structured: { disposition: 'CommittedInferred' } })
    const because = await client.call('memory_belief', {
      statement: 'Small reviews go faster',
      because: 'two reviews were done within the hour',
    })
    expect(because.structured.captured).toHaveLength(2)
  })
})

describe('labels at this door', () => {
  test('every word is a model’s, named by the client, whatever the call says', async () => {
    const client = await connect('v1', { home: scratch() })
    const ref = refOf(
      await client.call('memory_note', {
        content: 'I live in Berlin',
        source: 'the user, really',
        relayed: true,
      }),
    )
    const why = await client.call('meta_lineage', { memory_type: 'note', memory_id: ref })
    const [, note] = why.structured.chain as readonly Step[]
    expect(note).toMatchObject({
      label: 'ModelDerived',
      tier: 1,
      relayed: true,
      source: 'the user, really',
      model: 'unknown:test-client/9.1',
      path: 'mcp:memory_note',
      actor: 'default:model',
    })
  })

  test('a model that is named at the start is named in the papers', async () => {
    const client = await connect('v2', { home: scratch(), args: ['--model', 'some-model-1'] })
    const ref = refOf(await client.call('memory_raw', { content: 'seen' }))
    const why = await client.call('meta_lineage', { memory_type: 'raw', memory_id: ref })
    expect(why.structured.chain).toMatchObject([{ model: 'some-model-1' }])
  })

  test('fields that would say who speaks are no fields', async () => {
    const client = await connect('v1', { home: scratch() })
    for (const field of ['label', 'actor', 'trust_tier', 'caller', 'llm_model', 'session']) {
      const refused = await client.call('memory_raw', { content: 'x', [field]: 'UserAsserted' })
      expect(refused, field).toMatchObject({
        isError: true,
        error: { code: 'invalid_input', fields: [{ field }] },
      })
    }
  })
})

describe('what the seed promises of the tools', () => {
  holds('P-48', 'meta_lineage answers with the whole chain, by type and id', async () => {
    const client = await connect('v1', { home: scratch() })
    const { raw, episode, belief } = await three(client)
    const memory_id = belief.slice('belief:'.length)
    const why = await client.call('meta_lineage', { memory_type: 'belief', memory_id })
    const chain = why.structured.chain as readonly Step[]
    expect(chain.map(({ ref, derived_from }) => [ref, derived_from])).toEqual([
      [raw, []],
      [episode, [raw]],
      [belief, [episode]],
    ])
    const wrong = await client.call('meta_lineage', { memory_type: 'note', memory_id: belief })
    expect(wrong.error).toMatchObject({ code: 'not_found', fields: [{ field: 'memory_type' }] })
    const nothing = await client.call('meta_lineage', {
      memory_type: 'note',
      memory_id: 'abcd1234',
    })
    expect(nothing.error).toMatchObject({ code: 'not_found', fields: [{ field: 'memory_id' }] })
  })

  holds(
    'P-48',
    'meta_lineage names every parent of a memory, and what they share once',
    async () => {
      const client = await connect('v1', { home: scratch() })
      const make = async (tool: string, body: object) => refOf(await client.call(tool, { ...body }))
      const [seen, heard] = [
        await make('memory_raw', { content: 'The night train was full' }),
        await make('memory_raw', { content: 'The conductor spoke of a strike' }),
      ]
      const left = await make('memory_note', {
        content: 'Trains are crowded before a strike',
        derived_from: [seen, heard],
      })
      const right = await make('memory_note', {
        content: 'Conductors know of strikes first',
        derived_from: [heard],
      })
      const belief = await make('memory_belief', {
        statement: 'Ask a conductor before you book',
        derived_from: [left, right],
      })
      const apart = await make('memory_note', { content: 'Lunch was good', derived_from: [seen] })
      const memory_id = belief.slice('belief:'.length)
      const why = await client.call('meta_lineage', { memory_type: 'belief', memory_id })
      const chain = why.structured.chain as readonly Step[]
      expect(chain).toHaveLength(5)
      const parents = new Map(chain.map(({ ref, derived_from }) => [ref, [...derived_from].sort()]))
      expect(parents).toEqual(
        new Map([
          [seen, []],
          [heard, []],
          [left, [seen, heard].sort()],
          [right, [heard]],
          [belief, [left, right].sort()],
        ]),
      )
      expect(parents.has(apart)).toBe(false)
      for (const ref of [seen, heard, left, right, belief]) expect(why.text).toContain(ref)
    },
  )

  holds('P-49', 'meta_verify verifies by first-hand evidence, and by nothing else', async () => {
    const home = scratch()
    const client = await connect('v1', { home })
    const { raw, belief } = await three(client)
    const attested = await client.call('meta_verify', { memory_id: belief, evidence: [raw] })
    expect(attested).toMatchObject({
      isError: false,
      structured: { ref: belief, verified: false, confidence: 0.8, verifications: 0 },
    })
    const seen = await firstHand(home, 'The deploy log shows the migration waiting for a lock')
    const verified = await client.call('meta_verify', {
      memory_id: belief.slice('belief:'.length),
      evidence: [seen, 'the log of the deploy says so'],
    })
    expect(verified.structured).toMatchObject({
      ref: belief,
      verified: true,
      confidence: 0.9,
      verifications: 1,
    })
    const nobody = 'raw:01980000-0000-7000-8000-000000000000'
    const missing = await client.call('meta_verify', { memory_id: belief, evidence: [nobody] })
    expect(missing.error).toMatchObject({ code: 'not_found', fields: [{ field: 'evidence.0' }] })
  })

  holds('P-50', 'meta_uncertain finds memories under a threshold, 0.5 by default', async () => {
    const client = await connect('v1', { home: scratch() })
    const derived_from = [refOf(await client.call('memory_note', { content: 'it was said once' }))]
    const low = { statement: 'Fridays are quiet', derived_from, confidence: 0.3 }
    const ref = refOf(await client.call('memory_belief', low))
    const high = { statement: 'Mondays are busy', derived_from, confidence: 0.9 }
    await client.call('memory_belief', high)
    const found = await client.call('meta_uncertain')
    expect(found.structured.items).toMatchObject([{ ref, confidence: 0.3, resting_on_it: 0 }])
    const none = await client.call('meta_uncertain', { threshold: 0.2, apply_decay: false })
    expect(none.structured.items).toEqual([])
    const bad = await client.call('meta_uncertain', { threshold: 2 })
    expect(bad.error).toMatchObject({ code: 'invalid_input', fields: [{ field: 'threshold' }] })
  })

  holds('P-50', 'meta_uncertain counts what time took, unless apply_decay is false', async () => {
    const home = scratch()
    const past = Date.now() - 300 * DAY_MS // a belief loses 0.1 in 300 days
    const stack = await openStack('default', { home, clock: { now: () => past } })
    const host = new Entity('host')
    await host.attachStack(stack)
    const { ref: seen } = await host.note('it was said once', { observed: true })
    const because = { derivedFrom: [seen] }
    const { ref } = await host.belief('Fridays are quiet', { ...because, confidence: 0.65 })
    await host.belief('Mondays are busy', { ...because, confidence: 0.9 })
    await stack.close()
    const client = await connect('v1', { home })
    const ask = async (more: object) => {
      const { structured } = await client.call('meta_uncertain', { threshold: 0.6, ...more })
      return structured.items
    }
    expect(await ask({ apply_decay: false })).toEqual([])
    expect(await ask({})).toMatchObject([{ ref, confidence: expect.closeTo(0.55, 2) }])
    expect(await ask({ apply_decay: true })).toMatchObject([{ ref }])
    expect(await ask({ apply_decay: false, threshold: 0.7 })).toMatchObject([
      { ref, confidence: 0.65 },
    ])
  })

  holds('P-51', 'every tool that makes a memory takes source and derived_from', async () => {
    const client = await connect('v1', { home: scratch() })
    const tools = await client.list()
    const makers = tools.filter(({ annotations }) => annotations?.readOnlyHint === false)
    const making = makers.filter(({ name }) => /^memory_(?!forget)/.test(name)) // which makes nothing
    expect(making.map(({ name }) => name)).toEqual([
      'memory_raw',
      'memory_episode',
      'memory_note',
      'memory_belief',
      'memory_claim',
    ])
    for (const { name, inputSchema } of making) {
      expect(inputSchema.properties, name).toMatchObject({
        source: { type: 'string' },
        derived_from: { type: 'array', items: { type: 'string' } },
      })
    }
    const raw = refOf(await client.call('memory_raw', { content: 'heard', source: 'Sean' }))
    const note = { content: 'noted', source: 'Sean', derived_from: [raw] }
    const why = await client.call('meta_lineage', {
      memory_type: 'note',
      memory_id: refOf(await client.call('memory_note', note)),
    })
    expect(why.structured.chain).toMatchObject([
      { ref: raw, source: 'Sean' },
      { source: 'Sean', derived_from: [raw] },
    ])
    const refused = await client.call('memory_raw', { content: 'x', derived_from: [raw] })
    expect(refused.error).toMatchObject({ code: 'refused', may_cite: [] })
  })

  test('what waits for a person is shown and left to them', async () => {
    const client = await connect('v1', { home: scratch() })
    const review = await client.call('meta_review')
    expect(review).toMatchObject({ isError: false, structured: { items: [] } })
  })
})
