import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { LAUNCH_MS } from '../../src/doors/http/access.ts'
import { renameStack } from '../../src/doors/projects/bindings.ts'
import { holds } from '../support/holds.ts'
import { served, type TestServer } from './support/server.ts'

const tierOf = async (server: TestServer, ref: string) => {
  const { json } = await server.op('show', { ref })
  return { tier: json.tier, label: json.provenance.label, path: json.provenance.ingestionPath }
}

describe('who is at the door', () => {
  holds('PROV-DOOR', 'whoever shows nothing is a model, and answers no queue', async () => {
    const server = await served()
    const { ref } = (await server.op('note', { content: 'I am the user' })).json
    expect(await tierOf(server, ref)).toMatchObject({ tier: 1, label: { type: 'ModelDerived' } })
    expect(await server.op('maintain')).toMatchObject({ status: 403, json: { code: 'scope' } })
  })

  test('a personal token is its person, a tool’s token is what the tool saw', async () => {
    const server = await served()
    const mine = await server.token('mine')
    const tool = await server.token('probe', { labels: ['ExternalFirstHand'], tier: 2 })
    const said = (await server.op('note', { content: 'I said so' }, { token: mine })).json
    const seen = (await server.op('note', { content: 'It was so' }, { token: tool })).json
    expect(await tierOf(server, said.ref)).toMatchObject({
      tier: 3,
      label: { type: 'External', kind: 'UserAsserted' },
    })
    expect(await tierOf(server, seen.ref)).toMatchObject({
      tier: 2,
      label: { type: 'External', kind: 'ExternalFirstHand' },
    })
    expect((await server.op('maintain', {}, { token: mine })).status).toBe(200)
    expect((await server.op('maintain', {}, { token: tool })).status).toBe(403)
  })

  test('a token that is none, or has expired, is nobody’s, and never passed over', async () => {
    const server = await served()
    const old = await server.token('old', { expiresAt: '2020-01-01T00:00:00.000Z' })
    for (const token of [old, 'mun_wrong', `${old}x`]) {
      const said = await server.op('note', { content: 'x' }, { token })
      expect(said).toMatchObject({ status: 401, json: { code: 'scope' } })
      expect(said.headers.get('www-authenticate')).toContain('Bearer')
    }
    const basic = { authorization: 'Basic dXNlcjpwYXNz' }
    expect((await server.ask('/v1/stacks', { headers: basic })).status).toBe(401)
  })

  test('stacks are listed with their names, and a token sees no name of another stack', async () => {
    const server = await served()
    await server.op('note', { content: 'here' })
    await (await server.open('secret')).control.activate()
    await renameStack(server.home, 'default', 'Web shop')
    await renameStack(server.home, 'secret', 'Salaries')
    const token = await server.token('narrow', { stacks: ['default'] })
    const all = [
      { id: 'default', name: 'Web shop' },
      { id: 'secret', name: 'Salaries' },
    ]
    expect((await server.ask('/v1/stacks')).json).toMatchObject({ stacks: all })
    const narrow = await server.ask('/v1/stacks', { token })
    expect(narrow.json).toMatchObject({ stacks: [{ id: 'default', name: 'Web shop' }] })
    expect(narrow.text).not.toContain('Salaries')
  })

  holds('SCOPE-BOUND', 'to a token another stack is as one that is not there', async () => {
    const server = await served()
    await server.op('note', { content: 'here' })
    await (await server.open('secret')).control.activate()
    const token = await server.token('narrow', { stacks: ['default'] })
    const elsewhere = await server.ask('/v1/stacks/secret/list', { token })
    const nowhere = await server.ask('/v1/stacks/nowhere/list', { token })
    expect(elsewhere.status).toBe(404)
    expect(elsewhere.text.replaceAll('secret', 'nowhere')).toBe(nowhere.text)
    expect((await server.ask('/v1/stacks', { token })).json.stacks).toEqual([{ id: 'default' }])
    expect((await server.ask('/v1/stacks/secret/list')).status).toBe(200) // anyone’s, by contrast
  })

  test('with tokens only, nobody comes in without one', async () => {
    const server = await served({ allowsAnyone: false })
    expect((await server.ask('/v1/stacks')).status).toBe(401)
    expect((await server.ask('/metrics')).status).toBe(401)
    expect((await server.ask('/mcp', { body: {} })).status).toBe(401)
    expect((await server.ask('/healthz')).status).toBe(200)
    const token = await server.token('mine')
    expect((await server.ask('/v1/stacks', { token })).status).toBe(200)
  })

  test('whom a proxy brings is not on this machine, and shows a token', async () => {
    const server = await served()
    const token = await server.token('mine')
    for (const name of ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']) {
      const headers = { [name]: 'for=203.0.113.9' }
      expect((await server.ask('/v1/stacks', { headers })).status, name).toBe(401)
      expect((await server.ask('/v1/stacks', { headers, token })).status, name).toBe(200)
    }
    expect((await server.ask('/v1/stacks')).status).toBe(200)
  })

  test('a launch token that lay about for a quarter of an hour signs nobody in', async () => {
    let ahead = 0
    const server = await served({ now: () => Date.now() + ahead })
    const launch = server.serving.door.launchToken()
    ahead = LAUNCH_MS
    expect((await server.ask('/v1/session', { body: { token: launch } })).status).toBe(401)
  })

  test('the launch token signs a person in, once', async () => {
    const asked: string[] = []
    const server = await served({ onLaunch: () => void asked.push('once') })
    const launch = server.serving.door.launchToken()
    const signedIn = await server.ask('/v1/session', { body: { token: launch } })
    expect(signedIn.status).toBe(201)
    expect(asked).toEqual(['once'])
    const { token } = signedIn.json
    const { ref } = (await server.op('note', { content: 'typed here' }, { token })).json
    expect(await tierOf(server, ref)).toMatchObject({ tier: 3, path: 'explorer:note' })
    expect((await server.ask('/v1/session', { body: { token: launch } })).status).toBe(401)
    await server.ask('/v1/session', { method: 'DELETE', token })
    expect((await server.op('stats', {}, { token })).status).toBe(401)
  })

  test('a program’s token does not sign in a person; a personal one does', async () => {
    const server = await served()
    const agent = await server.token('agent', { labels: ['ModelDerived'], tier: 1 })
    expect((await server.ask('/v1/session', { body: { token: agent } })).status).toBe(403)
    const mine = await server.token('mine')
    const { json } = await server.ask('/v1/session', { body: { token: mine } })
    expect((await server.ask('/v1/session', { token: json.token })).json).toMatchObject({
      person: true,
      door: 'explorer',
    })
  })
})

