import { beforeAll, describe, expect, test } from 'vitest'
import { liesAbout, liesAboutShape } from './lies.ts'
import { names, TIMEOUT_MS, toldInBoth } from './told-in-both.ts'
import type { Told } from './told-lies.ts'
import type { Members } from './vandal.ts'

let told: Told[]

beforeAll(async () => {
  const ofOthers = (truth: Members) => [...liesAbout(truth), ...liesAboutShape(truth)]
  told = await toldInBoth({ ofOthers, ofChanges: liesAboutShape }, () => {})
}, TIMEOUT_MS)

describe('a changed member whose own entry is hashed again', () => {
  test('is noticed by the naive verifier', () => {
    expect(told.length).toBeGreaterThan(400)
    expect(names(told.filter(({ isNaivelySeen }) => !isNaivelySeen))).toEqual([])
  })

  test('is noticed by an audit', () => {
    expect(names(told.filter(({ audit }) => audit === 'ok'))).toEqual([])
  })

  test('is reported by an audit, which never throws over what it reads', () => {
    expect(names(told.filter(({ audit }) => audit === 'threw'))).toEqual([])
  })
})
