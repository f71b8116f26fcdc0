import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect } from 'vitest'
import { createToken } from '../../src/doors/access/tokens.ts'
import { holds } from '../support/holds.ts'
import { muniment } from './support/program.ts'
import { scratch } from './support/scratch.ts'

/** A home with a stack that was written to and whose head was signed. */
function signedHome(): { readonly home: string; readonly file: string; readonly heads: string } {
  const home = scratch()
  expect(muniment(['note', 'Deploys freeze on Friday'], { home }).code).toBe(0)
  expect(muniment(['ledger', 'checkpoint'], { home }).code).toBe(0)
  const file = path.join(home, 'stacks', 'default.db')
  return { home, file, heads: `${file}.checkpoints` }
}

const LOSSES = [
  ['emptied', (file: string) => truncateSync(file)],
  ['deleted', (file: string) => rmSync(file)],
] as const

describe.each(LOSSES)('a stack whose file was %s, beside its signed heads', (_, lose) => {
  holds('LEDGER-DETECT', 'is named by the audit, with the exit code of one', () => {
    const { home, file } = signedHome()
    expect(muniment(['audit'], { home }).code).toBe(0)
    lose(file)
    for (const end of ['-wal', '-shm', '-head']) rmSync(`${file}${end}`, { force: true })

    const said = muniment(['audit', '--json'], { home })

    expect(said.code).toBe(4)
    const { ok, problems } = JSON.parse(said.out)
    expect(ok).toBe(false)
    expect(problems).toEqual([expect.objectContaining({ code: 'head.rollback' })])
    expect(muniment(['doctor'], { home })).toMatchObject({
      code: 4,
      out: expect.stringContaining('head.rollback'),
    })
  })

  holds(
    'LEDGER-DETECT',
    'is not begun anew unasked, and answers nothing as if all were well',
    () => {
      const { home, file, heads } = signedHome()
      lose(file)
      for (const end of ['-wal', '-shm', '-head']) rmSync(`${file}${end}`, { force: true })
      const keys = readdirSync(path.join(home, 'keys'))

      for (const args of [
        ['note', 'A new beginning'],
        ['list'],
        ['ledger', 'checkpoint'],
        ['init'],
      ]) {
        const said = muniment([...args, '--json'], { home })
        expect([said.code, JSON.parse(said.out).error.code]).toEqual([5, 'data_loss'])
        expect(JSON.parse(said.out).error.hint).toContain('restore')
      }
      expect(existsSync(file) ? readFileSync(file).length : 0).toBe(0)
      expect(readdirSync(path.join(home, 'keys'))).toEqual(keys)

      rmSync(heads)
      rmSync(file, { force: true })
      expect(muniment(['note', 'A new beginning'], { home }).code).toBe(0)
      expect(muniment(['audit'], { home }).code).toBe(0)
    },
  )
})

describe('a stack whose file was emptied, with no other file of the stack left', () => {
  function emptiedHome(): { readonly home: string; readonly file: string } {
    const { home, file, heads } = signedHome()
    truncateSync(file)
    for (const left of ['-wal', '-shm', '-head']) rmSync(`${file}${left}`, { force: true })
    rmSync(heads)
    return { home, file }
  }

  holds('LEDGER-DETECT', 'answers nothing, takes nothing, and says what to do', () => {
    const { home, file } = emptiedHome()
    const copy = path.join(home, 'copy.db')

    for (const args of [
      ['list'],
      ['note', 'A new beginning'],
      ['init'],
      ['stack', 'backup', copy],
    ]) {
      const said = muniment([...args, '--json'], { home })
      expect([args[0], said.code, JSON.parse(said.out).error.code]).toEqual([
        args[0],
        5,
        'data_loss',
      ])
      expect(JSON.parse(said.out).error.hint).toMatch(
        /muniment stack restore .*To begin a new stack/,
      )
    }
    expect(readFileSync(file)).toHaveLength(0)
    const audit = muniment(['audit', '--json'], { home })
    expect(audit.code).toBe(4)
    expect(JSON.parse(audit.out).problems).toMatchObject([{ code: 'head.rollback' }])
    expect(muniment(['doctor'], { home }).out).toMatch(/bad +stack +/)
  })

  holds('LEDGER-DETECT', 'begins anew once a person removed the file, as the hint says', () => {
    const { home, file } = emptiedHome()
    rmSync(file)
    expect(muniment(['note', 'A new beginning'], { home }).code).toBe(0)
    expect(muniment(['list'], { home }).out).toContain('A new beginning')
    expect(muniment(['audit'], { home }).code).toBe(0)
  })
})

