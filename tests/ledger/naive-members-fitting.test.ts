import { beforeAll, describe, expect, test } from 'vitest'
import { liesAbout } from './lies.ts'
import { names, TIMEOUT_MS, toldInBoth } from './told-in-both.ts'
import type { Told } from './told-lies.ts'
import { rechain } from './vandal.ts'

let told: Told[]

beforeAll(async () => {
  const lies = { ofOthers: liesAbout, ofChanges: liesAbout }
  told = await toldInBoth(lies, ({ rows }, seq) => rechain(rows, seq))
}, TIMEOUT_MS)

describe('a changed member after which every hash was made to fit', () => {
  test('is noticed by the naive verifier where the document rules it out', () => {
    expect(told.length).toBeGreaterThan(400)
    expect(names(told.filter(({ isNaivelySeen }) => !isNaivelySeen))).toEqual([])
  })

  test('is reported by an audit where the document rules it out', () => {
    expect(names(told.filter(({ audit }) => audit !== 'problems'))).toEqual([])
  })
})
