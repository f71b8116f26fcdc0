import { describe, expect, test } from 'vitest'
import { label } from '../../src/index.ts'
import { holds } from '../support/holds.ts'
import { Line } from './support.ts'

const AS_USER = { label: label.userAsserted(), actor: 'judge' }
const AS_MODEL = { label: label.modelDerived(), actor: 'a model' }
const LINE = { subject: 'User', predicate: 'CITY' }

/** Three voices, three values: three persons unless a label is given. */
async function contest(provenance = label.userAsserted()) {
  const line = await Line.open()
  const refs: string[] = []
  for (const [by, value] of [
    ['ann', 'Al'],
    ['bob', 'John'],
    ['eve', 'Carrie'],
  ] as const) {
    refs.push(String((await line.claim({ actor: by, value, provenance })).claimRef))
  }
  const [al, john, carrie] = refs as [string, string, string] // three were just written
  return { line, al, john, carrie }
}

describe('a verdict', () => {
  test('O01, O09 that affirms one of n settles the line', async () => {
    const { line, carrie } = await contest()
    expect(
      await line.stack.claims.adjudicate(carrie, { verdict: 'affirm', ...AS_USER }),
    ).toMatchObject({
      changed: true,
    })
    expect(await line.told()).toEqual(['held', 'Carrie'])
    expect(await line.stack.review.list({ kinds: ['contest'] })).toEqual([])
    expect((await line.stack.ledger.audit()).problems).toEqual([])
  })

  test('O02, O08 that denies one leaves the others to be decided', async () => {
    const { line, john, carrie } = await contest()
    await line.stack.claims.adjudicate(john, { verdict: 'deny', ...AS_USER })
    expect(await line.told()).toEqual(['contested', 'Al', 'Carrie'])
    await line.stack.claims.adjudicate(carrie, { verdict: 'affirm', ...AS_USER })
    expect(await line.told()).toEqual(['held', 'Carrie'])
  })

  test('O03 that nobody knows leaves it contested, and is not asked again', async () => {
    const { line, carrie } = await contest()
    await line.stack.claims.adjudicate(carrie, { verdict: 'unknown', ...AS_USER })
    expect((await line.told())[0]).toBe('contested')
    const waiting = await line.stack.review.list({ kinds: ['contest'] })
    expect(waiting.map(({ ref }) => ref)).not.toContain(carrie)
  })

  test('O04 is given once', async () => {
    const { line, carrie } = await contest()
    await line.stack.claims.adjudicate(carrie, { verdict: 'affirm', ...AS_USER })
    expect(
      await line.stack.claims.adjudicate(carrie, { verdict: 'affirm', ...AS_USER }),
    ).toMatchObject({
      changed: false,
      reason: 'not_contested',
    })
  })

  holds('ANSWER-ASOF', 'O06 changes no answer as of before it', async () => {
    const { line, carrie } = await contest()
    const { entry } = await line.says('ann', 'Al')
    const before = await line.ask(undefined, entry.seq)
    await line.stack.claims.adjudicate(carrie, { verdict: 'affirm', ...AS_USER })
    expect(await line.ask(undefined, entry.seq)).toEqual(before)
    expect(before.standing).toBe('contested')
  })

  holds('FIREWALL-MODEL', 'O07 of a model, or resting on a model, moves nothing', async () => {
    const { line, carrie } = await contest(label.firstHand())
    const said = { verdict: 'affirm' } as const
    expect(await line.stack.claims.adjudicate(carrie, { ...said, ...AS_MODEL })).toMatchObject({
      changed: false,
      reason: 'proposed',
    })
    const { claimRef } = await line.claim({ predicate: 'diet', provenance: label.modelDerived() })
    const evidence = [String(claimRef)]
    for (const how of [{ evidence, ...AS_USER }, { evidence }, {}]) {
      expect(await line.stack.claims.adjudicate(carrie, { ...said, ...how })).toMatchObject({
        reason: 'unwitnessed',
      })
    }
    expect((await line.told())[0]).toBe('contested')
  })

  holds('FIREWALL-AUTHORITY', 'of the host about what persons said is a proposal', async () => {
    const { line, carrie } = await contest()
    const seen = await line.claim({ predicate: 'diet', provenance: label.firstHand() })
    const evidence = [String(seen.claimRef)]
    expect(
      await line.stack.claims.adjudicate(carrie, { verdict: 'affirm', evidence }),
    ).toMatchObject({
      changed: false,
      reason: 'proposed',
    })
    expect((await line.told())[0]).toBe('contested')
    expect((await line.stack.ledger.audit()).problems).toEqual([])
  })

  test('of the host rests on something first-hand outside the contest', async () => {
    const { line, al, carrie } = await contest(label.firstHand())
    const seen = await line.claim({ predicate: 'diet', provenance: label.firstHand() })
    const evidence = [String(seen.claimRef)]
    const said = { verdict: 'affirm' } as const
    expect(await line.stack.claims.adjudicate(carrie, { ...said, evidence: [al] })).toMatchObject({
      reason: 'unwitnessed',
    })
    expect(await line.stack.claims.adjudicate(LINE, { ...said, evidence })).toMatchObject({
      changed: true,
    })
    expect(await line.told()).toEqual(['held', 'Carrie'])
  })

  test('is contested anew by what is said after it', async () => {
    const { line, carrie } = await contest()
    await line.stack.claims.adjudicate(carrie, { verdict: 'affirm', ...AS_USER })
    await line.says('bob', 'John')
    expect(await line.told()).toEqual(['contested', 'Carrie', 'John'])
  })
})

