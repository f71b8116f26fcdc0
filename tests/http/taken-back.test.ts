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

  test('tells its reader no more, though the stream was open', async () => {
    const server = await served()
    const token = await server.token('reader')
    await server.op('note', { content: 'one' })
    const response = await fetch(`${server.url}/v1/stacks/default/changes?from=0`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const until = async (isEnough: () => boolean): Promise<void> => {
      while (!isEnough()) {
        const { done, value } = (await reader?.read()) ?? { done: true }
        if (done) return
        text += value
      }
    }
    await until(() => text.includes('id: 4\n'))
    await revokeToken(server.home, 'reader')
    await server.op('note', { content: 'two' })
    await until(() => false)
    expect(text).toContain('id: 4\n')
    expect(text).not.toContain('id: 5\n')
    expect((await server.ask('/metrics')).text).toContain('muniment_http_streams 0')
  })
})
