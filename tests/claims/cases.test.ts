// The replayed cases of the system behind the seed: matched, or answered better for a stated reason.

import { describe, expect, test } from 'vitest'
import { label } from '../../src/index.ts'
import { holds } from '../support/holds.ts'
import { Line } from './support.ts'

const CHAIN = [
  ['ann', 'alice', [2020, 2022]],
  ['bob', 'bob', [2022, 2024]],
  ['eve', 'carol', [2024, null]],
] as const

async function chain(steps: readonly (typeof CHAIN)[number][] = CHAIN): Promise<Line> {
  const line = await Line.open()
  for (const [by, value, window] of steps) {
    expect((await line.says(by, value, window)).disposition).toBe('CommittedCheap')
  }
  return line
}

describe('re-entry and models', () => {
  test('F02 a re-entry that names the original is that original', async () => {
    const line = await Line.open()
    const { claimRef } = await line.says('ann', 'Berlin')
    expect((await line.recall('Berlin', [String(claimRef)])).claimRef).toBe(claimRef)
  })

  test('F03 another value that names it as its source is no corroboration of it', async () => {
    const line = await Line.open()
    const { claimRef } = await line.says('ann', 'Berlin')
    const other = await line.recall('Paris', [String(claimRef)])
    expect(other).toMatchObject({ disposition: 'CommittedInferred', tier: 0 })
    expect(other.claimRef).not.toBe(claimRef)
    expect(await line.told()).toEqual(['held', 'Berlin'])
  })

  test('F04, F12 a source that does not exist refuses the claim, and says so', async () => {
    const line = await Line.open()
    const nobody = 'claim:01980000-0000-7000-8000-000000000999'
    for (const provenance of [label.recallReEntry(), label.userAsserted()]) {
      const refused = await line.claim({ provenance, derivedFrom: [nobody] })
      expect(refused).toMatchObject({ claimRef: null, disposition: 'Rejected', rule: 'lineage' })
      expect(refused.message).toContain('does not exist')
    }
    expect(await line.told()).toEqual(['unknown'])
  })

  test('F05 our own words never dislodge what was said first-hand', async () => {
    const line = await Line.open()
    await line.says('ann', 'Berlin')
    await line.recall('Paris')
    expect(await line.told()).toEqual(['held', 'Berlin'])
  })

  test('F07, F10 on an empty line a re-entry or a guess is the best there is', async () => {
    const [recalled, guessed] = [await Line.open(), await Line.open()]
    await recalled.recall('Berlin')
    await guessed.model('Paris')
    expect([await recalled.told(), await guessed.told()]).toEqual([
      ['held', 'Berlin'],
      ['held', 'Paris'],
    ])
  })

  test('F08 an independent source of the same is evidence, not a dispute', async () => {
    const line = await Line.open()
    await line.says('ann', 'Berlin')
    expect((await line.says('bob', 'Berlin')).disposition).toBe('CommittedCheap')
    expect(await line.ask()).toMatchObject({ standing: 'held', value: 'Berlin', evidence: 2 })
  })
})

