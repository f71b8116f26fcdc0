import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../../src/domain/errors.ts'
import { connectHttp } from '../http/support/mcp-client.ts'
import { served, type TestServer } from '../http/support/server.ts'
import { dataFolder, titleWithData } from '../support/data.ts'
import { NAUGHTY_STRINGS, OWN_STRINGS } from './strings.ts'

/** Nothing of where the program lies or what it was doing. */
const LEAKS = /node_modules|\.ts:\d|\.js:\d|\n\s+at |\/src\/|MunimentError|TypeError/

function expectSound(where: string, { status, text }: { status: number; text: string }): void {
  expect(status, `${where}: ${text.slice(0, 300)}`).toBeLessThan(500)
  if (status >= 400) expect(text, where).not.toMatch(LEAKS)
}

async function expectWhole(server: TestServer): Promise<void> {
  expect((await server.ask('/healthz')).status).toBe(200)
  expect((await server.op('audit')).json.ok).toBe(true)
  expect(server.logged.filter((line) => line.startsWith('fault'))).toEqual([])
}

const strings = [...new Set([...OWN_STRINGS, ...(NAUGHTY_STRINGS ?? [])])]

/** Where a text of a caller may stand in a request. */
const PLACES: readonly (readonly [
  string,
  (server: TestServer, text: string) => ReturnType<TestServer['ask']>,
])[] = [
  ['the words of a note', (server, text) => server.op('note', { content: text })],
  ['a tag', (server, text) => server.op('note', { content: 'x', tags: [text] })],
  [
    'a claim',
    (server, text) => server.op('claim', { subject: text, predicate: text, value: text }),
  ],
  ['a question', (server, text) => server.op('search', { query: text })],
  ['a ref', (server, text) => server.op('why', { ref: text })],
  ['a field’s name', (server, text) => server.op('note', { content: 'x', [text]: text })],
  ['a moment', (server, text) => server.op('diff', { from: text })],
  [
    'a query',
    (server, text) =>
      server.ask(`/v1/stacks/default/search?query=${encodeURIComponent(text.toWellFormed())}`),
  ],
  [
    'a stack',
    (server, text) => server.ask(`/v1/stacks/${encodeURIComponent(text.toWellFormed())}/list`),
  ],
  [
    'an operation',
    (server, text) =>
      server.ask(`/v1/stacks/default/${encodeURIComponent(text.toWellFormed())}`, { body: {} }),
  ],
  ['a file', (server, text) => server.ask(`/${encodeURIComponent(text.toWellFormed())}`)],
]

describe(titleWithData('every naughty string', NAUGHTY_STRINGS && 'there'), () => {
  test.each(PLACES)('as %s over HTTP', async (place, ask) => {
    const server = await served()
    await server.op('note', { content: 'so that there is something' })
    for (const text of strings) {
      const said = await ask(server, text)
      expectSound(`${place} ${JSON.stringify(text)}`, said)
      if (said.status >= 400) expect(ERROR_CODES, said.text).toContain(said.json.code)
    }
    await expectWhole(server)
  })

  test('as arguments of tools over MCP', async () => {
    const server = await served()
    const client = await connectHttp('v1', `${server.url}/mcp?toolset=full`)
    const tryOne = async (text: string, [name, given]: readonly [string, object]) => {
      const said = await client.callTool({ name, arguments: { ...given } })
      if (said.isError !== true) return
      const told = JSON.stringify(said.content)
      const error = said._meta?.['muniment/error'] as { code: string } | undefined // as ours makes it
      expect(ERROR_CODES, `${name} ${JSON.stringify(text)} ${told}`).toContain(error?.code)
      expect(error?.code).not.toBe('invariant')
      expect(told).not.toMatch(LEAKS)
    }
    for (const text of strings) {
      const calls = [
        ['memory_note', { content: text, source: text }],
        ['memory_claim', { subject: text, predicate: 'says', value: text }],
        ['memory_search', { query: text }],
        ['meta_lineage', { memory_type: 'note', memory_id: text }],
        ['meta_why', { ref: text }],
      ] as const
      await Promise.all(calls.map((call) => tryOne(text, call)))
    }
    await expectWhole(server)
  }, 180_000)
})

const folder = dataFolder('bad-input', 'json-parsing')
const files =
  folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.json'))

describe.skipIf(folder === undefined)(titleWithData('every file of the JSON suite', folder), () => {
  const bytesOf = (name: string): Buffer => readFileSync(path.join(folder ?? '', name))

  const post = async (server: TestServer, where: string, body: Buffer) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const init = { method: 'POST', headers, body: new Uint8Array(body) }
    const response = await fetch(`${server.url}${where}`, init)
    return { status: response.status, text: await response.text() }
  }

  test('as the body of an operation: none is a note, and none is a fault', async () => {
    const server = await served()
    await server.op('note', { content: 'so that there is something' })
    expect(files.length).toBeGreaterThan(300)
    for (const name of files) {
      const said = await post(server, '/v1/stacks/default/note', bytesOf(name))
      expectSound(name, said)
      expect(said.status, name).toBeGreaterThanOrEqual(400)
      expect(ERROR_CODES, name).toContain(JSON.parse(said.text).code)
    }
    await expectWhole(server)
  })

  test('as a message of MCP', async () => {
    const server = await served()
    await server.op('note', { content: 'so that there is something' })
    for (const name of files) expectSound(name, await post(server, '/mcp', bytesOf(name)))
    await expectWhole(server)
  })
})

describe('sizes', () => {
  test('a body beyond the limit is refused before it is read', async () => {
    const server = await served()
    const said = await server.op('note', { content: 'x'.repeat(17_000_000) })
    expect(said).toMatchObject({ status: 413, json: { code: 'limit_exceeded' } })
  })

  test('a body without end is cut off at the limit', async () => {
    const server = await served()
    const chunk = new Uint8Array(1_000_000).fill(0x20)
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        sent += 1
        if (sent > 100) controller.close()
        else controller.enqueue(chunk)
      },
    })
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    }
    const said = await fetch(`${server.url}/v1/stacks/default/note`, init as RequestInit).catch(
      () => null,
    )
    expect(said === null || said.status === 413).toBe(true)
    expect(sent).toBeLessThan(100)
    expect((await server.ask('/healthz')).status).toBe(200)
  })

  test('nesting without end is refused', async () => {
    const server = await served()
    const deep = `{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(await server.op('note', deep)).toMatchObject({
      status: 400,
      json: { code: 'invalid_json' },
    })
  })
})