describe('what is not ours', () => {
  const askAs = (server: TestServer, headers: Record<string, string>, path = '/v1/stacks') =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(server.url)
      request({ hostname, port, path, headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })

  test('another name, another origin and another site are refused', async () => {
    const server = await served()
    const { host } = new URL(server.url)
    expect(await askAs(server, {})).toBe(200)
    expect(await askAs(server, { host: 'evil.example' })).toBe(421)
    expect(await askAs(server, { host, origin: 'http://evil.example' })).toBe(403)
    expect(await askAs(server, { host, origin: 'null' })).toBe(403)
    expect(await askAs(server, { host, origin: 'http://127.0.0.1:1' })).toBe(403)
    expect(await askAs(server, { host, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await askAs(server, { host, origin: `http://${host}` })).toBe(200)
  })

  test('a page on another port of this machine may link to ours, and asks for nothing', async () => {
    const server = await served()
    const { host } = new URL(server.url)
    const sameSite = { host, 'sec-fetch-site': 'same-site' }
    const link = { ...sameSite, 'sec-fetch-mode': 'navigate' }
    expect(await askAs(server, link, '/')).toBe(200)
    expect(await askAs(server, sameSite, '/')).toBe(403)
    for (const path of ['/v1/stacks', '/v1/stacks/default/search?query=x', '/metrics', '/mcp']) {
      expect(await askAs(server, sameSite, path), path).toBe(403)
      expect(await askAs(server, link, path), path).toBe(403)
    }
    for (const site of ['same-origin', 'none']) {
      expect(await askAs(server, { host, 'sec-fetch-site': site }), site).toBe(200)
    }
  })

  test('a body that a foreign page could send unasked is not read', async () => {
    const server = await served()
    const headers = { 'content-type': 'text/plain' }
    expect((await server.op('note', '{"content":"x"}', { headers })).status).toBe(415)
  })

  test('one who asks too fast is told when to come back', async () => {
    const server = await served({ rate: { perSecond: 0.5, burst: 2 } })
    const all = [await server.ask('/v1/stacks'), await server.ask('/v1/stacks')]
    expect(all.map(({ status }) => status)).toEqual([200, 200])
    const third = await server.ask('/v1/stacks')
    expect(third).toMatchObject({ status: 429, json: { code: 'backpressure' } })
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('every answer forbids what a page of ours does not need', async () => {
    const server = await served()
    for (const path of ['/', '/docs', '/v1/stacks', '/nope.js', '/v1/stacks/x/list']) {
      const { headers } = await server.ask(path)
      expect(headers.get('content-security-policy'), path).toContain("default-src 'self'")
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    }
  })
})
