import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { keepSession, sessionToken } from '../../explorer/src/api/session.ts'
import { OPERATIONS } from '../../src/operations/operations.ts'
import { inputSchemaOf } from '../../src/operations/tool.ts'
import { toolsOf } from '../../src/operations/tools.ts'
import { served } from '../http/support/server.ts'

const page = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
const MCP = page('mcp.md')
const HTTP = page('http.md').replaceAll('\n', ' ')

interface Schema {
  readonly properties: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

/** The fields of a tool as the page writes them, a star behind what is required. */
function fieldsOf(name: string): readonly string[] {
  const tool = toolsOf('full').find((each) => each.name === name)
  if (!tool) throw new Error(`there is no tool ${name}`)
  const { properties, required = [] } = inputSchemaOf(tool.input) as unknown as Schema
  return Object.keys(properties).map((field) => (required.includes(field) ? `${field}*` : field))
}

/** Fields that the page names once for all tools that make a memory. */
const SHARED = ['source', 'source_type', 'tags', 'context', 'derived_from', 'relayed']
const MAKES = ['memory_raw', 'memory_episode', 'memory_note', 'memory_belief', 'memory_claim']

const rows = [...MCP.matchAll(/^\| `(m[a-z_]+)` \| ([^|]+) \|/gm)].map(
  ([, name = '', fields = '']) =>
    [
      name,
      fields
        .replaceAll(/ \([^)]*\)/g, '')
        .split(', ')
        .map((field) => field.replace(/ = .*/, '').trim()),
    ] as const,
)

describe('the page of the agent’s door', () => {
  test('lists the default tools', () => {
    const names = toolsOf('default').map(({ name }) => name)
    expect(rows.map(([name]) => name).sort()).toEqual([...names].sort())
  })

  test.each(rows)('lists what %s takes', (name, listed) => {
    const own = fieldsOf(name).filter((field) => !(MAKES.includes(name) && SHARED.includes(field)))
    expect([...listed].sort()).toEqual([...own].sort())
  })

  test('names the fields that every tool takes that makes a memory', () => {
    const common = SHARED.filter((field) => MAKES.every((name) => fieldsOf(name).includes(field)))
    expect(common).toEqual(['source', 'derived_from', 'relayed'])
    const others = MAKES.filter((name) => name !== 'memory_claim')
    for (const name of others) expect(fieldsOf(name)).toEqual(expect.arrayContaining(SHARED))
  })

  test('states what the default tools cost, to within four per cent', () => {
    const listed = toolsOf('default').map(({ name, title, description, input }) =>
      JSON.stringify({ name, title, description, inputSchema: inputSchemaOf(input) }),
    )
    const tokens = listed.join('').length / 4
    const stated = Number(/at most ([\d,]+) tokens/.exec(MCP)?.[1]?.replace(',', ''))
    expect(tokens).toBeLessThanOrEqual(stated)
    expect(tokens).toBeGreaterThan(stated * 0.96)
  })

  test('says which operations are no tools', () => {
    const names = new Set(toolsOf('full').map(({ name }) => name))
    const missing = Object.keys(OPERATIONS).filter(
      (name) => !names.has(`memory_${name}`) && !names.has(`meta_${name}`),
    )
    expect(missing.sort()).toEqual(['import', 'readmit', 'timeline'])
    for (const name of missing) expect(MCP).toContain(`\`${name}\``)
  })

  test('says that no tool writes under a label, tier, actor or session of the model’s choice', () => {
    const makers = toolsOf('full').filter(({ name }) => MAKES.includes(name))
    expect(makers).toHaveLength(MAKES.length)
    for (const { name } of makers)
      expect(fieldsOf(name).join(' ')).not.toMatch(/label|tier|actor|session|observed|said_by/)
  })
})

describe('the page of the HTTP door', () => {
  test('says where the explorer keeps a sign-in', () => {
    const kept = new Map<string, string>()
    const storage = (into: Map<string, string>) => ({
      getItem: (key: string) => into.get(key) ?? null,
      setItem: (key: string, value: string) => void into.set(key, value),
    })
    const elsewhere = new Map<string, string>()
    vi.stubGlobal('sessionStorage', storage(kept))
    vi.stubGlobal('localStorage', storage(elsewhere))
    try {
      keepSession('mun_s_1')
      expect(sessionToken()).toBe('mun_s_1')
    } finally {
      vi.unstubAllGlobals()
    }
    expect([...kept.values()]).toEqual(['mun_s_1'])
    expect([...elsewhere.values()]).toEqual([])
    expect(HTTP).toContain('`sessionStorage`')
  })

  test('says when an answer is 201', async () => {
    const server = await served()
    const post = (path: string, body: object) => server.ask(`/v1/stacks/default/${path}`, { body })
    const words = { content: 'We deploy on Tuesdays, all of us' }
    const first = await post('note', words)
    const again = await post('note', words)
    expect([first.status, first.json.disposition]).toEqual([201, 'CommittedInferred'])
    expect([again.status, again.json.disposition]).toEqual([201, 'Corroborated'])
    const derivedFrom = [first.json.ref]
    const belief = await post('belief', { statement: 'Deploys are on Tuesdays', derivedFrom })
    const next = { ref: belief.json.ref, statement: 'Deploys are on Mondays' }
    expect((await post('supersede', next)).status).toBe(200)
    expect(HTTP).toContain('201 for the operations that are named after a kind')
  })

  test('says which answers carry no ETag, and who passes for anyone on this machine', async () => {
    const server = await served()
    await server.ask('/v1/stacks/default/note', { body: { content: 'It rains' } })
    const tagOf = async (path: string) =>
      (await server.ask(`/v1/stacks/default/${path}`)).headers.get('etag')
    expect(await tagOf('stats')).toMatch(/^W\//)
    for (const path of ['receipts?inSession=s', 'heads', 'checkpoint', 'audit']) {
      expect(await tagOf(path), path).toBeNull()
      expect(HTTP).toContain(`\`${path.split('?')[0]}\``)
    }
    const through = { headers: { 'x-forwarded-for': '203.0.113.7' } }
    expect((await server.ask('/v1/stacks/default/stats', through)).status).toBe(401)
    expect((await server.ask('/v1/stacks/default/stats')).status).toBe(200)
  })
})
