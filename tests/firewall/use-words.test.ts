import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Caller, Use } from '../../src/domain/doors.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import { KINDS, type Ref, splitRef } from '../../src/domain/ids.ts'
import { createToken } from '../../src/doors/access/tokens.ts'
import { operate } from '../../src/operations/operate.ts'
import type { OperationName } from '../../src/operations/operations.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { asTool } from '../doors/support/as-tool.ts'
import type { Planted } from '../doors/support/planted.ts'
import { inputsFor, READS } from '../doors/support/reads.ts'
import { served } from '../http/support/server.ts'
import { linkedTo } from '../mcp/support/linked.ts'
import { at } from '../stack/support.ts'
import { LOW_WORD, OWN_WORD, plantLowWords } from './support/low-words.ts'

type World = Pick<Awaited<ReturnType<typeof worldOf>>, 'stack' | 'planted'>

async function worldOf() {
  const stack = await openStack('uses', { store: new MemoryStore() })
  const entity = new Entity('door', { modelId: 'model-1' })
  await entity.attachStack(stack)
  return { stack, entity, planted: await plantLowWords(stack) }
}

type Ask = (name: OperationName, input: object) => Promise<string>

/** Low words in the answer of every operation, without those that the question itself says. */
async function lowWordsServed(planted: readonly Planted[], ask: Ask) {
  const low: string[] = []
  const own = new Set<OperationName>()
  for (const name of READS) {
    for (const input of inputsFor(name, planted)) {
      const text = await ask(name, input)
      const asked = JSON.stringify(input)
      const found = new Set(text.match(LOW_WORD)?.filter((word) => !asked.includes(word)))
      if (found.size > 0) low.push(`${name} ${asked}: ${[...found].join(', ')}`)
      if (text.includes(OWN_WORD) && !asked.includes(OWN_WORD)) own.add(name)
    }
  }
  return { low, own: [...own] }
}

/** Operations that serve the person's words for any use: a filter that drops everything fails here. */
const SERVES_OWN: readonly OperationName[] = ['load', 'list', 'show', 'why', 'ask', 'dump', 'diff']

const operationsIn = (low: readonly string[]): readonly string[] => [
  ...new Set(low.map((each) => each.split(' ')[0] ?? '')),
]

const orRefused = async (work: Promise<unknown>): Promise<string> => {
  try {
    return JSON.stringify((await work) ?? null)
  } catch (error) {
    if (!(error instanceof MunimentError)) throw error
    return JSON.stringify({ message: error.message, hint: error.hint, facts: error.facts })
  }
}

describe('no operation gives words below the tier of the use', () => {
  const asked = async (use: Use) => {
    const { stack, entity, planted } = await worldOf()
    const context = { stack, entity, caller: at('mcp', { use }), actor: 'agent', model: 'm' }
    return lowWordsServed(planted, (name, input) => orRefused(operate(context, name, input)))
  }

  test('act, in one process: tier 1 stays unread, and the person is served', async () => {
    const { low, own } = await asked('act')
    expect(low).toEqual([])
    expect(own).toEqual(expect.arrayContaining([...SERVES_OWN]))
  })

  test('plan, in one process: the same questions are answered with words of tier 1', async () => {
    const { low } = await asked('plan')
    expect(operationsIn(low).length).toBeGreaterThan(15)
  })

  test('act, over HTTP', async () => {
    const { stack, planted } = await worldOf()
    const site = await served({
      usual: 'uses',
      source: { open: async () => stack, exists: async () => true, list: async () => ['uses'] },
    })
    const { token } = await createToken(site.home, {
      name: 'program',
      createdAt: '2026-01-01T00:00:00.000Z',
      labels: ['ModelDerived'],
      tier: 1,
      use: 'act',
    })
    const { low, own } = await lowWordsServed(planted, async (name, body) => {
      const { text } = await site.ask(`/v1/stacks/uses/${name}`, { token, body })
      return text
    })
    expect(low).toEqual([])
    expect(own).toEqual(expect.arrayContaining([...SERVES_OWN]))
  })

  test('act, as tools, resources and prompts of MCP', async () => {
    const { stack, planted } = await worldOf()
    const { client } = await linkedTo(stack, { use: 'act' })
    const { low, own } = await lowWordsServed(planted, async (name, input) => {
      const tool = toolOf(name, input)
      return tool === null ? '' : JSON.stringify(await client.callTool(tool))
    })
    expect(low).toEqual([])
    expect(own).toEqual(expect.arrayContaining([...SERVES_OWN]))
    const { resources } = await client.listResources()
    const read = await Promise.all(resources.map(({ uri }) => client.readResource({ uri })))
    expect(JSON.stringify([resources, read]).match(LOW_WORD)).toBeNull()
    expect(JSON.stringify(read)).toContain(OWN_WORD)
  })
})

