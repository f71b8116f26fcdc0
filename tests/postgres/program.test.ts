import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { createToken } from '../../src/doors/access/tokens.ts'
import { MIGRATIONS } from '../../src/stores/postgres/schema.ts'
import { muniment } from '../cli/support/program.ts'
import { scratch } from '../cli/support/scratch.ts'
import { holds } from '../support/holds.ts'
import { ownDatabase } from './support/database.ts'

interface Head {
  readonly seq: number
  readonly hash: string
}

/** As a person, with a token of the home: moving is for persons. */
async function personAt(home: string): Promise<{ readonly MUNIMENT_TOKEN: string }> {
  const createdAt = '2026-01-01T00:00:00.000Z'
  const { token } = await createToken(home, { name: 'test', createdAt })
  return { MUNIMENT_TOKEN: token }
}

const NOW = MIGRATIONS.length // the version that this program makes

describe('the program on a database', () => {
  test('prepares it, says first what that would take, and works there as with a file', async () => {
    const database = await ownDatabase('nothing')
    const home = scratch()
    const run = (...args: readonly string[]) =>
      muniment([...args, '--store', database.url], { home })
    expect(run('stack', 'migrate', '--dry-run').out).toContain(
      `would bring it from version 0 to ${NOW}`,
    )
    expect(run('stack', 'migrate').out).toContain(`Brought it from version 0 to ${NOW}`)
    expect(JSON.parse(run('stack', 'migrate', '--json').out)).toEqual({
      from: NOW,
      to: NOW,
      dryRun: false,
    })
    expect(run('list')).toMatchObject({ code: 3 })
    expect(run('note', 'Two deploys failed on locks')).toMatchObject({ code: 0, err: '' })
    const env = { MUNIMENT_STORE: database.url }
    expect(muniment(['search', 'deploys'], { home, env }).out).toContain('failed on locks')
    expect(existsSync(join(home, 'stacks', 'default.db'))).toBe(false)
    expect(run('doctor').out).toMatch(/ok +integrity/)
    expect(run('doctor').out).toMatch(/ok +search .*pgvector are not used/)
    expect(run('stack', 'vacuum').code).toBe(0)
    expect(run('stack', 'backup', 'x.db').err).toContain('muniment stack export')
  })

  test('an address that is none, or where nobody answers, is said plainly', () => {
    const home = scratch()
    const ran = muniment(['list', '--store', 'mysql://x', '--json'], { home })
    expect(JSON.parse(ran.out)).toMatchObject({ error: { code: 'invalid_input' } })
    expect(muniment(['stack', 'migrate'], { home }).err).toContain('--store postgres://')
  })
})

holds(
  ['STORE-SAME', 'LEDGER-ATOMIC'],
  'a stack moves to a database and back, byte for byte, and both heads are the same',
  async () => {
    const database = await ownDatabase()
    const [home, back] = [scratch(), scratch()]
    const env = await personAt(home)
    const run = (...args: readonly string[]) => muniment(args, { home, env })
    run('note', 'The ferry leaves at nine')
    run('claim', 'ferry', 'leaves', 'nine', '--as', 'user')
    run('belief', 'Be early', '--because', 'the ferry was missed twice')
    const headAt = async (options: Parameters<typeof openStack>[1]) => {
      const stack = await openStack('default', options)
      const { head, problems } = await stack.ledger.audit()
      await stack.close()
      return { head: head as Head, problems }
    }
    const before = await headAt({ home })
    const moved = JSON.parse(run('stack', 'move', '--to', database.url, '--json').out) as {
      head: Head
    }
    expect(moved.head.hash).toBe(before.head.hash)
    expect(await headAt({ home, store: database.url })).toEqual(before)
    // A second time there is a stack in the way.
    expect(JSON.parse(run('stack', 'move', '--to', database.url, '--json').out)).toMatchObject({
      error: { code: 'stack_not_empty' },
    })
    run('note', 'Written in the database', '--store', database.url)
    const grown = await headAt({ home, store: database.url })
    expect(grown.head.seq).toBeGreaterThan(before.head.seq)
    const there = { home: back, env: await personAt(back) }
    const returned = muniment(
      ['stack', 'move', '--store', database.url, '--to', 'home', '--json'],
      there,
    )
    expect(JSON.parse(returned.out)).toMatchObject({ head: { hash: grown.head.hash } })
    expect(await headAt({ home: back })).toEqual(grown)
    const asModel = muniment(['stack', 'move', '--to', 'home', '--json'], { home })
    expect(JSON.parse(asModel.out)).toMatchObject({ error: { code: 'scope' } })
  },
)
