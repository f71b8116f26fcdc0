import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { describe, expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { holds } from '../support/holds.ts'
import { muniment } from './support/program.ts'
import { scratch } from './support/scratch.ts'

/** A copy of a home whose stack was in use: as a crash leaves it, with entries only in the log. */
async function inUse() {
  const home = scratch()
  const first = await openStack('default', { home, signing: { onClose: false } })
  const me = new Entity('agent')
  await me.attachStack(first)
  await me.note('In the file')
  await first.close()
  const stack = await openStack('default', { home, signing: { onClose: false } })
  await me.attachStack(stack)
  for (let count = 0; count < 20; count += 1) await me.note(`In the log, part ${count}`)
  const copy = scratch()
  mkdirSync(path.join(copy, 'stacks'))
  for (const end of ['', '-wal', '-head']) {
    const name = `stacks/default.db${end}`
    copyFileSync(path.join(home, name), path.join(copy, name))
  }
  await stack.close()
  const call = (...args: readonly string[]) => muniment(args, { home: copy })
  return { call, file: path.join(copy, 'stacks', 'default.db') }
}

describe('a stack whose log was lost', () => {
  holds('LEDGER-DETECT', 'is named by audit and doctor, and answers nothing', async () => {
    const { call, file } = await inUse()
    rmSync(`${file}-wal`)

    const audit = call('audit', '--json')
    expect(audit.code).toBe(4)
    expect(JSON.parse(audit.out).problems).toMatchObject([{ code: 'head.rollback' }])
    const doctor = call('doctor')
    expect(doctor.code).toBe(4)
    expect(doctor.out).toMatch(/bad +stack +Entries are missing: entry \d+ was written/)
    expect(doctor.out).toMatch(/bad +audit +1 problem, first head\.rollback/)
    for (const args of [['list'], ['note', 'On top'], ['stack', 'backup', `${file}.copy`]]) {
      const said = call(...args, '--json')
      expect([said.code, JSON.parse(said.out).error.code]).toEqual([5, 'data_loss'])
      expect(JSON.parse(said.out).error.hint).toContain('muniment stack restore')
    }
  })

  holds('LEDGER-DETECT', 'is well while the log is there', async () => {
    const { call } = await inUse()
    expect(call('audit').code).toBe(0)
    expect(call('doctor').out).not.toMatch(/^bad/m)
    expect(call('list', 'note').out).toContain('In the log, part 19')
  })
})

describe('a stack whose file is gone and whose log is there', () => {
  holds('LEDGER-DETECT', 'is not begun anew, and doctor names it', async () => {
    const { call, file } = await inUse()
    rmSync(file)
    for (const args of [['list'], ['note', 'A new beginning'], ['audit'], ['init']]) {
      const said = call(...args, '--json')
      expect([said.code, JSON.parse(said.out).error.code]).toEqual([5, 'data_loss'])
    }
    expect(existsSync(file)).toBe(false)
    expect(call('doctor')).toMatchObject({
      code: 5,
      out: expect.stringContaining('default.db is missing or empty, but default.db-wal'),
    })
  })
})

describe('a stack whose file was cut', () => {
  holds('LEDGER-DETECT', 'takes no writes, and is named by audit and doctor', async () => {
    const { call, file } = await inUse()
    expect(call('note', 'Moves the log into the file').code).toBe(0)
    truncateSync(file, statSync(file).size - 100)
    for (const args of [['note', 'On top'], ['list'], ['audit']]) {
      const said = call(...args, '--json')
      expect([said.code, JSON.parse(said.out).error.code]).toEqual([5, 'store_corrupt'])
      expect(JSON.parse(said.out).error.message).toContain('default.db is cut short')
    }
    expect(call('doctor')).toMatchObject({
      code: 5,
      out: expect.stringContaining('default.db is cut short'),
    })
  })
})
