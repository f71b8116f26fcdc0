import { describe, expect, test } from 'vitest'
import { revokeToken } from '../../src/doors/access/tokens.ts'
import { served, type TestServer } from './support/server.ts'

const signIn = async (server: TestServer, token: string): Promise<string> =>
  (await server.ask('/v1/session', { body: { token } })).json.token

describe('a token that was taken back', () => {
  test('takes with it whoever signed in by it, and nobody else', async () => {
    const server = await served()
    const [mine, yours] = [await server.token('mine'), await server.token('yours')]
    const pages = [await signIn(server, mine), await signIn(server, yours)]
    pages.push(await signIn(server, server.serving.door.launchToken()))
    const states = async () =>
      Promise.all(pages.map(async (token) => (await server.ask('/v1/session', { token })).status))
    expect(await states()).toEqual([200, 200, 200])
    await revokeToken(server.home, 'mine')
    expect(await states()).toEqual([401, 200, 200])
  })
})