describe('in the library, caller.use bounds every method that gives words', () => {
  /** Each method with the caller alone; every memory is asked for. */
  const methodsOf = ({ stack, planted }: World, caller: Caller) => {
    const by = { caller }
    const all = (kind: string) => planted.filter(({ ref }) => ref.startsWith(`${kind}:`))
    const ofEach = <T>(ask: (ref: string) => Promise<T>): Promise<readonly T[]> =>
      Promise.all(planted.map(({ ref }) => ask(ref)))
    return {
      search: () => stack.search('painted blue by everybody', { ...by, limit: 50 }),
      recall: () => stack.recall('painted blue by everybody', by),
      load: () => stack.load(by),
      ask: () => stack.claims.ask({ subject: 'wall', predicate: 'colour', ...by }),
      subject: () => stack.claims.subject('wall', by),
      lines: () => stack.claims.timelines(by),
      lineHistory: () => stack.claims.timeline({ subject: 'wall', predicate: 'colour', ...by }),
      getMemory: () => ofEach((ref) => stack.getMemory(splitRef(ref as Ref).kind, idOf(ref), by)),
      list: () => Promise.all(KINDS.map((kind) => stack.list(kind, by))),
      why: () => ofEach((ref) => stack.history.why(ref, by)),
      trace: () => ofEach((ref) => stack.history.trace(ref, by)),
      impact: () => ofEach((ref) => stack.history.impact(ref, by)),
      strengthHistory: () => ofEach((ref) => stack.history.strength(ref, by)),
      beliefHistory: () =>
        Promise.all(all('belief').map(({ ref }) => stack.history.belief(ref, by))),
      relationshipHistory: () =>
        Promise.all(all('relationship').map(({ ref }) => stack.history.relationship(ref, by))),
      diff: () => stack.history.diff(0, 10_000, by),
      review: () => stack.review.list(by),
      uncertain: () => stack.history.uncertain({ threshold: 1, ...by }),
      dump: () => stack.dump(by),
      whatIf: () => ofEach((distrust) => stack.sources.whatIf({ distrust, ...by })),
      explain: () => ofEach((ref) => stack.lookup.explain('painted blue', ref, by)),
      usePlaybook: () =>
        Promise.all(
          all('playbook').map(({ ref }) =>
            stack.epochs.usePlaybook(ref, { hasSucceeded: true, actor: 'someone', ...by }),
          ),
        ),
      promote: () => stack.promote({ minEpisodes: 1, ...by }),
      endEpoch: () => stack.epochs.end({ actor: 'model', ...by }),
    }
  }

  const lowIn = async (use: Use): Promise<readonly string[]> => {
    const world = await worldOf()
    const low: string[] = []
    for (const [name, ask] of Object.entries(methodsOf(world, at('lib', { use })))) {
      if (LOW.test(JSON.stringify((await ask()) ?? null))) low.push(name)
    }
    return low
  }

  test('act: no method gives a word of tier 1', async () => {
    expect(await lowIn('act')).toEqual([])
  })

  test('plan: every one of these methods gives words of tier 1', async () => {
    const { stack, planted } = await worldOf()
    const methods = Object.keys(methodsOf({ stack, planted }, at('lib')))
    // The question to explain holds none of the words; the next test asks with one.
    expect(await lowIn('plan')).toEqual(methods.filter((name) => name !== 'explain'))
  })

  test('explain and whyNot tell no term that a withheld memory holds', async () => {
    const { stack, planted } = await worldOf()
    const [{ ref, word } = { ref: '', word: '' }] = planted
    const asked = `${word} blue`
    const caller = at('lib', { use: 'act' })
    expect(await stack.lookup.explain(asked, ref, { caller })).toMatchObject({ says: [], score: 0 })
    expect((await stack.lookup.whyNot(asked, ref, { caller })).explained).toBeNull()
    const open = await stack.lookup.explain(asked, ref, { caller: at('lib', { use: 'plan' }) })
    expect(open.says).toEqual([word, 'blue'])
  })
})

const LOW = new RegExp(LOW_WORD.source)

const idOf = (ref: string): string => splitRef(ref as Ref).id

/** The tool for an operation; null for the few operations that no tool does. */
function toolOf(name: OperationName, input: object) {
  try {
    const { name: tool, arguments: given } = asTool(name, { ...input })
    return { name: tool, arguments: given }
  } catch {
    return null
  }
}