describe('the gate', () => {
  holds('ANSWER-CONTEST', 'G02 two voices contest each other, and both are shown', async () => {
    const line = await Line.open()
    const first = await line.says('ann', 'alice')
    const second = await line.says('bob', 'bob')
    expect(second).toMatchObject({ disposition: 'Contested', contestedWith: [first.claimRef] })
    expect(await line.told()).toEqual(['contested', 'alice', 'bob'])
  })

  test('G02 by the same voice it is a change of mind, which needs no judge', async () => {
    const line = await Line.open()
    const first = await line.says('ann', 'alice')
    const second = await line.says('ann', 'bob')
    expect(second).toMatchObject({ disposition: 'CommittedCheap', succeeded: [first.claimRef] })
    expect(await line.told()).toEqual(['held', 'bob'])
    await line.says('ann', 'alice')
    expect(await line.told()).toEqual(['held', 'alice'])
  })

  test('G03 where an oracle listens the contest is queued, and the oracle is told', async () => {
    const asked: string[] = []
    const line = await Line.open({ oracle: { ask: ({ claim }) => void asked.push(claim) } })
    await line.says('ann', 'alice')
    const second = await line.says('bob', 'bob')
    expect(second.disposition).toBe('QueuedForAdjudication')
    expect(asked).toEqual([second.claimRef])
    expect(await line.told()).toEqual(['contested', 'alice', 'bob'])
  })

  test('G03 where much depends on it somebody is always asked', async () => {
    const line = await Line.open()
    await line.claim({ actor: 'ann', criticality: 'High' })
    const second = await line.says('bob', 'Paris')
    expect(second.disposition).toBe('QueuedForAdjudication')
    const [item] = await line.stack.review.list()
    expect(item).toMatchObject({ kind: 'contest', ref: second.claimRef })
  })

  test('G04, G05 a window that ends before it starts waits for a person, sure or not', async () => {
    for (const validTimeConfidence of [0.9, 0.6999]) {
      const line = await Line.open()
      const { disposition } = await line.claim({
        validTime: { start: '2024', end: '2020' },
        confidence: { valueConfidence: 1, validTimeConfidence },
      })
      expect(disposition).toBe('Quarantined')
      expect(await line.told()).toEqual(['unknown'])
    }
  })

  test('G06 what is planned is kept, and answers from its start on', async () => {
    const line = await Line.open()
    expect((await line.says('ann', 'Berlin', [2030, null])).disposition).toBe('CommittedCheap')
    expect(await line.told()).toEqual(['unknown'])
    expect(await line.told(2031)).toEqual(['held', 'Berlin'])
  })

  test('G09, G10 "30" is not 30, and 1 is 1.0', async () => {
    const line = await Line.open()
    await line.claim({ value: '30', actor: 'ann' })
    expect((await line.claim({ value: 30, actor: 'bob' })).disposition).toBe('Contested')
    const other = await Line.open()
    const { claimRef } = await other.claim({ value: 1 })
    expect((await other.claim({ value: 1.0 })).claimRef).toBe(claimRef)
  })

  test('G11 a set keeps every member', async () => {
    const line = await Line.open()
    for (const value of ['rust', 'python']) {
      const { disposition } = await line.claim({ value, cardinality: 'SetValued' })
      expect(disposition).toBe('CommittedCheap')
    }
    expect(await line.told()).toEqual(['held', 'rust', 'python'])
  })

  test('a claim hardly anybody believes waits until somebody else vouches for it', async () => {
    const line = await Line.open()
    const unsure = { confidence: { valueConfidence: 0.1 } } as const
    const { disposition } = await line.claim({ actor: 'ann', ...unsure })
    expect(disposition).toBe('PendingLowConfidence')
    expect(await line.told()).toEqual(['unknown'])
    await line.claim({ actor: 'bob', ...unsure })
    expect(await line.told()).toEqual(['held', 'Berlin'])
  })
})

