import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { createToken } from '../../src/doors/access/tokens.ts'
import { vandaliseNeatly } from '../sqlite/support/raw.ts'
import { holds } from '../support/holds.ts'
import { muniment } from './support/program.ts'
import { scratch } from './support/scratch.ts'

/** A home with two notes, a backup and a bundle of the first note, and a person's token. */
async function home() {
  const folder = scratch()
  const { token } = await createToken(folder, { name: 'me', createdAt: new Date().toISOString() })
  const call = (...args: readonly string[]) =>
    muniment(args, { home: folder, env: { MUNIMENT_TOKEN: token } })
  const at = (name: string): string => path.join(folder, name)
  expect(call('note', 'The first note').code).toBe(0)
  expect(call('stack', 'backup', at('copy.db')).code).toBe(0)
  expect(call('stack', 'export', at('whole.bundle')).code).toBe(0)
  expect(call('note', 'The second note').code).toBe(0)
  const words = (): string => call('list', 'note').out
  return { call, at, words, stacks: () => readdirSync(at('stacks')).sort() }
}

const JUNK = [
  ['no file', () => undefined, 3, 'not_found'],
  ['a text', (file: string) => writeFileSync(file, 'dear diary\n'), 2, 'invalid_bundle'],
  ['random bytes', (file: string) => writeFileSync(file, randomBytes(9_000)), 2, 'invalid_bundle'],
  [
    'half a backup',
    (file: string, copy: string) => {
      copyFileSync(copy, file)
      truncateSync(file, 40_000)
    },
    5,
    'store_corrupt',
  ],
] as const

describe.each(JUNK)('restore --replace, given %s', (_, make, exit, code) => {
  holds('STORE-ACKED', 'leaves the stack as it was, and writes go on there', async () => {
    const { call, at, words, stacks } = await home()
    const before = stacks()
    make(at('junk'), at('copy.db'))
    const said = call('stack', 'restore', at('junk'), '--replace', '--json')
    expect([said.code, JSON.parse(said.out).error.code]).toEqual([exit, code])
    expect(stacks()).toEqual(before)
    expect(call('note', 'The third note').code).toBe(0)
    for (const text of ['The first note', 'The second note', 'The third note']) {
      expect(words()).toContain(text)
    }
  })
})

