import { connect, type Socket } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { STREAMS_OF_ONE_MAX } from '../../src/doors/http/changes.ts'
import { served, type TestServer } from './support/server.ts'

// The real ones, counted: from outside, a page made anew looks like one that was kept.
const made = vi.hoisted(() => ({ openapi: 0, docs: 0 }))
vi.mock('../../src/doors/http/openapi.ts', async (original) => {
  const real = await original<typeof import('../../src/doors/http/openapi.ts')>()
  return {
    ...real,
    openApi: (version: string) => {
      made.openapi += 1
      return real.openApi(version)
    },
  }
})
vi.mock('../../src/doors/http/pages.ts', async (original) => {
  const real = await original<typeof import('../../src/doors/http/pages.ts')>()
  return {
    ...real,
    docsPage: (version: string) => {
      made.docs += 1
      return real.docsPage(version)
    },
  }
})

describe('what anyone may ask for', () => {
  test('is made once, however often it is asked for', async () => {
    const server = await served({ allowsAnyone: false })
    for (const path of ['/openapi.json', '/docs', '/openapi.json', '/docs']) {
      expect((await server.ask(path)).status).toBe(200)
    }
    expect(made).toEqual({ openapi: 1, docs: 1 })
  })
})

/** Requests whose bodies never come to an end. */
function begun(server: TestServer, path: string, count: number): readonly Socket[] {
  const { port } = new URL(server.url)
  return Array.from({ length: count }, () => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined) // cut off by either side
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`)
    socket.write('Content-Length: 50\r\n\r\n{')
    return socket
  })
}

const inFlight = async (server: TestServer, token: string): Promise<number> => {
  const { text } = await server.ask('/metrics', { token })
  return Number(/^muniment_http_in_flight (\d+)$/m.exec(text)?.[1])
}

const until = (server: TestServer, token: string, count: number): Promise<void> =>
  vi.waitFor(async () => expect(await inFlight(server, token)).toBe(count), { timeout: 10_000 })

describe('whoever sends slowly', () => {
  test('and has not said who they are, holds up only others who sign in', async () => {
    const server = await served()
    const token = await server.token('mine')
    const slow = begun(server, '/v1/session', 40)
    await until(server, token, 17)
    expect((await server.ask('/v1/session', { body: { token } })).status).toBe(503)
    expect((await server.op('stats', {}, { token })).status).toBe(200)
    for (const socket of slow) socket.destroy()
    await until(server, token, 1)
    expect((await server.ask('/v1/session', { body: { token } })).status).toBe(201)
    expect(server.logged).toEqual([]) // who goes away is no fault of ours
  })

  test('holds up itself, and no other caller', async () => {
    const server = await served()
    const token = await server.token('mine')
    const slow = begun(server, '/v1/stacks/default/note', 300)
    await until(server, token, 257)
    expect((await server.op('stats')).status).toBe(503)
    expect((await server.op('stats', {}, { token })).status).toBe(200)
    for (const socket of slow) socket.destroy()
  })
})

describe('whoever opens stream after stream', () => {
  const open = async (server: TestServer, token: string, ending: AbortSignal): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    const url = `${server.url}/v1/stacks/default/changes`
    return (await fetch(url, { headers, signal: ending })).status
  }

  test('is told to wait, while others are still let in, and may again once one has ended', async () => {
    const server = await served()
    const [greedy, modest] = [await server.token('greedy'), await server.token('modest')]
    const endings = Array.from({ length: STREAMS_OF_ONE_MAX }, () => new AbortController())
    for (const { signal } of endings) expect(await open(server, greedy, signal)).toBe(200)
    const rest = new AbortController()
    expect(await open(server, greedy, rest.signal)).toBe(503)
    expect(await open(server, modest, rest.signal)).toBe(200)
    expect((await server.op('stats', {}, { token: greedy })).status).toBe(200)
    endings[0]?.abort()
    await vi.waitFor(async () => expect(await open(server, greedy, rest.signal)).toBe(200))
    for (const ending of [rest, ...endings]) ending.abort()
  })
})

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'probe', version: '1' },
  },
}
const ACCEPT = { accept: 'application/json, text/event-stream' }

test('whoever begins session after session loses its own, and nobody else’s', async () => {
  let now = 1_800_000_000_000
  const server = await served({ now: () => now++ })
  const [greedy, modest] = [await server.token('greedy'), await server.token('modest')]
  const begin = async (token: string): Promise<string> => {
    const begun = await server.ask('/mcp', { token, headers: ACCEPT, body: INITIALIZE })
    expect(begun.status).toBe(200)
    return begun.headers.get('mcp-session-id') ?? ''
  }
  const ping = async (token: string, session: string): Promise<number> => {
    const headers = { ...ACCEPT, 'mcp-session-id': session }
    const body = { jsonrpc: '2.0', id: 2, method: 'ping' }
    return (await server.ask('/mcp', { token, headers, body })).status
  }
  const kept = await begin(modest)
  const first = await begin(greedy)
  expect(await ping(greedy, first)).toBe(200)
  for (let count = 0; count < 200; count++) await begin(greedy)
  expect(await ping(greedy, first)).toBe(404)
  expect(await ping(modest, kept)).toBe(200)
})