describe('the review queue', () => {
  const caller = {
    door: 'explorer',
    operation: 'review',
    person: true,
    grant: null,
    session: null,
    turn: null,
  } as const

  test('holds every contest, and takes a person’s verdict on it', async () => {
    const { line, john, carrie } = await contest()
    const waiting = await line.stack.review.list({ kinds: ['contest'] })
    expect(waiting.map(({ ref, answers }) => [ref, answers])).toEqual([
      [carrie, ['affirm', 'deny', 'unknown']],
      [john, ['affirm', 'deny', 'unknown']],
    ])
    expect(await line.stack.review.resolve(john, 'affirm', { caller })).toBe(true)
    expect(await line.told()).toEqual(['held', 'John'])
    expect(await line.stack.review.list({ kinds: ['contest'] })).toEqual([])
  })

  test('takes none from a model', async () => {
    const { line, john } = await contest()
    expect(await line.stack.review.resolve(john, 'affirm', AS_MODEL)).toBe(false)
    expect((await line.told())[0]).toBe('contested')
  })
})

describe('a claim', () => {
  test('is ended, and holds up to then', async () => {
    const line = await Line.open()
    const ref = String((await line.says('ann', 'Berlin')).claimRef)
    await line.stack.claims.end(ref, { at: '2024', ...AS_USER })
    expect([await line.told(2023), await line.told(2024)]).toEqual([
      ['held', 'Berlin'],
      ['unknown'],
    ])
    await line.stack.claims.reopen(ref, AS_USER)
    expect(await line.told()).toEqual(['held', 'Berlin'])
  })

  test('is retracted, which is not the same as unknown, and reopened', async () => {
    const line = await Line.open()
    const ref = String((await line.says('ann', 'Berlin')).claimRef)
    await line.stack.claims.retract(ref, AS_USER)
    expect(await line.ask()).toMatchObject({ standing: 'retracted', retracted: [ref] })
    await line.stack.claims.reopen(ref, AS_USER)
    expect(await line.told()).toEqual(['held', 'Berlin'])
  })

  holds('FIREWALL-MODEL', 'is not a model’s to end, retract or reopen', async () => {
    const line = await Line.open()
    const ref = String((await line.says('ann', 'Berlin')).claimRef)
    expect(await line.stack.claims.retract(ref, AS_MODEL)).toMatchObject({ reason: 'proposed' })
    expect(await line.stack.claims.end(ref, AS_MODEL)).toMatchObject({ reason: 'proposed' })
    const guess = String(
      (await line.claim({ predicate: 'diet', provenance: label.modelDerived() })).claimRef,
    )
    await line.stack.claims.retract(guess, AS_USER)
    expect(await line.stack.claims.reopen(guess, AS_MODEL)).toMatchObject({ reason: 'proposed' })
    expect(await line.told()).toEqual(['held', 'Berlin'])
    const caller = { door: 'explorer', operation: 'review', person: true } as const
    const person = { ...caller, grant: null, session: null, turn: null }
    expect(await line.stack.review.resolve(ref, 'accept', { caller: person })).toBe(true)
    expect((await line.told())[0]).toBe('retracted')
  })

  test('of another gives way to a person who puts a value in its place', async () => {
    const line = await Line.open()
    const ref = String((await line.says('ann', 'Berlin')).claimRef)
    const done = await line.stack.claims.supersede(ref, 'Paris', { actor: 'judge' })
    expect(done).toMatchObject({ disposition: 'Contested', verdict: { changed: true } })
    expect(await line.told()).toEqual(['held', 'Paris'])
  })

  holds('ANSWER-COMPUTED', 'answers the same after every row was folded anew', async () => {
    const { line, carrie, john } = await contest()
    await line.stack.claims.adjudicate(carrie, { verdict: 'affirm', ...AS_USER })
    await line.stack.claims.reopen(john, AS_USER)
    await line.stack.claims.end(john, { at: '2027', ...AS_USER })
    const before = [await line.ask(), await line.ask(2030), await line.stack.claims.timeline(LINE)]
    await line.stack.ledger.rebuild()
    expect([
      await line.ask(),
      await line.ask(2030),
      await line.stack.claims.timeline(LINE),
    ]).toEqual(before)
  })
})
