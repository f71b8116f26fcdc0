import { beforeAll, describe, expect, test } from 'vitest'
import { historyOfChanges } from './changes.ts'
import { longHistory } from './history.ts'
import { liesAbout, liesAboutShape } from './lies.ts'
import { isChange } from './lies-about-changes.ts'
import { type Told, tellLies } from './told-lies.ts'
import { type Copy, type Members, rechain } from './vandal.ts'

const TIMEOUT_MS = 480_000 // thousands of ledgers are verified twice

let alone: Told[]
let rewritten: Told[]

beforeAll(async () => {
  // Changes are lied about in a ledger of little else, so that a lie costs less to look into.
  const [history, changes] = [await longHistory(), await historyOfChanges()]
  const all = (truth: Members) => [...liesAbout(truth), ...liesAboutShape(truth)]
  const only = (liesOf: typeof all, of: boolean) => (truth: Members) =>
    isChange(truth) === of ? liesOf(truth) : []
  const nothing = () => {}
  const fit = ({ rows }: Copy, seq: number) => rechain(rows, seq)
  alone = [
    ...(await tellLies(history, only(all, false), nothing)),
    ...(await tellLies(changes, only(liesAboutShape, true), nothing)),
  ]
  rewritten = [
    ...(await tellLies(history, only(liesAbout, false), fit)),
    ...(await tellLies(changes, only(liesAbout, true), fit)),
  ]
}, TIMEOUT_MS)

const names = (told: readonly Told[]): string[] => told.map(({ told }) => told)

describe('a changed member whose own entry is hashed again', () => {
  test('is noticed by the naive verifier', () => {
    expect(alone.length).toBeGreaterThan(400)
    expect(names(alone.filter(({ naive }) => naive === 0))).toEqual([])
  })

  test('is noticed by an audit', () => {
    expect(names(alone.filter(({ audit }) => audit === 'ok'))).toEqual([])
  })

  test('is reported by an audit, which never throws over what it reads', () => {
    expect(names(alone.filter(({ audit }) => audit === 'threw'))).toEqual([])
  })
})

describe('a changed member after which every hash was made to fit', () => {
  test('is noticed by the naive verifier where the document rules it out', () => {
    expect(rewritten.length).toBeGreaterThan(400)
    expect(names(rewritten.filter(({ naive }) => naive === 0))).toEqual([])
  })

  test('is reported by an audit where the document rules it out', () => {
    expect(names(rewritten.filter(({ audit }) => audit !== 'problems'))).toEqual([])
  })
})
