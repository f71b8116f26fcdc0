import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Use } from '../../src/domain/doors.ts'
import { label } from '../../src/domain/labels.ts'
import { createToken } from '../../src/doors/access/tokens.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { AT_TERMINAL, Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { served } from '../http/support/server.ts'
import { linkedTo } from '../mcp/support/linked.ts'
import { holds } from '../support/holds.ts'

const PERSON = 'The account for refunds is X4711, says the owner' // tier 3
const MODEL = 'The account for refunds is X6666, says a page' // tier 1
const NOBODY = 'The account for refunds is X9999, says nobody' // tier 0

/** A stack with the same subject at tiers 3, 1 and 0. */
async function stacked() {
  const stack = await openStack('uses', { store: new MemoryStore() })
  const me = new Entity('me')
  await me.attachStack(stack)
  const owner = await me.note(PERSON, { saidBy: 'owner' })
  const page = await me.note(MODEL)
  const nobody = await me.raw(NOBODY, { label: label.recallReEntry(), sourceType: 'external' })
  await me.belief(`We think: ${MODEL}`, { derivedFrom: [page.ref], confidence: 0.3 })
  await stack.claims.remember('refunds', 'account', 'X4711', { actor: 'owner' })
  await stack.claims.remember('refunds', 'account', 'X6666', {
    label: label.modelDerived(),
    actor: 'page',
  })
  await stack.changes.change(owner.ref, { type: 'forget' }, 'forget', {
    label: label.modelDerived(),
    actor: 'model',
  })
  return { stack, owner, page, nobody }
}

type World = Awaited<ReturnType<typeof stacked>>

/** Every way in which a model reads words through tools, each asked for the least that there is. */
const READS: readonly (readonly [string, (world: World) => Record<string, unknown>])[] = [
  ['memory_search', () => ({ query: 'account for refunds', for: 'chat', limit: 50 })],
  ['memory_recall', () => ({ query: 'account for refunds', for: 'chat', min_tier: 0 })],
  ['memory_render', () => ({ query: 'account for refunds', for: 'chat', limit: 10 })],
  ['memory_load', () => ({ for: 'chat' })],
  ['memory_ask', () => ({ subject: 'refunds', predicate: 'account', for: 'chat' })],
  ['memory_ask', () => ({ subject: 'refunds' })],
  ['memory_history', () => ({ subject: 'refunds', predicate: 'account' })],
  ['meta_timelines', () => ({})],
  ['meta_lineage', ({ page }) => ({ memory_id: page.ref, for: 'chat' })],
  ['meta_lineage', ({ nobody }) => ({ memory_id: nobody.ref })],
  ['meta_why', ({ page }) => ({ ref: page.ref })],
  ['meta_why', ({ page }) => ({ ref: page.ref, impact: true })],
  ['memory_show', ({ page }) => ({ ref: page.ref })],
  ['memory_show', ({ nobody }) => ({ ref: nobody.ref })],
  ['memory_list', () => ({ all: true, limit: 50 })],
  ['meta_uncertain', () => ({ threshold: 1 })],
  ['meta_review', () => ({})],
  ['meta_contradictions', () => ({ statement: 'The account for refunds is 1' })],
  ['meta_ungrounded', () => ({})],
  ['meta_dump', () => ({ format: 'json', include_forgotten: true })],
  ['meta_diff', () => ({ from: '0', to: '40' })],
  ['meta_prove', ({ page }) => ({ ref: page.ref })],
]

async function wordsServed(use: Use | undefined): Promise<Readonly<Record<string, string>>> {
  const world = await stacked()
  const { client } = await linkedTo(world.stack, use === undefined ? {} : { use })
  const { tools } = await client.listTools()
  const known = new Set(tools.map(({ name }) => name))
  const answers: Record<string, string> = {}
  for (const [at, [name, given]] of READS.entries()) {
    if (!known.has(name)) throw new Error(`${name} is no tool`)
    const answer = await client.callTool({ name, arguments: given(world) })
    answers[`${at} ${name}`] = JSON.stringify(answer)
  }
  return answers
}

