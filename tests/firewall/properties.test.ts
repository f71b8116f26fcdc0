import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Tier } from '../../src/domain/doors.ts'
import type { Ref } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import { runs } from '../gate/runs.ts'
import { at, entriesOf, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

/** Raw captures of every tier, and a line that somebody told. */
async function stocked() {
  const fresh = await freshStack()
  const { stack } = fresh
  const refs: Ref[] = []
  for (const trustTier of [0, 1, 2] as const) {
    const provenance = { ...saying('ExternalFirstHand'), trustTier }
    const body = { content: `A harvest of tier ${trustTier} was brought in on Monday` }
    refs.push((await stack.write({ kind: 'raw', body, provenance }, at('lib'))).ref as Ref)
  }
  await stack.claims.remember('user', 'city', 'Berlin', { actor: 'ann' })
  return { ...fresh, refs }
}

const doors = fc.constantFrom('mcp' as const, 'http' as const, 'cli' as const)
const served = fc.record({ door: doors, tier: fc.constantFrom<Tier>(0, 1, 2) })

describe('what was served', () => {
  holds('READ-QUIET', 'moves no tier and no number of what is written next', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(served, { maxLength: 4 }), doors, async (reads, door) => {
        const { stack, refs } = await stocked()
        for (const { door: from, tier } of reads) {
          await stack.history.trace(refs[tier] as Ref, { caller: at(from, { session: 'talk' }) })
        }
        const provenance = saying('ModelDerived', { derivedFrom: [refs[2] as Ref] })
        const body = { content: 'A thought that follows from what was met with' }
        const caller = at(door, { session: 'talk' })
        const { tier, reasons, disposition } = await stack.write(
          { kind: 'note', body, provenance },
          caller,
        )
        expect({ tier, reasons, disposition }).toEqual({
          ...{ tier: 1, reasons: [], disposition: 'CommittedInferred' },
        })
      }),
      runs(25),
    )
  })

  holds('READ-QUIET', 'changes no entry and no later read, in any order of reading', async () => {
    const { stack, store, refs } = await stocked()
    const caller = at('mcp', { session: 'talk' })
    const [first] = refs as [Ref]
    const line = { subject: 'user', predicate: 'city' }
    const ways = {
      search: () => stack.search('harvest', { caller, minTier: 0 }),
      recall: () => stack.recall('harvest', { caller }),
      load: () => stack.load({ caller }),
      ask: () => stack.claims.ask({ ...line, caller, validAt: '2026' }),
      act: () => stack.claims.ask({ ...line, caller, for: 'act', validAt: '2026' }),
      subject: () => stack.claims.subject('user', { caller, validAt: '2026' }),
      lines: () => stack.claims.timelines({ caller }),
      history: () => stack.claims.timeline({ ...line, caller }),
      why: () => stack.history.why(first, { caller }),
      trace: () => stack.history.trace(first, { caller }),
      impact: () => stack.history.impact(first, { caller }),
      stats: () => stack.getStats(),
    }
    const names = Object.keys(ways) as (keyof typeof ways)[]
    const entries = entriesOf(store, stack).length
    const answers = new Map<string, string>()
    for (const name of names) answers.set(name, JSON.stringify(await ways[name]()))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 12 }), async (reads) => {
        for (const name of reads) {
          expect(JSON.stringify(await ways[name]()), name).toBe(answers.get(name))
        }
        expect(entriesOf(store, stack)).toHaveLength(entries)
      }),
      runs(15),
    )
  })
})

describe('a label', () => {
  holds('PROV-DOOR', 'that no door lends is refused, whatever else is said', async () => {
    const { stack, store } = await stocked()
    const labels = fc.constantFrom('UserAsserted' as const, 'ExternalFirstHand' as const)
    const told = fc.record({
      door: doors,
      label: labels,
      relayed: fc.boolean(),
      trustTier: fc.constantFrom<Tier>(0, 1, 2, 3),
      sourceId: fc.constantFrom('ann', 'test:user', 'root'),
      value: fc.string(),
    })
    await fc.assert(
      fc.asyncProperty(told, async ({ door, label: name, value, ...more }) => {
        const provenance = saying(name, more)
        const body = { subject: 'user', predicate: 'city', value }
        const request = { kind: 'claim', body, provenance } as never // defaults fill the rest
        const result = await stack.write(request, at(door))
        expect(result).toMatchObject({ ref: null, rule: 'origin', disposition: 'Rejected' })
      }),
      runs(40),
    )
    const answer = await stack.claims.ask({ subject: 'user', predicate: 'city' })
    expect(answer).toMatchObject({ standing: 'held', value: 'Berlin', evidence: 1 })
    expect(entriesOf(store, stack).filter(({ op }) => op === 'memory.refused').length).toBeLessThan(
      20,
    )
    // The same words of a person, at a door that knows one, are taken.
    const own = { caller: at('cli', { person: true }), actor: 'ann', label: label.userAsserted() }
    expect((await stack.claims.remember('user', 'city', 'Rome', own)).disposition).toBe(
      'CommittedCheap',
    )
  })
})
