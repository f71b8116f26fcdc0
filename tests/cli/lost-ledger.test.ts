import { existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { describe, expect } from 'vitest'
import { holds } from '../support/holds.ts'
import { muniment } from './support/program.ts'
import { scratch } from './support/scratch.ts'

/** A home with a stack that was written to and whose head was signed. */
function signedHome(): { readonly home: string; readonly file: string; readonly heads: string } {
  const home = scratch()
  expect(muniment(['note', 'Deploys freeze on Friday'], { home }).code).toBe(0)
  expect(muniment(['checkpoint'], { home }).code).toBe(0)
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

      for (const args of [['note', 'A new beginning'], ['list'], ['checkpoint'], ['init']]) {
        const said = muniment([...args, '--json'], { home })
        expect([said.code, JSON.parse(said.out).error.code]).toEqual([5, 'data_loss'])
        expect(JSON.parse(said.out).error.hint).toContain('restore')
      }
      expect(existsSync(file) ? readFileSync(file).length : 0).toBe(0)
      expect(readdirSync(path.join(home, 'keys'))).toEqual(keys)

      rmSync(heads)
      expect(muniment(['note', 'A new beginning'], { home }).code).toBe(0)
      expect(muniment(['audit'], { home }).code).toBe(0)
    },
  )
})
