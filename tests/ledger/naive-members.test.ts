import { beforeAll, describe, expect, test } from 'vitest'
import { longHistory } from './history.ts'
import { liesAbout, liesAboutShape } from './lies.ts'
import { type Told, tellLies } from './told-lies.ts'
import { rechain } from './vandal.ts'

const TIMEOUT_MS = 120_000 // more than a thousand ledgers are verified twice

let alone: Told[]
let rewritten: Told[]

beforeAll(async () => {
  const history = await longHistory()
  alone = await tellLies(
    history,
    (truth) => [...liesAbout(truth), ...liesAboutShape(truth)],
    () => {},
  )
  rewritten = await tellLies(history, liesAbout, ({ rows }, seq) => rechain(rows, seq))
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
