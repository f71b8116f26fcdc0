import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createToken, revokeToken } from '../../src/doors/access/tokens.ts'
import { scratch } from '../cli/support/scratch.ts'
import { holds } from '../support/holds.ts'
import { connectHttp } from './support/mcp-client.ts'
import { BIN, type ServeProgram, serveIn } from './support/program.ts'

const MODE_BITS = 0o777
const TOKEN = /^mun_[\w-]{43}$/

/** Sign-in and sign-out are for callers who have no token yet, or no more. */
const SIGN_IN = new Set(['post /v1/session', 'delete /v1/session'])

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const METHODS = ['get', 'post', 'delete', 'put', 'patch'] as const

/** Every request that the server itself says it answers, with `default` as the stack. */
async function requestsOf({ url }: ServeProgram) {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi // its own page
  const told = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => method in methods).map((method) => ({ method, path })),
  )
  return told
    .map(({ method, path }) => ({ method, path: path.replaceAll(/\{[^}]+\}/g, 'default') }))
    .filter(
      ({ method, path }) => /^\/(v1|mcp|metrics)/.test(path) && !SIGN_IN.has(`${method} ${path}`),
    )
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  },
}

const post = (server: ServeProgram, operation: string, body: object, token = server.token) =>
  fetch(`${server.url}/v1/stacks/default/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

async function stopped(server: ServeProgram): Promise<void> {
  server.child.kill('SIGTERM')
  expect(await server.ended()).toBe(0)
}

describe('a server that was started without any option', () => {
  holds('PROV-DOOR', 'answers 401 with a hint to every request without a token', async () => {
    const server = await serveIn(scratch())
    const requests = await requestsOf(server)
    expect(requests.length).toBeGreaterThan(50)
    const mcp = ['/mcp', '/mcp/default', '/mcp?toolset=full'].flatMap((path) =>
      ['get', 'post', 'delete'].map((method) => ({ method, path })),
    )
    for (const { method, path } of [...requests, ...mcp]) {
      const body = method === 'post' ? { body: JSON.stringify(INITIALIZE) } : {}
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${server.url}${path}`, {
        method: method.toUpperCase(),
        headers,
        ...body,
      })
      const text = await answer.text()
      expect(answer.status, `${method} ${path}`).toBe(401)
      expect(JSON.parse(text).hint, `${method} ${path}`).toContain('Authorization: Bearer')
      expect(text).not.toContain(server.token)
    }
    for (const path of ['/healthz', '/']) {
      expect((await fetch(`${server.url}${path}`)).status, path).toBe(200)
    }
    expect((await server.fetch('/v1/stacks')).status).toBe(200)
  })

  holds('PROV-DOOR', 'lets the token for programs read and write as a model alone', async () => {
    const home = scratch()
    const server = await serveIn(home)
    const written = await post(server, 'note', { content: 'Trains leave at noon' })
    expect(written.status).toBe(201)
    const { ref } = (await written.json()) as { ref: string } // what a write answers with
    const shown = await (await post(server, 'show', { ref })).json()
    expect(shown).toMatchObject({ tier: 1, provenance: { label: { type: 'ModelDerived' } } })
    expect((await post(server, 'search', { query: 'trains' })).status).toBe(200)
    expect((await post(server, 'maintain', {})).status).toBe(403)
    const signIn = { method: 'POST', body: JSON.stringify({ token: server.token }) }
    const json = { 'content-type': 'application/json' }
    expect((await fetch(`${server.url}/v1/session`, { ...signIn, headers: json })).status).toBe(403)
    const made = { method: 'POST', headers: json, body: JSON.stringify({ id: 'another' }) }
    expect((await server.fetch('/v1/stacks', made)).status).toBe(403)
    const createdAt = new Date().toISOString()
    const { token: mine } = await createToken(home, { name: 'mine', createdAt })
    expect((await post(server, 'maintain', {}, mine)).status).toBe(200) // a person may
  })

  test.each(['v1', 'v2'] as const)('takes the token for programs over MCP, %s', async (version) => {
    const server = await serveIn(scratch())
    await expect(connectHttp(version, `${server.url}/mcp`)).rejects.toThrow()
    const client = await connectHttp(version, `${server.url}/mcp`, { token: server.token })
    const said = await client.callTool({
      name: 'memory_note',
      arguments: { content: 'Trains leave at noon' },
    })
    expect(said.isError ?? false).toBe(false)
    const listed = await server.fetch('/v1/stacks/default/list?kind=note')
    expect(await listed.json()).toMatchObject([{ tier: 1 }])
  })

  test('keeps the token 0600, uses the token again, and makes another when it was revoked', async () => {
    const home = scratch()
    const first = await serveIn(home)
    const token = first.token
    expect(token).toMatch(TOKEN)
    expect(statSync(first.tokenFile).mode & MODE_BITS).toBe(0o600)
    expect(readFileSync(`${home}/tokens.json`, 'utf8')).not.toContain(token)
    await stopped(first)
    const second = await serveIn(home)
    expect(second.token).toBe(token)
    expect((await post(second, 'stats', {}, token)).status).toBe(200)
    await revokeToken(home, 'programs')
    expect((await post(second, 'stats', {}, token)).status).toBe(401)
    await stopped(second)
    const third = await serveIn(home)
    expect(third.token).not.toBe(token)
    expect((await post(third, 'stats', {})).status).toBe(200)
    expect((await post(third, 'stats', {}, token)).status).toBe(401)
  })

  test('starts with no token that another user of the machine could have written', async () => {
    const home = scratch()
    const first = await serveIn(home)
    await stopped(first)
    chmodSync(first.tokenFile, 0o666)
    const args = [BIN, 'serve', '--port', '0', '--home', home]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} })
    expect(stderr).toContain('can be written by others')
    expect(status).not.toBe(0)
    chmodSync(first.tokenFile, 0o600)
    expect((await (await serveIn(home)).fetch('/v1/stacks')).status).toBe(200)
  })
})

