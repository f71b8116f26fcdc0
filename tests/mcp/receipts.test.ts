import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { expect } from 'vitest'
import { PROMPTS } from '../../src/doors/mcp/prompts.ts'
import { RESOURCE_TEMPLATES, RESOURCES } from '../../src/doors/mcp/resources.ts'
import { makeServer } from '../../src/doors/mcp/server.ts'
import { toolContexts } from '../../src/doors/mcp/tool-contexts.ts'
import { toolsOf } from '../../src/operations/tools.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryReceipts } from '../../src/stores/memory/receipts.ts'
import { lostOf, type Planted, plant } from '../doors/support/planted.ts'
import { freshStack } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

/** A client whose server is told in which talk it is. */
async function clientIn(stack: Stack, session: string): Promise<Client> {
  const contextFor = toolContexts({ stack, session, model: null, grant: null, use: 'chat' })
  const parts = { version: '1', tools: toolsOf('full'), onFault: () => {}, underWay: () => {} }
  const server = makeServer({ ...parts, contextFor })
  const client = new Client({ name: 'talk', version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  return client
}

type Call = readonly [name: string, ask: (client: Client) => Promise<unknown>, asked?: string]

const tool = (name: string, given: Record<string, unknown>): Call => [
  name,
  (client) => client.callTool({ name, arguments: given }),
  JSON.stringify(given),
]

/** Every tool of the usual set that reads, every resource and every prompt. */
function callsOn(planted: readonly Planted[]): readonly Call[] {
  const resource = (uri: string): Call => [uri, (client) => client.readResource({ uri })]
  const prompt = (name: string, given: Record<string, string>): Call => [
    `prompt ${name}`,
    (client) => client.getPrompt({ name, arguments: given }),
    JSON.stringify(given),
  ]
  const line = { subject: 'wall', predicate: 'colour' }
  const named = planted.map(({ ref, word }) => {
    const [kind = '', id = ''] = ref.split(':')
    return { ref, word, kind, id, path: `${kind}/${id}` }
  })
  return [
    tool('memory_load', { for: 'chat' }),
    tool('memory_load', {}),
    tool('memory_ask', line),
    tool('memory_ask', { subject: 'wall' }),
    tool('memory_history', line),
    tool('meta_uncertain', { threshold: 1 }),
    tool('meta_review', {}),
    ...named.flatMap(({ ref, word, kind, id, path }) => [
      tool('memory_search', { query: word, for: 'chat' }),
      tool('meta_lineage', { memory_type: kind, memory_id: id }),
      tool('meta_verify', { memory_id: ref, evidence: [ref] }),
      resource(`memory://memory/${path}`),
      resource(`memory://lineage/${path}`),
      prompt('why', { about: ref }),
      prompt('why', { about: word }),
    ]),
    ...RESOURCES.map(({ uri }) => resource(uri)),
    resource('memory://subject/wall'),
    prompt('review', {}),
    prompt('handoff', {}),
  ]
}

holds(
  'READ-RECEIPT',
  'no tool, resource or prompt gives a word out without a receipt of it',
  async () => {
    const receipts = new MemoryReceipts()
    const { stack } = await freshStack({ receipts })
    const planted = await plant(stack)
    const lost: string[] = []
    const gave = new Set<string>()
    for (const [turn, [name, ask, asked = '']] of callsOn(planted).entries()) {
      const session = `talk ${turn}`
      const client = await clientIn(stack, session)
      const text = JSON.stringify(await ask(client).catch(() => null))
      await client.close()
      const found = await lostOf({ stack, receipts, planted }, { text, asked, session })
      if (found.hasGiven) gave.add(name)
      lost.push(...found.lost.map((what) => `${name} ${asked}: ${what}`))
    }
    expect(lost).toEqual([])
    // Or nothing was looked at: what is shown at the lowest tier was given out by each of these.
    for (const name of [
      'memory_load',
      'memory_search',
      'memory_ask',
      'memory_history',
      'meta_lineage',
      'meta_review',
      'meta_uncertain',
      'memory://review',
      'memory://uncertain',
      'memory://subject/wall',
      'prompt why',
      'prompt review',
    ]) {
      expect([...gave], name).toContain(name)
    }
    expect([PROMPTS.length, RESOURCES.length, RESOURCE_TEMPLATES.length]).toEqual([3, 4, 3]) // all asked above
  },
)
