import { describe, expect, test } from 'vitest'
import { label, openStack } from '../../src/index.ts'
import { entriesOf } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { BERLIN, Line } from './support.ts'

describe('the seed’s example', () => {
  holds(
    ['F-17', 'F-18', 'F-08', 'F-04'],
    'gives the re-entry the reference of the first claim',
    async () => {
      const stack = await openStack('my-agent', { path: ':memory:' })
      const resp = await stack.claims.ingest({
        agentId: 'my-agent',
        subject: 'user',
        predicate: 'city',
        value: 'Berlin',
        provenance: label.userAsserted(),
        cardinality: 'Functional',
        confidence: { valueConfidence: 1, validTimeConfidence: 0 },
        criticality: 'Medium',
        derivedFrom: [],
      })
      expect(resp.disposition).toBe('CommittedCheap')
      const resp2 = await stack.claims.ingest({
        agentId: 'my-agent',
        subject: 'user',
        predicate: 'city',
        value: 'Berlin',
        provenance: label.recallReEntry(),
        cardinality: 'Functional',
        confidence: { valueConfidence: 1, validTimeConfidence: 0 },
        criticality: 'Medium',
        derivedFrom: [],
      })
      expect(resp2.claimRef).toBe(resp.claimRef)
      expect(await stack.claims.ask({ subject: 'user', predicate: 'city' })).toMatchObject({
        standing: 'held',
        value: 'Berlin',
        evidence: 1,
      })
      await stack.close()
    },
  )

  holds(
    ['F-11', 'FIREWALL-IDEMPOTENT'],
    '808 declared re-entries leave one claim, evidence one, and nothing else moved',
    async () => {
      const line = await Line.open()
      const { claimRef } = await line.says('ann', 'Berlin')
      const before = await line.ask()
      const claim = await line.stack.getClaims()
      for (let turn = 0; turn < 808; turn += 1) {
        expect(await line.recall('Berlin')).toMatchObject({ claimRef, disposition: 'Corroborated' })
      }
      expect(await line.ask()).toEqual(before)
      expect(await line.stack.getClaims()).toEqual(claim)
      const records = entriesOf(line.store, line.stack).filter(({ ref }) => ref === claimRef)
      expect(records.map(({ op }) => op)).toEqual(['memory.saved', 'memory.collapsed'])
    },
  )
})