test('with --allow-anyone-on-loopback a program needs no token, and is a model', async () => {
  const server = await serveIn(scratch(), '--allow-anyone-on-loopback')
  const headers = { 'content-type': 'application/json' }
  const ask = (operation: string, body: object) =>
    fetch(`${server.url}/v1/stacks/default/${operation}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    })
  expect((await ask('note', { content: 'Trains leave at noon' })).status).toBe(201)
  expect((await ask('maintain', {})).status).toBe(403)
})

const SCRIPT = '/usr/bin/script'
const HAS_SCRIPT = process.platform === 'linux' && existsSync(SCRIPT)

/** Starts a program and gives what it printed up to the last line that `serve` begins with. */
async function printedBy(program: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, NO_COLOR: '1' }
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGTERM'))
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += String(chunk)
    if (/The link signs you in|No person started this/.test(printed)) return printed
  }
  throw new Error(`the program ended early: ${printed}`)
}

// Needs the program `script` of Linux, which opens a terminal for another program.
test.skipIf(!HAS_SCRIPT)(
  'prints the token for a person at a terminal, and its file for others',
  async () => {
    const home = scratch()
    const args = [BIN, 'serve', '--port', '0', '--home', home]
    const line = [process.execPath, ...args].join(' ')
    const atTerminal = await printedBy(SCRIPT, ['-qec', line, '/dev/null'])
    const token = readFileSync(`${home}/program-token`, 'utf8').trim()
    expect(atTerminal).toContain(`/mcp --header "Authorization: Bearer ${token}"`)
    const elsewhere = await printedBy(process.execPath, args)
    expect(elsewhere).toContain(
      `/mcp --header "Authorization: Bearer $(cat '${home}/program-token')"`,
    )
    expect(elsewhere).not.toContain('mun_')
  },
)
