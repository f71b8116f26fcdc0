import { describe, expect, test } from 'vitest'
import { label } from '../../src/index.ts'
import { entriesOf, freshStack } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { Line } from './support.ts'

const PERSON = { label: label.userAsserted(), actor: 'judge' }
const CITY = { subject: 'user', predicate: 'city' }

/** Two voices about something on which much depends: whoever listens or not, somebody is asked. */
async function queued() {
  const line = await Line.open()
  await line.claim({ value: 'Berlin', actor: 'ann', criticality: 'High' })
  const paris = await line.claim({ value: 'Paris', actor: 'bob' })
  return { line, paris: String(paris.claimRef), disposition: paris.disposition }
}

const waiting = async (line: Line) =>
  (await line.stack.review.list({ kinds: ['contest'] })).map(({ ref }) => ref)

const lapsesOf = ({ store, stack }: Line) =>
  entriesOf(store, stack)
    .filter(({ op }) => op === 'claim.lapsed')
    .map(({ decision }) => decision.facts.why)

describe('the queue of contests', () => {
  test('takes a claim in the commit that writes it: there is no moment between them', async () => {
    const { line, paris, disposition } = await queued()
    expect(disposition).toBe('QueuedForAdjudication')
    expect(await waiting(line)).toEqual([paris])
    const entries = entriesOf(line.store, line.stack)
    const born = entries.filter(({ ref }) => ref === paris)
    expect(born.map(({ op }) => op)).toEqual(['memory.saved'])
  })

  test('O05 asks nobody any more when the time to live is over, and stays contested', async () => {
    const { line, paris } = await queued()
    line.clock.advance({ days: 7 })
    expect(await line.stack.maintenance()).toMatchObject({ stack: { contestsLapsed: 0 } })
    line.clock.advance({ ms: 1 })
    expect(await line.stack.maintenance()).toMatchObject({ stack: { contestsLapsed: 1 } })
    expect(await line.stack.maintenance()).toMatchObject({ stack: { contestsLapsed: 0 } })
    expect(lapsesOf(line)).toEqual(['expired'])
    const memory = await line.stack.getMemory('claim', paris.slice('claim:'.length))
    expect(memory?.disposition).toBe('Contested')
    expect(await line.told()).toEqual(['contested', 'Berlin', 'Paris'])
    // A person may still decide: what lapsed is the question, not the dispute.
    expect(await waiting(line)).toEqual([paris])
    await line.stack.claims.adjudicate(paris, { verdict: 'affirm', ...PERSON })
    expect(await line.told()).toEqual(['held', 'Paris'])
    expect((await line.stack.ledger.audit()).problems).toEqual([])
  })

  test('lets go of what nothing contests any more, once', async () => {
    const { line, paris } = await queued()
    const [berlin] = (await line.ask()).claims
    await line.stack.claims.retract(String(berlin?.ref), PERSON)
    expect(await waiting(line)).toEqual([paris])
    expect(await line.stack.maintenance()).toMatchObject({ stack: { contestsLapsed: 1 } })
    expect(await waiting(line)).toEqual([])
    expect(await line.stack.maintenance()).toMatchObject({ stack: { contestsLapsed: 0 } })
    expect(lapsesOf(line)).toEqual(['uncontested'])
    expect(await line.ask()).toMatchObject({
      standing: 'held',
      claims: [{ value: 'Paris', disposition: 'CommittedCheap' }],
    })
    expect((await line.stack.ledger.audit()).problems).toEqual([])
  })

  holds('ANSWER-COMPUTED', 'no answer is moved by what lapses in the queue', async () => {
    const { line } = await queued()
    const before = await line.told()
    line.clock.advance({ days: 17 })
    await line.stack.maintenance()
    expect(await line.told()).toEqual(before)
  })
})

describe('a flood of contests', () => {
  test('takes one place for each actor and timeline, behind what persons contest', async () => {
    const { stack } = await freshStack()
    const person = { label: label.userAsserted() }
    await stack.claims.remember('user', 'town', 'Paris', { ...person, actor: 'ann' })
    await stack.claims.remember('user', 'town', 'Rome', { ...person, actor: 'bob' })
    await stack.claims.remember('user', 'job', 'nurse', { ...person, actor: 'ann' })
    for (let n = 0; n < 300; n += 1)
      await stack.claims.remember('user', 'job', `spy ${n}`, {
        actor: `m${n % 2}`,
        label: label.modelDerived(),
      })
    const items = await stack.review.list()
    expect(items.map(({ memory, rewordings }) => [memory.text, rewordings.length])).toEqual([
      ['user town Rome', 0],
      ['user job spy 299', 149],
      ['user job spy 298', 149],
    ])
  })
})

describe('what kind of line it is', () => {
  const both = async () => {
    const line = await Line.open()
    await line.claim({ value: 'rust', actor: 'ann' })
    await line.claim({ value: 'zig', actor: 'bob', cardinality: 'SetValued' })
    return line
  }

  test('stays as its first first-hand claim says, whatever later ones say', async () => {
    expect(await (await both()).told()).toEqual(['contested', 'rust', 'zig'])
  })

  test('is changed by a person, and back, and the past answers as it was', async () => {
    const line = await both()
    const { tip } = await line.store.read(line.stack.stackId, { type: 'standing' })
    const told = await line.stack.claims.recast(CITY, {
      cardinality: 'SetValued',
      reason: 'many are',
    })
    expect(told).toMatchObject({ changed: true })
    expect(await line.told()).toEqual(['held', 'rust', 'zig'])
    expect(await line.told(undefined, tip.head.seq)).toEqual(['contested', 'rust', 'zig'])
    expect((await line.claim({ value: 'c', actor: 'eve' })).disposition).toBe('CommittedCheap')
    await line.stack.claims.recast(CITY, { cardinality: 'Functional' })
    expect((await line.told())[0]).toBe('contested')
    expect(await line.stack.claims.recast(CITY, { cardinality: 'Functional' })).toMatchObject({
      changed: false,
      reason: 'already_so',
    })
    expect((await line.stack.ledger.audit()).problems).toEqual([])
  })

  test('is changed by nobody else', async () => {
    const line = await both()
    for (const other of [label.modelDerived(), label.firstHand()]) {
      const how = { cardinality: 'SetValued', label: other, actor: 'x' } as const
      expect(await line.stack.claims.recast(CITY, how)).toMatchObject({
        changed: false,
        reason: 'unwitnessed',
      })
    }
    expect((await line.told())[0]).toBe('contested')
  })

  test('is told by a claim that did not say, where none did', async () => {
    const line = await Line.open()
    await line.claim({ value: 'rust', cardinality: 'Unknown' })
    expect((await line.ask()).cardinality).toBe('Functional')
    await line.stack.claims.recast(CITY, { cardinality: 'SetValued' })
    expect((await line.ask()).cardinality).toBe('SetValued')
  })
})
