import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Answer, label, type Stack } from '../../src/index.ts'
import { acts, LINE, live } from '../claims/lives.ts'
import { year } from '../claims/support.ts'
import { freshStack } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

const YEARS = [undefined, ...[2019, 2021, 2024, 2027, 2031].map(year)]

const asked = async (stack: Stack): Promise<readonly Answer[]> =>
  Promise.all(
    YEARS.map((validAt) => stack.claims.ask({ ...LINE, ...(validAt ? { validAt } : {}) })),
  )

const refsIn = (sides: Answer['values']): readonly string[] =>
  sides.flatMap(({ claims }) => claims.map(({ ref }) => ref))

/** In no order: a value is first said by another claim once the first is gone. */
const valuesOf = ({ values }: Answer) => values.map(({ value }) => String(value)).sort()

const told = {
  act: 'say',
  actor: 'ann',
  from: null,
  until: null,
  sure: 1,
  confidence: 0.9,
  cardinality: 'Functional',
} as const

/** How far a verdict raised a model's claim is told without its words. */
const RAISED: (typeof acts extends fc.Arbitrary<infer S> ? S : never)[] = [
  { ...told, value: 'Berlin', isModel: true },
  { ...told, value: 'Paris', isModel: false },
  { act: 'affirm', of: 0 },
  { ...told, value: 'Berlin', isModel: false },
]

