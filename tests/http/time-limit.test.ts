import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test, vi } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { scratch } from '../cli/support/scratch.ts'
import { serveIn } from './support/program.ts'
import { served, type TestServer } from './support/server.ts'

const late = async (server: TestServer, token: string): Promise<number> => {
  const { text } = await server.ask('/metrics', { token })
  return Number(/^muniment_http_late (\d+)$/m.exec(text)?.[1])
}

/** A server on a disk that answers when it is told to. */
async function onSlowDisk(answerMs: number) {
  const slow: { open: () => void; closed: Promise<void> } = {
    open: () => undefined,
    closed: Promise.resolve(),
  }
  const server = await served({ answerMs, stopMs: 200 })
  await server.op('note', { content: 'the first' })
  const store = server.stores.get('default')
  if (!store) throw new Error('it was written to')
  const commit = store.commit.bind(store)
  vi.spyOn(store, 'commit').mockImplementation(async (...batch) => {
    await slow.closed
    return commit(...batch)
  })
  const shut = (): void => {
    slow.closed = new Promise((resolve) => {
      slow.open = resolve
    })
  }
  return { server, shut, open: () => slow.open() }
}

describe('work that takes longer than its caller waits', () => {
  test('is told so by a code of its own, and is done all the same', async () => {
    const { server, shut, open } = await onSlowDisk(50)
    const token = await server.token('mine')
    shut()
    const headers = { 'idempotency-key': 'k-1' }
    const body = { content: 'written to a slow disk' }
    const given = await server.op('note', body, { token, headers })
    expect(given).toMatchObject({
      status: 504,
      json: { code: 'deadline_exceeded', hint: expect.stringContaining('Idempotency-Key') },
    })
    expect(await late(server, token)).toBe(1)
    open()
    await vi.waitFor(async () => expect(await late(server, token)).toBe(0))
    const again = await server.op('note', body, { token, headers })
    expect(again.status).toBe(201)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await server.op('stats', {}, { token })).json).toMatchObject({ note: 2 })
    expect(server.logged).toEqual([]) // slow is no fault
  })

  test('keeps its place until it ends: whoever asks again and again piles up nothing', async () => {
    const { server, shut, open } = await onSlowDisk(20)
    const [mine, other] = [await server.token('mine'), await server.token('other')]
    shut()
    const ask = async (word: number): Promise<number> =>
      (await server.op('note', { content: `word ${word}` }, { token: mine })).status
    const asked = await Promise.all(Array.from({ length: 300 }, (_, word) => ask(word)))
    expect(asked.filter((status) => status === 504)).toHaveLength(256)
    expect(asked.filter((status) => status === 503)).toHaveLength(300 - 256)
    expect(await ask(300)).toBe(503)
    expect((await server.op('stats', {}, { token: other })).status).toBe(200)
    open()
    await vi.waitFor(async () => expect(await late(server, other)).toBe(0), { timeout: 30_000 })
    expect((await server.op('stats', {}, { token: mine })).json).toMatchObject({ note: 257 })
  }, 60_000)

  test('is waited for when the server stops', async () => {
    const { server, shut, open } = await onSlowDisk(20)
    shut()
    expect((await server.op('note', { content: 'late' })).status).toBe(504)
    const stopped = server.serving.stop()
    open()
    await stopped
    const stack = await server.open()
    expect(await stack.getStats()).toMatchObject({ note: 2 })
    await stack.close()
  })
})

test('a write that waits for another process is told of after as long as was set', async () => {
  const home = scratch()
  const stack = await openStack('default', { home })
  await stack.control.activate()
  await stack.close()
  const server = await serveIn(home, '--answer-seconds', '1')
  const rival = new DatabaseSync(path.join(home, 'stacks', 'default.db'))
  rival.exec('BEGIN IMMEDIATE')
  const note = () =>
    server.fetch('/v1/stacks/default/note', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k-1' },
      body: JSON.stringify({ content: 'behind a lock' }),
    })
  const given = await note()
  expect(given.status).toBe(504)
  expect(await given.json()).toMatchObject({ code: 'deadline_exceeded', status: 504 })
  rival.exec('ROLLBACK')
  rival.close()
  expect((await note()).status).toBe(201)
  const found = await server.fetch('/v1/stacks/default/list?kind=note')
  expect(await found.json()).toHaveLength(1)
})