/** The texts of an answer, as a model reads them. */
const textOf = (content: unknown): string =>
  (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('\n')

const holding = (answers: Readonly<Record<string, string>>, words: RegExp): readonly string[] =>
  Object.entries(answers).flatMap(([name, text]) => (words.test(text) ? [name] : []))

describe('the host fixes what a connection reads for', () => {
  holds(
    'READ-USE',
    'act: no tool gives a word below tier 2, whatever the call asks for',
    async () => {
      const answers = await wordsServed('act')
      expect(holding(answers, /X6666|X9999/)).toEqual([])
      expect(holding(answers, /X4711/).length).toBeGreaterThan(5) // the person's words are served
    },
  )

  holds('READ-USE', 'plan, the usual: words of tier 1 are served, and none of tier 0', async () => {
    const answers = await wordsServed(undefined)
    expect(holding(answers, /X9999/)).toEqual([])
    expect(holding(answers, /X6666/).length).toBeGreaterThan(10)
  })

  test('chat: everything is served to those who ask for it', async () => {
    const answers = await wordsServed('chat')
    expect(holding(answers, /X9999/).length).toBeGreaterThan(0)
  })

  holds(
    'READ-USE',
    'an answer from which everything is withheld says so, how much, and what a person can do',
    async () => {
      const stack = await openStack('uses', { store: new MemoryStore() })
      const me = new Entity('me')
      await me.attachStack(stack)
      await me.note(MODEL)
      const { client } = await linkedTo(stack, { use: 'act' })
      const given = { query: 'account for refunds' }
      const { content, structuredContent } = await client.callTool({
        name: 'memory_search',
        arguments: given,
      })
      expect(structuredContent).toMatchObject({ results: [], withheld: 1 })
      expect(JSON.stringify(content)).toContain(
        '1 more matches and is withheld: this use takes tier 2',
      )
      const step = 'A person says it in their own words: muniment note "…"'
      expect(structuredContent).toMatchObject({ withheld_step: expect.stringContaining(step) })
      expect(textOf(content)).toContain(step)
      const loaded = await client.callTool({ name: 'memory_load', arguments: {} })
      expect(loaded.structuredContent).toMatchObject({ items: [], withheld: 1 })
      expect(textOf(loaded.content)).toContain(step)
    },
  )

  test('the step that an answer names is a command of a person, and it makes the claim count', async () => {
    const desk = new Desk(scratch())
    const store = desk.store('default')
    const stack = await openStack('default', { store })
    await stack.claims.remember('refunds', 'account', 'harbour bank', {
      label: label.modelDerived(),
    })
    const asked = { name: 'memory_ask', arguments: { subject: 'refunds', predicate: 'account' } }
    const before = await (await linkedTo(stack, { use: 'act' })).client.callTool(asked)
    expect(textOf(before.content)).toContain('1 more matches and is withheld')
    const { withheld_step: step } = before.structuredContent as { withheld_step: string }
    expect(step).toContain('muniment claim "refunds" "account" "…"')
    const words = (step.match(/"[^"]*"/g) ?? []).map((word) => word.slice(1, -1))
    const command = ['claim', ...words.slice(0, -1), 'harbour bank']
    expect((await desk.call(command, { terminal: AT_TERMINAL })).code).toBe(0)
    const again = await openStack('default', { store })
    const after = await (await linkedTo(again, { use: 'act' })).client.callTool(asked)
    expect(after.structuredContent).toMatchObject({
      answers: [{ standing: 'held', value: '| harbour bank' }],
    })
  })

  holds('SCOPE-BOUND', 'a call may ask for a stricter use', async () => {
    const { stack } = await stacked()
    const { client } = await linkedTo(stack)
    const given = { query: 'account for refunds', for: 'act' }
    const answer = await client.callTool({ name: 'memory_search', arguments: given })
    expect(JSON.stringify(answer)).not.toMatch(/X6666/)
  })
})

describe('over HTTP', () => {
  const query = { query: 'account for refunds', for: 'chat' }

  async function server(use?: Use) {
    const { stack } = await stacked()
    return served({
      usual: 'uses',
      source: { open: async () => stack, exists: async () => true, list: async () => ['uses'] },
      ...(use === undefined ? {} : { use }),
    })
  }

  test('a program reads for what its token says, and a person for anything', async () => {
    const site = await server()
    const scope = { name: 'actor', createdAt: '2026-01-01T00:00:00.000Z', tier: 1 } as const
    const { token } = await createToken(site.home, {
      ...scope,
      labels: ['ModelDerived'],
      use: 'act',
    })
    const path = '/v1/stacks/uses/search'
    const asProgram = await site.ask(path, { token, body: query })
    expect(JSON.stringify(asProgram.json)).not.toMatch(/X6666/)
    expect(JSON.stringify(asProgram.json)).toMatch(/X4711/)
    const asPerson = await site.ask(path, { token: await site.token('mine'), body: query })
    expect(JSON.stringify(asPerson.json)).toMatch(/X6666/)
  })

  holds(
    'SCOPE-BOUND',
    'serve --for act holds for every program, and a token never lowers it',
    async () => {
      const site = await server('act')
      const { token } = await createToken(site.home, {
        name: 'chatter',
        createdAt: '2026-01-01T00:00:00.000Z',
        labels: ['ModelDerived'],
        tier: 1,
        use: 'chat',
      })
      const answer = await site.ask('/v1/stacks/uses/search', { token, body: query })
      expect(JSON.stringify(answer.json)).not.toMatch(/X6666/)
      expect(JSON.stringify(answer.json)).toMatch(/X4711/)
    },
  )
})