holds(
  'ANSWER-COMPUTED',
  'where an erased claim spoke no older one speaks up, and where it did not nothing changes',
  async () => {
    // Nobody is so unsure as to need the word of another, which may be what goes.
    const sure = acts.map((step) =>
      step.act === 'say' ? { ...step, confidence: 0.9 as const } : step,
    )
    const lives = fc.array(sure, { minLength: 2, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(lives, fc.nat(20), async (life, pick) => {
        const { stack, clock } = await freshStack()
        await live(stack, life, async () => clock.advance({ days: 1 }))
        const steps = await stack.claims.timeline(LINE)
        const gone = steps[pick % Math.max(1, steps.length)]
        if (gone === undefined) return
        const before = await asked(stack)
        await stack.erasure.erase(gone.ref, { derived: 'keep' })
        const after = await asked(stack)
        const isLater = (ref: string): boolean =>
          (steps.find((step) => step.ref === ref)?.entry ?? -1) > gone.entry
        const valueIn = (ref: string) => steps.find((step) => step.ref === ref)?.value ?? null
        for (const [index, answer] of after.entries()) {
          const was = before[index] as Answer
          const spoke = [...refsIn(was.values), ...refsIn(was.beside)]
          const speaks = [...refsIn(answer.values), ...refsIn(answer.beside)]
          // What a model says beside the same value is shown only once that value is gone.
          const said = new Set([...was.values, ...was.beside].map(({ value }) => value))
          // An older claim that a person put in its place answers for it, also before it was said.
          const risen = speaks.filter(
            (ref) => !said.has(valueIn(ref)) && !isLater(ref) && ref !== gone.supersededBy,
          )
          expect(risen, `at ${was.validAt}`).toEqual([])
          expect(answer.cardinality).toBe(speaks.length > 0 ? was.cardinality : answer.cardinality)
          const isUndated = gone.validFrom === null && gone.validUntil === null
          const isOver = gone.validUntil !== null && gone.validUntil < was.validAt
          const isFromNow = isOver && YEARS[index] === undefined
          if ((isUndated || isFromNow) && !spoke.includes(gone.ref)) {
            expect(valuesOf(answer), `at ${was.validAt}`).toEqual(valuesOf(was))
          }
        }
        expect((await stack.ledger.audit()).problems).toEqual([])
      }),
      { numRuns: 200, examples: [[RAISED, 0]] },
    )
  },
)

const AS_USER = { label: label.userAsserted() }

describe('a claim that is erased', () => {
  const say = async (stack: Stack, value: string, more: object = {}) =>
    stack.claims.ingest({ ...LINE, value, provenance: label.userAsserted(), ...more })

  test('and was taken back before leaves what it had replaced as it was', async () => {
    const { stack } = await freshStack()
    await say(stack, 'Bern')
    const later = await say(stack, 'Wien')
    await stack.claims.retract(String(later.claimRef), AS_USER)
    expect(await stack.claims.ask(LINE)).toMatchObject({ standing: 'held', value: 'Bern' })
    await stack.erasure.erase(String(later.claimRef))
    expect(await stack.claims.ask(LINE)).toMatchObject({
      standing: 'held',
      value: 'Bern',
      erased: [],
    })
  })

  test('and was too unsure to be believed leaves it too', async () => {
    const { stack } = await freshStack()
    await say(stack, 'Bern')
    const confidence = { valueConfidence: 0.1, validTimeConfidence: 1 }
    const later = await say(stack, 'Wien', { confidence })
    await stack.erasure.erase(String(later.claimRef))
    expect(await stack.claims.ask(LINE)).toMatchObject({
      standing: 'held',
      value: 'Bern',
      erased: [],
    })
  })

  test('keeps its place over what its voice said before and somebody reopened', async () => {
    const { stack } = await freshStack()
    const first = await say(stack, 'Bern')
    const later = await say(stack, 'Wien')
    await stack.claims.reopen(String(first.claimRef), AS_USER)
    expect(await stack.claims.ask(LINE)).toMatchObject({ standing: 'held', value: 'Wien' })
    await stack.erasure.erase(String(later.claimRef))
    const gone = { standing: 'unknown', value: null, erased: [later.claimRef] }
    expect(await stack.claims.ask(LINE)).toMatchObject(gone)
    expect(await stack.claims.timeline(LINE)).toMatchObject([{ value: 'Bern', status: 'replaced' }])
    await stack.claims.reopen(String(first.claimRef), AS_USER)
    expect(await stack.claims.ask(LINE)).toMatchObject({ standing: 'held', value: 'Bern' })
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('and was dated keeps its place while it may have spoken, and no longer', async () => {
    const { stack, clock } = await freshStack()
    await say(stack, 'Bern')
    clock.advance({ days: 1 })
    const stay = { validTime: { start: year(2019), end: year(2020) } }
    const past = await say(stack, 'Wien', stay)
    expect(await stack.claims.ask({ ...LINE, validAt: year(2019) })).toMatchObject({
      value: 'Wien',
    })
    expect(await stack.claims.ask(LINE)).toMatchObject({ standing: 'held', value: 'Bern' })
    clock.advance({ days: 1 })
    await stack.erasure.erase(String(past.claimRef))
    clock.advance({ days: 1 })
    expect(await stack.claims.ask(LINE)).toMatchObject({
      standing: 'held',
      value: 'Bern',
      erased: [],
    })
    const gone = { standing: 'unknown', erased: [past.claimRef] }
    expect(await stack.claims.ask({ ...LINE, validAt: year(2019) })).toMatchObject(gone)
    // When it began is nowhere any more: what is not known to lie outside is inside.
    expect(await stack.claims.ask({ ...LINE, validAt: year(2011) })).toMatchObject(gone)
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.ledger.rebuild()
    expect(await stack.claims.ask(LINE)).toMatchObject({ standing: 'held', value: 'Bern' })
  })

  test('and was dated ahead keeps its place from when it was said', async () => {
    const { stack, clock } = await freshStack()
    await say(stack, 'Bern', { validTime: { start: year(2001) } })
    clock.advance({ days: 1 })
    const move = await say(stack, 'Wien', { validTime: { start: year(2031) } })
    await stack.erasure.erase(String(move.claimRef))
    expect(await stack.claims.ask({ ...LINE, validAt: year(2019) })).toMatchObject({
      value: 'Bern',
    })
    const gone = { standing: 'unknown', erased: [move.claimRef] }
    expect(await stack.claims.ask({ ...LINE, validAt: year(2031) })).toMatchObject(gone)
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('together with one that was over by then silences for as long as both may have spoken', async () => {
    const { stack, clock } = await freshStack()
    await say(stack, 'Bern')
    clock.advance({ days: 1 })
    const over = { validTime: { start: year(2019), end: year(2020) } }
    const past = await say(stack, 'Wien', over)
    clock.advance({ days: 1 })
    const derivedFrom = [String(past.claimRef)]
    const now = await say(stack, 'Rom', { validTime: { start: year(2025) }, derivedFrom })
    const { erased } = await stack.erasure.erase(String(past.claimRef), { derived: 'erase' })
    expect(erased).toEqual(expect.arrayContaining([past.claimRef, now.claimRef]))
    clock.advance({ days: 1 })
    expect(await stack.claims.ask(LINE)).toMatchObject({ standing: 'unknown', value: null })
    expect(await stack.claims.ask({ ...LINE, validAt: year(2019) })).toMatchObject({ value: null })
  })

  test('and told what kind of line it is leaves it of that kind', async () => {
    const { stack } = await freshStack()
    const teller = await say(stack, 'Bern', { cardinality: 'SetValued' })
    for (const value of ['Wien', 'Rom']) await say(stack, value)
    expect(await stack.claims.ask(LINE)).toMatchObject({ cardinality: 'SetValued' })
    await stack.erasure.erase(String(teller.claimRef))
    const left = await stack.claims.ask(LINE)
    expect(left.cardinality).toBe('SetValued')
    expect(left.values.map(({ value }) => value)).toEqual(['Wien', 'Rom'])
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.ledger.rebuild()
    expect(await stack.claims.ask(LINE)).toMatchObject({ cardinality: 'SetValued' })
  })
})
