import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalize } from '../../ledger/canonical.ts'
import type { ClaimRow } from '../../ports/store.ts'
import { bodyIn, claimOpener } from './open-claim.ts'

interface Said {
  readonly value: unknown
  readonly subject: string
  readonly start: string | null
}

const bodyOf = ({ value, subject, start }: Said) => ({
  cardinality: 'SetValued',
  predicate: 'is',
  subject,
  validTime: { start, startGranularity: start && 'day', end: null, endGranularity: null },
  value,
})

const rowOf = (said: Said): ClaimRow => {
  const sealed = canonicalize({ body: bodyOf(said), provenance: { captured: false } })
  return { sealed, state: { ref: 'claim:one' } } as unknown as ClaimRow // all that is read of it
}

const CUTS = ['},"provenance":{', ',"value":', '"}', '\\', '\n', '']

const value = fc.oneof(
  fc.constantFrom<unknown>(...CUTS, null, 0, false, { provenance: {} }, { a: {}, provenance: {} }),
  fc.jsonValue(),
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
  fc.dictionary(fc.constantFrom('provenance', 'value', 'body'), fc.jsonValue()),
)

const said: fc.Arbitrary<Said> = fc.record({
  value: value.filter((each) => !Object.is(each, -0)),
  subject: fc.constantFrom('it', ...CUTS),
  start: fc.constantFrom(null, '2024-05-15T00:00:00.000Z'),
})

test('claims opened one after another say what each of them says', () => {
  fc.assert(
    fc.property(fc.array(said, { minLength: 1, maxLength: 8 }), (line) => {
      const open = claimOpener()
      for (const each of line) {
        const row = rowOf(each)
        const whole = JSON.parse(row.sealed ?? '') as { readonly body: Said } // written above
        expect(bodyIn(row.sealed ?? '')).toEqual(whole.body)
        expect(open(row)).toEqual({
          value: whole.body.value,
          validFrom: each.start && '2024-05-15',
          validUntil: null,
        })
      }
    }),
  )
})

test('what has members is made anew for everyone who asks', () => {
  const open = claimOpener()
  const row = rowOf({ value: { a: [1] }, subject: 'it', start: null })
  const first = open(row).value as { a: number[] } // as written
  first.a.push(2)
  expect(open(row).value).toEqual({ a: [1] })
})

test('a claim whose words are gone is a loss, whatever was opened before it', () => {
  const open = claimOpener()
  const row = rowOf({ value: 1, subject: 'it', start: null })
  expect(open(row).value).toBe(1)
  expect(() => open({ ...row, sealed: null })).toThrow(/is missing/)
})