describe('a claim’s request', () => {
  holds('F-18', 'is refused with every bad field named, and stores nothing', async () => {
    const { stack } = await Line.open()
    const bad = {
      ...BERLIN,
      subject: ' ',
      value: null,
      confidence: { valueConfidence: 5 },
      validTime: { start: 'soon' },
      mood: 'good',
    }
    const error = await stack.claims.ingest(bad as never).catch((cause) => cause)
    expect(error.issues.map(({ path }: { path: string }) => path).sort()).toEqual(
      ['confidence.valueConfidence', 'mood', 'subject', 'validTime.start', 'value'].sort(),
    )
    expect(await stack.getStats()).toEqual({ total: 0 })
  })

  test('is for the agent whose stack it is', async () => {
    const { stack } = await Line.open()
    await expect(stack.claims.ingest({ ...BERLIN, agentId: 'another' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  holds(['F-01', 'F-02', 'F-06'], 'is labelled once and for good, as on the wire', async () => {
    const { stack } = await Line.open()
    const wire = [
      [label.userAsserted(), { type: 'External', kind: 'UserAsserted' }],
      [label.firstHand(), { type: 'External', kind: 'ExternalFirstHand' }],
      [label.recallReEntry(), { type: 'RecallReEntry' }],
      [label.modelDerived(), { type: 'ModelDerived' }],
    ] as const
    for (const [given, shape] of wire) {
      expect(given).toEqual(shape)
      const predicate = JSON.stringify(shape)
      const { claimRef } = await stack.claims.ingest({ ...BERLIN, predicate, provenance: given })
      const id = String(claimRef).slice('claim:'.length)
      const born = await stack.getMemory('claim', id)
      expect(born?.provenance.label).toEqual(shape)
      await stack.claims.retract(String(claimRef))
      await stack.claims.reopen(String(claimRef))
      expect((await stack.getMemory('claim', id))?.provenance).toEqual(born?.provenance)
    }
    const shapes = [
      { type: 'External' },
      { type: 'External', kind: 'Rumour' },
      'ModelDerived',
      null,
    ]
    for (const provenance of shapes) {
      await expect(stack.claims.ingest({ ...BERLIN, provenance } as never)).rejects.toMatchObject({
        code: 'invalid_input',
      })
    }
  })

  holds('F-03', 'takes the cheap path under both labels of first-hand sources', async () => {
    const { stack } = await Line.open()
    for (const [predicate, provenance] of [
      ['a', label.userAsserted()],
      ['b', label.firstHand()],
    ] as const) {
      const { disposition } = await stack.claims.ingest({ ...BERLIN, predicate, provenance })
      expect(disposition).toBe('CommittedCheap')
    }
  })

  holds('F-07', 'has an identity of subject, predicate, value and anchor', async () => {
    const line = await Line.open()
    const { claimRef } = await line.says('ann', 'Berlin')
    expect((await line.says('ann', ' BERLIN ')).claimRef).toBe(claimRef)
    const others = [
      await line.says('bob', 'Berlin'),
      await line.claim({ actor: 'ann', externalAnchorRef: 'a letter' }),
      await line.claim({ actor: 'ann', predicate: 'birthplace' }),
      await line.claim({ actor: 'ann', subject: 'bob' }),
      await line.says('ann', 'Paris'),
    ]
    expect(new Set([claimRef, ...others.map((other) => other.claimRef)]).size).toBe(6)
  })

  holds(
    'F-10',
    'that re-enters and that nobody has seen is something new, and no truth',
    async () => {
      const line = await Line.open()
      const { claimRef, disposition, tier } = await line.recall('Berlin')
      expect({ disposition, tier }).toEqual({ disposition: 'CommittedInferred', tier: 0 })
      expect(claimRef).not.toBeNull()
      await line.says('ann', 'Paris')
      expect(await line.told()).toEqual(['held', 'Paris'])
    },
  )

  holds(
    'F-05',
    'of a model stands beside first-hand words, in whatever order they come',
    async () => {
      const line = await Line.open()
      await line.model('Guess')
      expect(await line.ask()).toMatchObject({
        value: 'Guess',
        evidence: 0,
        currency: { value: 0.25 },
      })
      await line.says('ann', 'Truth')
      await line.model('Another guess')
      const answer = await line.ask()
      expect(answer).toMatchObject({ standing: 'held', value: 'Truth', evidence: 1 })
      expect(answer.beside.map(({ value, basis }) => [value, basis])).toEqual([
        ['Another guess', 'model'],
      ])
    },
  )

  holds('F-09', 'makes an answer more current only where its source is another one', async () => {
    const line = await Line.open()
    await line.says('ann', 'Berlin')
    line.clock.advance({ days: 40 })
    const aged = await line.ask()
    expect(aged.currency).toMatchObject({ band: 'AgingUnconfirmed', value: 0.064256078 })
    await line.recall('Berlin')
    await line.model('Berlin')
    expect((await line.ask()).currency).toEqual(aged.currency)
    await line.says('ann', 'Berlin')
    expect(await line.ask()).toMatchObject({ evidence: 1, currency: aged.currency })
    await line.says('ann', 'Berlin', [2020, null]) // another claim of one and the same source
    expect(await line.ask()).toMatchObject({ evidence: 1, currency: { value: 0.5 } })
    await line.says('bob', 'Berlin')
    expect(await line.ask()).toMatchObject({ evidence: 2, currency: { value: 0.75 } })
  })
})
