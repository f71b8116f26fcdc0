// More of the replayed cases: each is matched, or answered better for the reason in its title.

import { describe, expect, test } from 'vitest'
import { label } from '../../src/index.ts'
import { entriesOf, freshStack } from '../stack/support.ts'
import { BERLIN, Line } from './support.ts'

describe('re-entry and models, further', () => {
  test('F01 the page’s loop ends at the first ref: naming the original must not be needed', async () => {
    const line = await Line.open()
    const first = await line.says('ann', 'Berlin')
    const again = await line.recall('Berlin')
    expect(again).toMatchObject({ claimRef: first.claimRef, disposition: 'Corroborated' })
    expect(await line.ask()).toMatchObject({ standing: 'held', value: 'Berlin', evidence: 1 })
  })

  test('F06 twelve re-entries in a row are one claim: saying that one repeats is honest', async () => {
    const line = await Line.open()
    const first = await line.says('ann', 'Berlin')
    for (let turn = 0; turn < 12; turn += 1) {
      expect((await line.recall('Berlin')).claimRef).toBe(first.claimRef)
    }
    expect((await line.stack.getStats()).claim).toBe(1)
    expect(await line.told()).toEqual(['held', 'Berlin'])
  })

  test('F09, F11 a guess stands beside a first-hand word, whichever came first', async () => {
    for (const isGuessFirst of [true, false]) {
      const line = await Line.open()
      const steps = [() => line.model('Paris'), () => line.says('ann', 'Berlin')]
      for (const step of isGuessFirst ? steps : steps.reverse()) await step()
      expect(await line.ask()).toMatchObject({
        standing: 'held',
        value: 'Berlin',
        beside: [{ value: 'Paris', basis: 'model' }],
      })
    }
  })
})

describe('the gate, further', () => {
  test('G01 a first claim without dates is simply held: having no date is no uncertainty', async () => {
    const line = await Line.open()
    expect(await line.says('ann', 'alice')).toMatchObject({ disposition: 'CommittedCheap' })
    expect(await line.ask()).toMatchObject({ standing: 'held', value: 'alice' })
  })

  test('G07 a claim that starts as it is said holds at once', async () => {
    const line = await Line.open()
    const start = new Date(line.clock.now()).toISOString()
    const { disposition } = await line.claim({
      value: 'alice',
      holds: 'already',
      validTime: { start },
    })
    expect(disposition).toBe('CommittedCheap')
    expect(await line.told()).toEqual(['held', 'alice'])
  })

  test('G08 a window of no length is kept as it was said, and answers at no time', async () => {
    const line = await Line.open()
    expect((await line.says('ann', 'alice', [2020, 2020])).disposition).toBe('CommittedCheap')
    expect(await line.told(2020)).toEqual(['unknown'])
  })

  test('G12 what one stack holds another knows nothing of', async () => {
    const [one, other] = [await Line.open(), await Line.open()]
    await one.says('ann', 'alice')
    expect(await other.told()).toEqual(['unknown'])
  })

  test('G13 what no claim can be is refused, with every field named: nothing else checks it later', async () => {
    const { stack } = await freshStack()
    const nonsense = {
      ...BERLIN,
      subject: '',
      predicate: ' ',
      confidence: { valueConfidence: 5, validTimeConfidence: -1 },
    }
    await expect(stack.claims.ingest(nonsense)).rejects.toMatchObject({
      issues: expect.arrayContaining([
        expect.objectContaining({ path: 'subject' }),
        expect.objectContaining({ path: 'predicate' }),
        expect.objectContaining({ path: 'confidence.valueConfidence' }),
        expect.objectContaining({ path: 'confidence.validTimeConfidence' }),
      ]),
    })
    expect(await stack.getStats()).toEqual({ total: 0 })
  })
})

describe('what nobody decides', () => {
  test('R01, R02 stays contested through maintenance: the newest word is no verdict', async () => {
    const line = await Line.open()
    await line.says('ann', 'Al')
    await line.says('bob', 'Bob')
    for (let turn = 0; turn < 3; turn += 1) {
      line.clock.advance({ days: 60 })
      await line.stack.maintenance()
      expect(await line.told()).toEqual(['contested', 'Al', 'Bob'])
    }
  })
})

describe('the record', () => {
  test('H06 the newest entries are reached, and those of one claim are found at any distance', async () => {
    const line = await Line.open()
    const { claimRef } = await line.says('ann', 'first')
    for (let turn = 0; turn < 60; turn += 1) {
      await line.claim({ predicate: `p${turn}`, value: turn })
    }
    await line.stack.claims.retract(String(claimRef), { label: label.userAsserted() })
    const { store, stack } = line
    const about = { type: 'entries', about: claimRef as never } as const // it was written
    expect((await store.read(stack.stackId, about)).map(({ seq }) => seq)).toEqual([
      4,
      entriesOf(store, stack).length - 1,
    ])
  })

  test('H07 a model’s claim from a parent shows its lineage, and its parent’s first words', async () => {
    const line = await Line.open()
    const berlin = await line.says('ann', 'Berlin')
    const zone = await line.claim({
      predicate: 'zone',
      value: 'CET',
      provenance: label.modelDerived(),
      derivedFrom: [String(berlin.claimRef)],
    })
    expect(zone.disposition).toBe('CommittedInferred')
    const chain = await line.stack.history.trace(String(zone.claimRef))
    expect(chain.map(({ memory }) => memory.kind)).toEqual(['raw', 'claim', 'claim'])
  })
})
