import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { type Span, type SpanOptions, type Tracer, trace } from '@opentelemetry/api'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { makeServer } from '../../src/doors/mcp/server.ts'
import { toolContexts } from '../../src/doors/mcp/tool-contexts.ts'
import { loadTrace } from '../../src/doors/trace.ts'
import { toolsOf } from '../../src/operations/tools.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { served } from '../http/support/server.ts'

interface Seen {
  readonly name: string
  readonly attributes: Record<string, unknown>
  status: unknown
  isEnded: boolean
}

/** As small a provider as tells what it was told. */
function provider(): readonly Seen[] {
  const all: Seen[] = []
  const startActiveSpan = (name: string, options: SpanOptions, work: (span: Span) => unknown) => {
    const seen: Seen = { name, attributes: { ...options.attributes }, status: null, isEnded: false }
    all.push(seen)
    const span = {
      setAttribute: (key: string, value: unknown) => {
        seen.attributes[key] = value
      },
      setAttributes: (more: object) => Object.assign(seen.attributes, more),
      setStatus: (status: unknown) => {
        seen.status = status
      },
      end: () => {
        seen.isEnded = true
      },
    }
    return work(span as unknown as Span) // what is called of it
  }
  const tracer = { startActiveSpan } as unknown as Tracer // likewise
  trace.setGlobalTracerProvider({ getTracer: () => tracer })
  return all
}

afterEach(() => trace.disable())

const WORDS = 'The blue heron nests in April'

describe('where spans are asked for', () => {
  test('every call over HTTP is one, without a word of what was said', async () => {
    const seen = provider()
    const server = await served({ trace: await loadTrace('on', '1') })
    const kept = await server.op('note', { content: WORDS })
    const found = await server.op('search', { query: 'heron' })
    expect(found.status).toBe(200)
    await server.op('show', { ref: kept.json.ref })
    expect(seen.map(({ name }) => name)).toEqual([
      'muniment note',
      'muniment search',
      'muniment show',
    ])
    expect(seen[0]?.attributes).toEqual({
      'muniment.operation': 'note',
      'muniment.door': 'http',
      'muniment.person': false,
      'muniment.kind': 'note',
      'muniment.disposition': 'CommittedInferred',
      'muniment.rule': 'admit',
      'muniment.captures': 1,
    })
    expect(seen[1]?.attributes['muniment.count']).toBeGreaterThan(0)
    expect(seen.every(({ isEnded }) => isEnded)).toBe(true)
    const told = JSON.stringify(seen)
    expect(told).not.toMatch(/heron|default/i)
    expect(told).not.toContain(kept.json.id)
  })

  test('what fails has its code, and not what the error says', async () => {
    const seen = provider()
    const server = await served({ trace: await loadTrace('on', '1') })
    await server.op('note', { content: WORDS, confidence: WORDS })
    expect(seen).toMatchObject([
      { attributes: { 'error.type': 'invalid_input' }, status: { code: 2 }, isEnded: true },
    ])
    expect(JSON.stringify(seen)).not.toContain('heron')
  })

  test('a call of a tool is one span, whether or not an operation is beneath it', async () => {
    const seen = provider()
    const stack = await openStack('spans', { store: new MemoryStore() })
    const parts = { stack, session: null, model: null, grant: null }
    const server = makeServer({
      version: '1',
      tools: toolsOf('full'),
      contextFor: toolContexts({ ...parts, trace: await loadTrace('stacks', '1') }),
      onFault: () => {},
      underWay: () => {},
    })
    const client = new Client({ name: 'spans', version: '1' })
    const [near, far] = InMemoryTransport.createLinkedPair()
    await Promise.all([server.connect(far), client.connect(near)])
    onTestFinished(() => client.close())
    await client.callTool({ name: 'memory_note', arguments: { content: WORDS } })
    await client.callTool({ name: 'meta_stats', arguments: {} })
    await client.readResource({ uri: 'memory://stats' })
    expect(seen.map(({ name }) => name)).toEqual([
      'muniment memory_note',
      'muniment meta_stats',
      'muniment resource',
    ])
    expect(seen[0]?.attributes).toMatchObject({
      'muniment.door': 'mcp',
      'muniment.kind': 'note',
      'muniment.rule': 'admit',
      'muniment.stack': 'spans',
    })
    expect(JSON.stringify(seen)).not.toContain('heron')
  })

  test('the command line and hooks tell of theirs by the setting', async () => {
    const seen = provider()
    const desk = new Desk(scratch())
    const env = { MUNIMENT_TRACES: 'on' }
    await desk.person(['note', WORDS], { env })
    const stdin = JSON.stringify({ session_id: 's', prompt: WORDS })
    await desk.call(['hook', 'prompt'], { stdin, env })
    expect(seen.map(({ attributes }) => attributes['muniment.door'])).toEqual(['cli', 'hook'])
    expect(JSON.stringify(seen)).not.toContain('heron')
  })
})

test('where nobody asks for spans, a provider hears of nothing', async () => {
  const seen = provider()
  const desk = new Desk(scratch())
  await desk.person(['note', WORDS])
  expect(seen).toEqual([])
})

test('where nobody provides for spans, they change nothing', async () => {
  const server = await served({ trace: await loadTrace('on', '1') })
  expect((await server.op('note', { content: WORDS })).status).toBe(201)
})
