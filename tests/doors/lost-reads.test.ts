import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { scratch } from '../cli/support/scratch.ts'
import { serveIn } from '../http/support/program.ts'
import { linkedTo } from '../mcp/support/linked.ts'
import { holds } from '../support/holds.ts'

/** A home whose stack holds a note under a signed head, which closing signs; and an older copy of its file. */
async function signedHome() {
  const home = scratch()
  const file = path.join(home, 'stacks', 'default.db')
  const me = new Entity('agent')
  const first = await openStack('default', { home })
  await me.attachStack(first)
  await me.raw('It is Friday')
  await first.close()
  copyFileSync(file, olderCopyOf(file))
  const stack = await openStack('default', { home })
  await me.attachStack(stack)
  await me.note('Deploys freeze on Friday')
  await stack.close()
  return { home, file }
}

const olderCopyOf = (file: string): string => `${file}.older`

function emptyDatabase(file: string): void {
  rmSync(file)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); DROP TABLE t')
  db.close()
}

const LOSSES = [
  ['emptied', (file: string) => truncateSync(file)],
  ['replaced by an empty database', emptyDatabase],
  ['deleted', (file: string) => rmSync(file)],
  ['replaced by an older copy', (file: string) => copyFileSync(olderCopyOf(file), file)],
] as const

const LOST = { code: 'data_loss', hint: expect.stringContaining('muniment stack restore') }

/** The stack's own file is lost, and so is the witness of its last entry. */
const loseBoth = (file: string, lose: (file: string) => void): void => {
  lose(file)
  rmSync(`${file}-head`)
}

describe.each(LOSSES)('a stack whose file was %s, next to signed heads alone', (_, lose) => {
  holds('LEDGER-DETECT', 'is not read by the library, and its audit says why', async () => {
    const { home, file } = await signedHome()
    const whole = await openStack('default', { home })
    expect(await whole.getNotes()).toHaveLength(1)
    await whole.close()
    loseBoth(file, lose)

    const stack = await openStack('default', { home })

    for (const read of [
      () => stack.getNotes(),
      () => stack.getStats(),
      () => stack.search('deploys'),
      () => stack.load(),
      () => stack.dump(),
      () => stack.review.list(),
      () => stack.claims.ask({ subject: 'user', predicate: 'city' }),
      () => stack.ledger.checkpoint(),
      () => stack.transfer.bundle()[Symbol.asyncIterator]().next(),
    ]) {
      await expect(read()).rejects.toMatchObject(LOST)
    }
    const write = stack.claims.remember('user', 'city', 'Paris', { actor: 'ann' })
    await expect(write).rejects.toMatchObject(LOST)
    expect(await stack.ledger.audit()).toMatchObject({
      ok: false,
      problems: [{ code: 'head.rollback' }],
    })
    await stack.close()
  })

  holds('LEDGER-DETECT', 'is not read over HTTP or by an MCP tool', async () => {
    const { home, file } = await signedHome()
    loseBoth(file, lose)
    const server = await serveIn(home)
    for (const operation of ['stats', 'search', 'list', 'load']) {
      const response = await server.fetch(`/v1/stacks/default/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(operation === 'search' ? { query: 'deploys' } : {}),
      })
      expect(await response.json()).toMatchObject({
        status: 500,
        code: 'data_loss',
        detail: expect.stringContaining('muniment stack restore'),
      })
    }
    const stack = await openStack('default', { home })
    const { client } = await linkedTo(stack)
    for (const [name, args] of [
      ['meta_stats', {}],
      ['memory_search', { query: 'deploys' }],
    ] as const) {
      const said = await client.callTool({ name, arguments: args })
      expect(said.isError).toBe(true)
      expect(JSON.stringify(said)).toContain('data_loss')
      expect(JSON.stringify(said)).toContain('Restore a backup')
    }
    await stack.close()
  })
})

describe.each(LOSSES)('a stack whose file was %s, next to the witness alone', (_, lose) => {
  holds('LEDGER-DETECT', 'is not read by the library or over HTTP', async () => {
    const { home, file } = await signedHome()
    lose(file)
    rmSync(`${file}.checkpoints`)
    const notes = async () => {
      const stack = await openStack('default', { home })
      return stack.getNotes().finally(() => stack.close())
    }
    await expect(notes()).rejects.toMatchObject(LOST)
    const server = await serveIn(home)
    const response = await server.fetch('/v1/stacks/default/load', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(await response.json()).toMatchObject({ status: 500, code: 'data_loss' })
  })
})

const LIVE_LOSSES = [
  ...LOSSES,
  [
    'replaced by an older copy under another inode',
    (file: string) => renameSync(olderCopyOf(file), file),
  ],
] as const

describe.each(LIVE_LOSSES)('a stack whose file was %s while a process reads it', (_, lose) => {
  holds('LEDGER-DETECT', 'answers nothing from then on', async () => {
    const { home, file } = await signedHome()
    const stack = await openStack('default', { home })
    expect(await stack.getNotes()).toHaveLength(1)
    expect(await stack.search('deploys')).toHaveLength(1)
    lose(file)
    for (const read of [
      () => stack.getNotes(),
      () => stack.search('deploys'),
      () => stack.getStats(),
      () => stack.load(),
    ]) {
      await expect(read()).rejects.toMatchObject({ code: 'data_loss' })
    }
    await stack.close()
  })
})

holds(
  'LEDGER-DETECT',
  'a stack that never was answers with nothing, and can be begun',
  async () => {
    const home = scratch()
    const stack = await openStack('default', { home })
    expect(await stack.getNotes()).toEqual([])
    const me = new Entity('agent')
    await me.attachStack(stack)
    await me.note('The first')
    await stack.ledger.checkpoint()
    expect(await stack.getNotes()).toHaveLength(1)
    await stack.close()
  },
)

holds(
  'LEDGER-DETECT',
  'a stack that another process begins is read by who opened it before',
  async () => {
    const home = scratch()
    const early = await openStack('default', { home })
    expect(await early.getNotes()).toEqual([])
    const other = await openStack('default', { home })
    const me = new Entity('agent')
    await me.attachStack(other)
    await me.note('The first')
    await other.close()
    expect(await early.getNotes()).toHaveLength(1)
    await early.close()
  },
)
