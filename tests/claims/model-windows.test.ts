import { describe, expect, test } from 'vitest'
import { label } from '../../src/domain/labels.ts'
import type { Stack } from '../../src/stack.ts'
import { linkedTo } from '../mcp/support/linked.ts'
import { freshEntity } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

interface Window {
  readonly from: string
  readonly until: string
}

const EARLY: Window = { from: '2010-01-01', until: '2012-01-01' }
const LATE: Window = { from: '2015-01-01', until: '2018-01-01' }

/** Lets a model say, at the library, that Anna worked at Acme in a window. */
const said = (
  stack: Stack,
  { from, until }: Window,
  provenance: ReturnType<typeof label.modelDerived> | ReturnType<typeof label.recallReEntry>,
) =>
  stack.claims.ingest({
    agentId: stack.stackId,
    subject: 'anna',
    predicate: 'employer',
    value: 'Acme',
    provenance,
    cardinality: 'Functional',
    confidence: { valueConfidence: 1, validTimeConfidence: 1 },
    criticality: 'Medium',
    validTime: { start: from, end: until },
    derivedFrom: [],
  })

const claimsOf = async (stack: Stack) => stack.list('claim', { limit: 1_000 })

describe('a model’s claim with the same value', () => {
  test('and another window is another claim: no date is lost', async () => {
    const { stack } = await freshEntity()
    const first = await said(stack, EARLY, label.modelDerived())
    const second = await said(stack, LATE, label.modelDerived())
    expect(second.claimRef).not.toBe(first.claimRef)
    expect(second.disposition).toBe('CommittedInferred')
    const answer = await stack.claims.ask({
      subject: 'anna',
      predicate: 'employer',
      validAt: '2016-06-01',
    })
    expect(answer.values.flatMap(({ claims }) => claims.map(({ ref }) => ref))).toContain(
      second.claimRef,
    )
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('and the same window is an echo', async () => {
    const { stack } = await freshEntity()
    const first = await said(stack, EARLY, label.modelDerived())
    const again = await said(stack, EARLY, label.modelDerived())
    expect(again).toMatchObject({ claimRef: first.claimRef, disposition: 'Corroborated' })
    expect(await claimsOf(stack)).toHaveLength(1)
  })

  test('that is declared as recalled collapses, and the answer says that its dates are not kept', async () => {
    const { stack } = await freshEntity()
    const first = await said(stack, EARLY, label.modelDerived())
    const same = await said(stack, EARLY, label.recallReEntry())
    expect(same.reasons).toEqual(['echo_declared'])
    const other = await said(stack, LATE, label.recallReEntry())
    expect(other).toMatchObject({ claimRef: first.claimRef, disposition: 'Corroborated' })
    expect(other.reasons).toEqual(['echo_declared', 'dates_not_kept'])
    expect(await claimsOf(stack)).toHaveLength(1)
  })

  holds(
    'FIREWALL-BURST',
    'in ever new windows is a burst, and leaves the person’s word',
    async () => {
      const { stack } = await freshEntity()
      await stack.claims.remember('anna', 'employer', 'Acme', { actor: 'ann', from: '2020' })
      const results = []
      for (let year = 1900; year < 1960; year += 1) {
        const window = { from: `${year}-01-01`, until: `${year}-06-01` }
        results.push(await said(stack, window, label.modelDerived()))
      }
      const rows = await claimsOf(stack)
      expect(rows.length).toBeLessThan(20)
      expect(rows.filter(({ disposition }) => disposition === 'Quarantined')).toEqual([])
      const surplus = results.filter(({ disposition }) => disposition === 'Quarantined')
      expect(surplus).toHaveLength(50)
      expect(await stack.review.list()).toHaveLength(1)
      const answer = await stack.claims.ask({ subject: 'anna', predicate: 'employer' })
      expect(answer).toMatchObject({ standing: 'held', value: 'Acme' })
    },
  )

  test('of a person in ever new windows is a claim each: many stays are no burst', async () => {
    const { stack } = await freshEntity()
    for (let year = 1990; year < 2005; year += 1) {
      const window = { from: `${year}-01-01`, until: `${year}-06-01`, actor: 'ann' }
      const { disposition } = await stack.claims.remember('anna', 'employer', 'Acme', window)
      expect(disposition).toBe('CommittedCheap')
    }
    expect(await claimsOf(stack)).toHaveLength(15)
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('keeps its dates through MCP too', async () => {
    const { stack } = await freshEntity()
    const { client } = await linkedTo(stack)
    const call = async ({ from, until }: Window) =>
      client.callTool({
        name: 'memory_claim',
        arguments: {
          subject: 'anna',
          predicate: 'employer',
          value: 'Acme',
          valid_from: from,
          valid_until: until,
        },
      })
    const first = (await call(EARLY)).structuredContent as { ref: string }
    const second = (await call(LATE)).structuredContent as { ref: string }
    expect(second.ref).not.toBe(first.ref)
    expect(await claimsOf(stack)).toHaveLength(2)
  })
})