/** A home whose head was never signed, and a copy of the file from before the last note. */
async function unsignedHome() {
  const home = scratch()
  const { token } = await createToken(home, { name: 'me', createdAt: new Date().toISOString() })
  const call = (...args: readonly string[]) =>
    muniment(args, { home, env: { MUNIMENT_TOKEN: token } })
  const file = path.join(home, 'stacks', 'default.db')
  const older = path.join(home, 'older.db')
  expect(call('note', 'Deploys freeze on Friday').code).toBe(0)
  copyFileSync(file, older)
  expect(call('note', 'Deploys thaw on Monday').code).toBe(0)
  expect(call('list').out).toContain('thaw')
  expect(existsSync(`${file}.checkpoints`)).toBe(false)
  return { call, file, older }
}

function blankDatabase(file: string): void {
  rmSync(file)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); DROP TABLE t')
  db.close()
}

const UNSIGNED_LOSSES = [
  ...LOSSES,
  ['replaced by a database without tables', blankDatabase],
  ['replaced by an older copy', (file: string, older: string) => copyFileSync(older, file)],
] as const

describe.each(UNSIGNED_LOSSES)('a stack without a signed head, whose file was %s', (_, lose) => {
  holds('LEDGER-DETECT', 'answers nothing and takes nothing', async () => {
    const { call, file, older } = await unsignedHome()
    lose(file, older)
    const isThere = existsSync(file)
    const witness = readFileSync(`${file}-head`)

    for (const args of [
      ['list'],
      ['search', 'deploys'],
      ['note', 'On top'],
      ['ledger', 'checkpoint'],
      ['stack', 'state'],
      ['agent', 'health'],
    ]) {
      const said = call(...args, '--json')
      expect([args[0], said.code, JSON.parse(said.out).error.code]).toEqual([
        args[0],
        5,
        'data_loss',
      ])
      expect(JSON.parse(said.out).error.hint).toContain('muniment stack restore')
    }
    expect(readFileSync(`${file}-head`)).toEqual(witness)
    expect(existsSync(file)).toBe(isThere)
    expect(call('doctor').out).toMatch(/bad +stack +/)
  })

  holds('LEDGER-DETECT', 'comes back from the older copy when a person restores it', async () => {
    const { call, file, older } = await unsignedHome()
    lose(file, older)
    expect(call('stack', 'restore', older, '--replace')).toMatchObject({ code: 0 })
    expect(call('list').out).toContain('freeze')
    expect(call('note', 'Life goes on').code).toBe(0)
    expect(call('doctor').out).not.toMatch(/^bad/m)
  })
})

holds('LEDGER-DETECT', 'a stack begins anew once a person removed all of its files', async () => {
  const { call, file } = await unsignedHome()
  const folder = path.dirname(file)
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name))
  expect(call('note', 'A new beginning').code).toBe(0)
  expect(call('list').out).toContain('A new beginning')
})

describe('an older copy of the file, below heads that were signed later', () => {
  holds('LEDGER-DETECT', 'answers nothing and takes nothing, and audit and doctor say why', () => {
    const { home, file } = signedHome()
    const older = path.join(home, 'older.db')
    expect(muniment(['stack', 'backup', older], { home }).code).toBe(0)
    expect(muniment(['note', 'Deploys thaw on Monday'], { home }).code).toBe(0)
    expect(muniment(['ledger', 'checkpoint'], { home }).code).toBe(0)
    expect(muniment(['list'], { home }).out).toContain('thaw')
    copyFileSync(older, file)
    rmSync(`${file}-head`) // the signed heads alone must be enough

    for (const args of [
      ['list'],
      ['note', 'On top'],
      ['stack', 'backup', `${file}.copy`],
      ['ledger', 'checkpoint'],
    ]) {
      const said = muniment([...args, '--json'], { home })
      expect([args[0], said.code, JSON.parse(said.out).error.code]).toEqual([
        args[0],
        5,
        'data_loss',
      ])
      expect(JSON.parse(said.out).error.hint).toContain('muniment stack restore')
    }
    expect(readFileSync(file)).toEqual(readFileSync(older))
    const audit = muniment(['audit', '--json'], { home })
    expect([audit.code, JSON.parse(audit.out).problems[0].code]).toEqual([4, 'head.rollback'])
    expect(muniment(['doctor'], { home }).out).toMatch(/bad +stack +.*older copy/)
  })
})
