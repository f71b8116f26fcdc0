import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MEMORY_COLUMNS } from '../../src/stores/sql/memory-rows.ts'
import { holds } from '../support/holds.ts'
import {
  type Crime,
  HEAD,
  HIDDEN,
  JOINTS,
  LOG,
  NOISE,
  ROWS,
  SEALED,
  STANDING,
} from './support/crimes.ts'
import { ownPath } from './support/folder.ts'
import { cell, vandalise, vandaliseNeatly, withRaw } from './support/raw.ts'
import { openOn, writeSmallHistory } from './support/small-stack.ts'

const folder = mkdtempSync(join(tmpdir(), 'muniment-'))
const innocent = join(folder, 'demo.db')

async function problemsAfter(sql: string, only?: 'chain') {
  const path = ownPath()
  copyFileSync(innocent, path)
  vandalise(path, sql)
  const opened = await openOn(path)
  const report = await opened.stack.ledger.audit(only ? { only } : {})
  await opened.close()
  return report
}

describe('with its guards taken away, the file still cannot be changed unnoticed', () => {
  beforeAll(async () => {
    const opened = await openOn(innocent)
    await writeSmallHistory(opened)
    await opened.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('the history is the one that the crimes are about', () => {
    expect(cell(innocent, 'SELECT max(seq) FROM provenance_log')).toBe(HEAD)
    expect(cell(innocent, 'SELECT ref FROM memories WHERE seq = 5')).toMatch(/^note:/)
    expect(cell(innocent, 'SELECT count(*) FROM edges WHERE child = 11')).toBe(2)
  })

  holds('LEDGER-DETECT', 'an unharmed file is found unharmed', async () => {
    expect(await problemsAfter('SELECT 1')).toMatchObject({ ok: true, problems: [] })
  })

  holds('LEDGER-DETECT', 'entries edited, deleted, inserted or reordered are named', async () => {
    for (const crime of LOG) await expectNamed(crime)
  })

  holds('LEDGER-DETECT', 'content edited, deleted, inserted or reordered is named', async () => {
    for (const crime of SEALED) await expectNamed(crime)
  })

  holds('LEDGER-DETECT', 'the chain alone names the same entry', async () => {
    expect(await problemsAfter('SELECT 1', 'chain')).toMatchObject({ ok: true, problems: [] })
    for (const [what, sql, , seq] of [...LOG, ...SEALED, ...JOINTS].filter(isOfChain)) {
      const { ok, problems } = await problemsAfter(sql, 'chain')
      expect([ok, problems[0]?.seq], what).toEqual([false, seq])
    }
  })

  holds(
    ['LEDGER-DETECT', 'STORE-REBUILD'],
    'rows that their entries do not give are named',
    async () => {
      for (const crime of ROWS) await expectNamed(crime)
    },
  )

  holds(
    ['LEDGER-DETECT', 'STORE-REBUILD'],
    'no column of a memory can be edited unnoticed',
    async () => {
      for (const column of MEMORY_COLUMNS.filter((name) => name !== 'seq')) {
        const sql = `UPDATE memories SET ${column} = ${otherThan(column)} WHERE seq = 5`
        const [problem] = (await problemsAfter(sql)).problems
        expect(problem, column).toMatchObject({ code: expect.stringMatching(/^row\./), seq: 5 })
      }
    },
  )

  holds('LEDGER-DETECT', 'a head, tree or state that is not of the entries is named', async () => {
    for (const crime of STANDING) await expectNamed(crime)
  })

  holds(
    'LEDGER-DETECT',
    'copies and guards that no audit looks at are found by the check',
    async () => {
      expect(await damageAfter('SELECT 1', 'guarded')).toEqual([])
      expect((await damageAfter('SELECT 1')).length).toBe(GUARDS)
      for (const [what, sql, seq] of HIDDEN) {
        const damage = await damageAfter(sql, 'guarded')
        expect(
          damage.map((found) => found.seq),
          what,
        ).toContain(seq)
      }
    },
  )
})

/** The chain alone does not look at what content is kept under. */
const isOfChain = ([, , code]: Crime): boolean => code !== 'sealed.ref'

const GUARDS = 9 // triggers that a vandal takes away

/** `guarded`: the vandal puts the guards back, so that only the deed itself can be found. */
async function damageAfter(sql: string, guards?: 'guarded') {
  const path = ownPath()
  copyFileSync(innocent, path)
  if (guards === 'guarded') vandaliseNeatly(path, sql)
  else vandalise(path, sql)
  const opened = await openOn(path)
  const damage = await opened.store.check()
  await opened.close()
  return damage
}

/** Codes that say where the chain itself is broken, whatever else the entries then say. */
const BROKEN = /^entry\.(missing|unreadable|hash|chain|stray)$/

async function expectNamed([what, sql, code, seq]: Crime): Promise<void> {
  const { ok, problems } = await problemsAfter(sql)
  const first = problems.find((problem) => !BROKEN.test(code) || BROKEN.test(problem.code))
  expect([ok, first?.code, first?.seq], what).toEqual([false, code, seq])
}

/** Some value of the column's type that is not the one that is there. */
function otherThan(column: string): string {
  const type = withRaw(innocent, (db) =>
    db.prepare("SELECT type FROM pragma_table_info('memories') WHERE name = ?").get(column),
  )
  if (type?.type === 'TEXT') return `'other'`
  if (type?.type === 'BLOB') return NOISE
  return `coalesce(${column}, 0) + 1`
}