describe('restore --replace', () => {
  holds('STORE-ACKED', 'says where the old stack lies, and so does doctor', async () => {
    const { call, at, words } = await home()
    const aside = at('stacks/default.db.replaced')
    expect(call('doctor').out).not.toContain('replaced')

    for (const from of ['copy.db', 'whole.bundle']) {
      const said = call('stack', 'restore', at(from), '--replace')
      expect(said).toMatchObject({ code: 0, out: expect.stringContaining(aside) })
      expect(words()).toContain('The first note')
      expect(words()).not.toContain('The second note')
    }
    const doctor = call('doctor')
    expect(doctor.code).toBe(0)
    expect(doctor.out).toContain(aside)

    const back = call('stack', 'restore', path.join(aside, 'default.db'), '--replace', '--json')
    expect(JSON.parse(back.out)).toMatchObject({ audit: true, setAside: `${aside}-3` })
    expect(words()).toContain('The second note')
  })

  holds('LEDGER-DETECT', 'refuses a backup whose rows were edited', async () => {
    const { call, at, words, stacks } = await home()
    const before = stacks()
    expect(call('stack', 'restore', at('copy.db'), '--replace').code).toBe(0) // unedited, it comes back
    expect(
      call('stack', 'restore', at('stacks/default.db.replaced/default.db'), '--replace').code,
    ).toBe(0)
    const sets = stacks()
    expect(sets.length).toBeGreaterThan(before.length)
    vandaliseNeatly(at('copy.db'), 'UPDATE memories SET tier = 1')

    const said = call('stack', 'restore', at('copy.db'), '--replace', '--json')

    expect(said.code).toBe(4)
    expect(JSON.parse(said.out).error).toMatchObject({
      code: 'audit_failed',
      message: expect.stringContaining('row.mismatch'),
    })
    expect(stacks()).toEqual(sets)
    expect(words()).toContain('The second note')
  })

  test('refuses while another process uses the stack', async () => {
    const { call, at, words } = await home()
    const other = await openStack('default', { home: at('.') })
    await other.getStats()
    const said = call('stack', 'restore', at('copy.db'), '--replace', '--json')
    expect([said.code, JSON.parse(said.out).error.code]).toEqual([5, 'store_busy'])
    await other.close()
    expect(existsSync(at('stacks/default.db.replaced'))).toBe(false)
    expect(words()).toContain('The second note')
    expect(call('stack', 'restore', at('copy.db'), '--replace').code).toBe(0)
  })

  holds('LEDGER-DETECT', 'brings the signed heads of the old stack back with it', async () => {
    const { call, at, words } = await home()
    const heads = at('stacks/default.db.checkpoints')
    expect(call('ledger', 'checkpoint').code).toBe(0)
    const signed = readFileSync(heads, 'utf8')
    expect(signed.split('\n').filter(Boolean).length).toBeGreaterThan(0)
    expect(call('stack', 'restore', at('copy.db'), '--replace').code).toBe(0)
    expect(existsSync(heads) ? readFileSync(heads, 'utf8') : '').not.toContain(signed)

    const old = at('stacks/default.db.replaced/default.db')
    expect(call('stack', 'restore', old, '--replace').code).toBe(0)

    expect(words()).toContain('The second note')
    expect(readFileSync(heads, 'utf8').startsWith(signed)).toBe(true)
    expect(call('audit').code).toBe(0)
    copyFileSync(at('copy.db'), at('stacks/default.db')) // the heads that came back are held against it
    expect(call('audit').code).toBe(4)
  })

  holds(
    'LEDGER-DETECT',
    'has doctor name signed heads that a stack put back by hand left behind',
    async () => {
      const { call, at, words } = await home()
      expect(call('ledger', 'checkpoint').code).toBe(0)
      expect(call('stack', 'restore', at('copy.db'), '--replace').code).toBe(0)
      const aside = at('stacks/default.db.replaced')
      for (const end of ['-wal', '-shm']) rmSync(at(`stacks/default.db${end}`), { force: true })
      renameSync(path.join(aside, 'default.db'), at('stacks/default.db'))

      const doctor = call('doctor').out
      expect(doctor).not.toContain(`restore ${aside}`)
      const step = /mv (\S+) (\S+)/.exec(doctor)
      expect(step?.[1]).toBe(path.join(aside, 'default.db.checkpoints'))
      renameSync(step?.[1] ?? '', step?.[2] ?? '')

      expect(words()).toContain('The second note')
      expect(call('audit').code).toBe(0)
      expect(JSON.parse(call('ledger', 'heads', '--json').out).heads).not.toEqual([])
      expect(call('doctor').out).not.toContain('.checkpoints')
    },
  )

  holds('LEDGER-DETECT', 'leaves heads behind that the restored file does not reach', async () => {
    const { call, at, words } = await home()
    expect(call('ledger', 'checkpoint').code).toBe(0)
    copyFileSync(at('stacks/default.db.checkpoints'), at('copy.db.checkpoints'))
    expect(call('stack', 'restore', at('copy.db'), '--replace').code).toBe(0)
    expect(words()).toContain('The first note')
    expect(call('audit').code).toBe(0)
  })

  test('brings back a stack whose file was emptied', async () => {
    const { call, at, words } = await home()
    truncateSync(at('stacks/default.db'))
    rmSync(at('stacks/default.db.checkpoints'), { force: true })
    expect(call('list').code).toBe(5)
    expect(call('stack', 'restore', at('copy.db'), '--replace').code).toBe(0)
    expect(words()).toContain('The first note')
  })

  test('brings back a stack whose own file is damaged', async () => {
    const { call, at, words } = await home()
    truncateSync(at('stacks/default.db'), 20_000)
    expect(call('list').code).toBe(5)
    expect(call('stack', 'restore', at('copy.db'), '--replace').code).toBe(0)
    expect(words()).toContain('The first note')
    expect(readdirSync(at('stacks/default.db.replaced'))).toContain('default.db')
  })
})

describe('restore says what is wrong', () => {
  test('with a folder and with a pipe, at once', async () => {
    const { call, at, words, stacks } = await home()
    const before = stacks()
    spawnSync('mkfifo', [at('pipe')])
    for (const name of ['stacks', 'pipe']) {
      const said = call('stack', 'restore', at(name), '--replace', '--json')
      expect([name, said.code, JSON.parse(said.out).error.code]).toEqual([name, 2, 'invalid_input'])
      expect(JSON.parse(said.out).error.message).toContain('is not a file')
    }
    expect(stacks()).toEqual(before)
    expect(words()).toContain('The second note')
  })

  test('with the path before the stack that stands there, and the way for an export', async () => {
    const { call, at } = await home()
    const missing = call('stack', 'restore', at('nope.db'))
    expect(missing.code).toBe(3)
    expect(missing.err).toContain('There is no file at')
    expect(missing.err).not.toContain('--replace')
    expect(call('stack', 'export', at('x.json'), '--format', 'json').code).toBe(0)
    const exported = call('stack', 'restore', at('x.json'), '--replace')
    expect(exported.err).toContain('muniment stack import')
  })

  test('with the stack that a backup holds', async () => {
    const { call, at } = await home()
    const other = call('stack', 'restore', at('copy.db'), '--stack', 'work')
    expect(other.err).toContain('holds the stack “default”, not “work”')
    expect(other.err).toContain('--stack default')
  })
})
