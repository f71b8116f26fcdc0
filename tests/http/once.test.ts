import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { scratch } from '../cli/support/scratch.ts'
import { type ServeProgram, serveIn } from './support/program.ts'

interface Told {
  readonly status: number
  readonly replayed: string | null
  readonly json: { readonly ref?: string; readonly code?: string }
}

const KEY = 'k-of-one-request'

async function post(server: ServeProgram, operation: string, body: object): Promise<Told> {
  const response = await server.fetch(`/v1/stacks/default/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': KEY },
    body: JSON.stringify(body),
  })
  const replayed = response.headers.get('idempotency-replayed')
  const json = (await response.json()) as Told['json'] // an answer or a problem
  return { status: response.status, replayed, json }
}

const notesIn = async (home: string): Promise<number | undefined> => {
  const stack = await openStack('default', { home })
  const { note } = await stack.getStats()
  expect((await stack.ledger.audit()).ok).toBe(true)
  await stack.close()
  return note
}

const body = { content: 'said once, sent three times' }

describe('what was asked under a key', () => {
  test('is answered again after a restart, and by a second process, not done again', async () => {
    const home = scratch()
    const first = await serveIn(home)
    const told = await post(first, 'note', body)
    expect(told).toMatchObject({ status: 201, replayed: null })
    first.child.kill('SIGTERM')
    expect(await first.ended()).toBe(0)
    const [second, third] = [await serveIn(home), await serveIn(home)]
    for (const server of [second, third]) {
      expect(await post(server, 'note', body)).toEqual({ ...told, replayed: 'true' })
    }
    const other = await post(third, 'note', { content: 'something else' })
    expect(other).toMatchObject({ status: 409, json: { code: 'id_exists' } })
    expect(await notesIn(home)).toBe(1)
  }, 60_000)

  test('and sent to two processes at once makes one memory', async () => {
    const home = scratch()
    const servers = [await serveIn(home), await serveIn(home)]
    const told = await Promise.all(servers.map((server) => post(server, 'note', body)))
    expect(told.map(({ status }) => status)).toEqual([201, 201])
    expect(new Set(told.map(({ json }) => json.ref)).size).toBe(1)
    expect(await notesIn(home)).toBe(1)
  }, 60_000)

  test('and was refused may be asked otherwise under the same key', async () => {
    const server = await serveIn(scratch())
    expect((await post(server, 'belief', { statement: 'It has no source' })).status).toBe(422)
    const mended = { statement: 'It has a source', because: 'somebody said so' }
    expect(await post(server, 'belief', mended)).toMatchObject({ status: 201, replayed: null })
  })

  test('leaves neither the key nor the words beside the stack', async () => {
    const home = scratch()
    const server = await serveIn(home)
    await post(server, 'note', body)
    server.child.kill('SIGTERM')
    await server.ended()
    const folder = path.join(home, 'stacks')
    const beside = readdirSync(folder).filter((name) => name.includes('-receipts'))
    expect(beside).not.toEqual([])
    for (const name of beside) {
      const bytes = readFileSync(path.join(folder, name), 'latin1')
      expect(bytes).not.toContain(KEY)
      expect(bytes).not.toContain(body.content)
    }
  })
})

describe('a process that ends between the commit and the answer', () => {
  const asked = { key: KEY, request: 'the same words' }

  test('leaves an id by which the repeat is the same memory', async () => {
    const home = scratch()
    const begun = await openStack('default', { home })
    const me = new Entity('test')
    await me.attachStack(begun)
    const crash = begun.control.once(asked, async (id) => {
      await me.write('note', { content: 'kept' }, { id })
      throw new Error('the power went')
    })
    await expect(crash).rejects.toThrow('the power went')
    await begun.close()

    const again = await openStack('default', { home })
    await me.attachStack(again)
    const { answer, isReplay } = await again.control.once(asked, async (id) => {
      const { ref } = await me.write('note', { content: 'kept' }, { id })
      return ref
    })
    expect(isReplay).toBe(false)
    expect(answer).toMatch(/^note:/)
    expect(await again.getStats()).toMatchObject({ note: 1 })
    expect(await again.control.once(asked, () => Promise.reject(new Error('not again')))).toEqual({
      answer,
      isReplay: true,
    })
    await again.close()
  })
})