describe('time', () => {
  test('S01–S07 a chain answers by the window asked about', async () => {
    const line = await chain()
    const answers = [2019, 2021, 2022, 2023, 2024, 2025].map((at) => line.told(at))
    expect((await Promise.all(answers)).map(([, value]) => value)).toEqual([
      undefined,
      'alice',
      'bob',
      'bob',
      'carol',
      'carol',
    ])
    expect(await line.told()).toEqual(['held', 'carol'])
  })

  test('S08 and does so in whatever order it was told', async () => {
    const line = await chain([...CHAIN].reverse())
    expect(await line.told()).toEqual(['held', 'carol'])
    expect(await line.told(2021)).toEqual(['held', 'alice'])
  })

  test('S09 overlapping windows are contested where they overlap, and only there', async () => {
    const line = await Line.open()
    await line.says('ann', 'alice', [2020, 2023])
    expect((await line.says('bob', 'bob', [2022, null])).disposition).toBe('Contested')
    expect(await line.told(2022)).toEqual(['contested', 'alice', 'bob'])
    expect(await line.told()).toEqual(['held', 'bob'])
  })

  test('S10 dates that nobody is sure of keep no two values apart', async () => {
    const line = await Line.open()
    const confidence = { valueConfidence: 1, validTimeConfidence: 0.5 }
    const [until, from] = [{ end: '2022' }, { start: '2022' }]
    await line.claim({ actor: 'ann', value: 'alice', validTime: until, confidence })
    const { disposition } = await line.claim({
      actor: 'bob',
      value: 'bob',
      validTime: from,
      confidence,
    })
    expect(disposition).toBe('Contested')
    expect((await line.told())[0]).toBe('contested')
  })

  test('S11, S13 outside every window nothing is known', async () => {
    const line = await Line.open()
    await line.says('ann', 'alice', [2020, 2021])
    expect([await line.told(1990), await line.told(2035), await line.told()]).toEqual([
      ['unknown'],
      ['unknown'],
      ['unknown'],
    ])
    await line.says('bob', 'bob', [2023, null])
    expect([await line.told(2022), await line.told()]).toEqual([['unknown'], ['held', 'bob']])
  })

  test('S12 a third voice joins a contest', async () => {
    const line = await Line.open()
    await line.says('ann', 'alice')
    await line.says('bob', 'bob')
    expect((await line.says('eve', 'carol', [2024, null])).contestedWith).toHaveLength(2)
    expect(await line.told()).toEqual(['contested', 'alice', 'bob', 'carol'])
  })

  test('S14 a later start of the same voice closes the earlier window', async () => {
    const line = await Line.open()
    await line.says('ann', 'alice', [2010, null])
    await line.says('ann', 'bob', [2020, null])
    expect([await line.told(2015), await line.told()]).toEqual([
      ['held', 'alice'],
      ['held', 'bob'],
    ])
  })

  test('S15 a dispute about the past leaves the present alone', async () => {
    const line = await Line.open()
    await line.says('ann', 'alice', [2010, 2020])
    await line.says('bob', 'bob', [2020, null])
    expect((await line.says('eve', 'carol', [2012, 2014])).disposition).toBe('Contested')
    expect(await line.told()).toEqual(['held', 'bob'])
    expect(await line.told(2013)).toEqual(['contested', 'alice', 'carol'])
  })

  holds('ANSWER-ASOF', 'S16, S17 what was known then is asked first', async () => {
    const line = await Line.open()
    await line.says('ann', 'alice', [2020, 2022])
    line.clock.advance({ days: 10 })
    const before = '2026-01-05T00:00:00.000Z'
    await line.says('bob', 'bob', [2022, 2024])
    expect(await line.told(2023, before)).toEqual(['unknown'])
    expect(await line.told(2023)).toEqual(['held', 'bob'])
    expect(await line.told(2021, '2025-01-01T00:00:00.000Z')).toEqual(['unknown'])
  })

  test('D01 the bands end at 30 and at 90 days', async () => {
    const line = await Line.open()
    await line.says('ann', 'Berlin')
    const bands: unknown[] = []
    for (const days of [29, 1, 59, 1]) {
      line.clock.advance({ days })
      bands.push((await line.ask()).currency?.band)
    }
    expect(bands).toEqual(['Fresh', 'AgingUnconfirmed', 'AgingUnconfirmed', 'Decayed'])
  })

  test('D02 an answer as of then is as fresh as it was then', async () => {
    const line = await Line.open()
    await line.says('ann', 'Berlin')
    line.clock.advance({ days: 200 })
    const { currency } = await line.ask(undefined, '2026-01-02T00:00:00.000Z')
    expect(currency?.band).toBe('Fresh')
  })

  test('D03, D04 another’s word refreshes; an unknown line is unknown', async () => {
    const line = await Line.open()
    expect(await line.told()).toEqual(['unknown'])
    await line.says('ann', 'Berlin')
    line.clock.advance({ days: 100 })
    await line.says('bob', 'Berlin')
    const { currency, evidence } = await line.ask()
    expect({ evidence, ...currency }).toMatchObject({
      evidence: 2,
      band: 'Fresh',
      since: '2026-04-11T00:00:00.000Z',
    })
  })
})

describe('history and subject', () => {
  test('H01–H03 every claim keeps its own window, and a gap stays a gap', async () => {
    const line = await Line.open()
    const about = { subject: 'user', predicate: 'city' }
    expect(await line.stack.claims.timeline(about)).toEqual([])
    await line.claim({ value: 'bob', actor: 'bob', validTime: { start: '2023' } })
    await line.claim({ value: 'alice', actor: 'ann', validTime: { start: '2020-05', end: '2021' } })
    const steps = await line.stack.claims.timeline(about)
    expect(
      steps.map(({ value, validFrom, validUntil, status }) => [
        value,
        validFrom,
        validUntil,
        status,
      ]),
    ).toEqual([
      ['alice', '2020-05', '2021', 'past'],
      ['bob', '2023', null, 'held'],
    ])
  })

  test('H04, H05 all lines of a subject by predicate, with what is contested', async () => {
    const line = await Line.open()
    await line.claim({ predicate: 'zip', value: 'z', subject: ' USER' })
    await line.says('ann', 'Berlin')
    const { entry } = await line.claim({ predicate: 'name', value: 'n' })
    await line.says('bob', 'Paris')
    const answers = await line.stack.claims.subject('User')
    expect(
      answers.map(({ predicate, standing, value, values }) => [
        predicate,
        standing,
        value,
        values.length,
      ]),
    ).toEqual([
      ['city', 'contested', null, 2],
      ['name', 'held', 'n', 1],
      ['zip', 'held', 'z', 1],
    ])
    const before = await line.stack.claims.subject('user', { asOf: entry.seq })
    expect(before.map(({ standing }) => standing)).toEqual(['held', 'held', 'held'])
  })
})
