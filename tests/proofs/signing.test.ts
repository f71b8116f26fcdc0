import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { waitingIn } from '../../src/compose/checkpoint-shelf.ts'
import { Entity, type OpenOptions, openStack } from '../../src/index.ts'
import { parseCheckpoint } from '../../src/ledger/verify/index.ts'
import { ownFolder } from '../sqlite/support/folder.ts'

async function opened(home: string, options: OpenOptions = {}) {
  const path = join(home, 'demo.db')
  const stack = await openStack('demo', { path, home, ...options })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  return { stack, me, path }
}

const notesIn = (path: string): readonly string[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []

const sizeOf = (note: string): number =>
  parseCheckpoint(note.slice(0, note.indexOf('\n\n') + 1))?.size ?? 0

describe('heads are signed unasked', () => {
  test('on close by whoever wrote, and by nobody who only read', async () => {
    const home = ownFolder()
    const { stack, me, path } = await opened(home)
    await me.raw('something happened')
    const { head } = await stack.ledger.audit()
    await stack.close()
    expect(notesIn(`${path}.checkpoints`).map(sizeOf)).toEqual([head.seq + 1])
    const reader = await openStack('demo', { path, home })
    await reader.search('something')
    await reader.close()
    expect(notesIn(`${path}.checkpoints`)).toHaveLength(1)
  })

  test('every so many entries, each an extension of the one before', async () => {
    const home = ownFolder()
    const { stack, me, path } = await opened(home, { signing: { every: 10, onClose: false } })
    for (let count = 0; count < 40; count += 1) await me.raw(`this is number ${count}`)
    const { head } = await stack.ledger.audit()
    await stack.close()
    const sizes = notesIn(`${path}.checkpoints`).map(sizeOf)
    expect(head.seq + 1 - (sizes.at(-1) ?? 0)).toBeLessThan(10)
    expect([...sizes].sort((a, b) => a - b)).toEqual(sizes)
    expect(stack.ledger.signingFailure).toBeNull()
  })

  test('a ledger whose bytes do not give the root is closed unsigned, and loses no write', async () => {
    const home = ownFolder()
    const { stack, me, path } = await opened(home)
    const { note } = await stack.ledger.checkpoint()
    await me.raw('written before the damage')
    const { DatabaseSync } = await import('node:sqlite')
    const db = new DatabaseSync(path)
    db.exec('DROP TRIGGER log_takes_no_update')
    db.exec(
      "UPDATE provenance_log SET bytes = CAST(replace(CAST(bytes AS TEXT), '2', '3') AS BLOB) WHERE seq = 2",
    )
    db.close()
    await stack.close()
    expect(stack.ledger.signingFailure).toMatchObject({ code: 'store_corrupt' })
    expect(notesIn(`${path}.checkpoints`)).toEqual([note])
  })
})

describe('a second place', () => {
  test('may be a file, or a folder with a file for each head', async () => {
    const home = ownFolder()
    const file = join(home, 'elsewhere.log')
    const first = await opened(home, { checkpointsTo: file })
    await first.me.raw('one')
    await first.stack.close()
    expect(notesIn(file)).toEqual(notesIn(`${first.path}.checkpoints`))
    const folder = `${join(home, 'heads')}/`
    const second = await opened(home, { checkpointsTo: folder })
    await second.me.raw('two')
    await second.stack.close()
    const [name = ''] = readdirSync(folder)
    const note = readFileSync(join(folder, name), 'utf8')
    expect(note).toBe(notesIn(`${second.path}.checkpoints`).at(-1))
  })

  test('may be an address; while it does not answer heads wait, and nothing else does', async () => {
    const home = ownFolder()
    const told: string[] = []
    let status = 503
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        if (status === 200) told.push(body)
        response.writeHead(status).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const options = { checkpointsTo: `http://127.0.0.1:${port}/heads` }
    try {
      for (const words of ['one', 'two']) {
        const { stack, me, path } = await opened(home, options)
        await me.raw(words)
        await stack.close()
        const waiting = await waitingIn(`${path}.checkpoints-waiting`)
        expect(waiting).toEqual(notesIn(`${path}.checkpoints`))
      }
      status = 200
      const { stack, me, path } = await opened(home, options)
      await me.raw('three')
      await stack.close()
      expect(told).toEqual(notesIn(`${path}.checkpoints`))
      expect(told).toHaveLength(3)
      expect(await waitingIn(`${path}.checkpoints-waiting`)).toEqual([])
    } finally {
      server.close()
    }
  })
})
