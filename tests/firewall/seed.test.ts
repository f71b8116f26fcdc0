import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import { runs } from '../gate/runs.ts'
import { at, entriesOf, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

const LINE = { subject: 'user', predicate: 'city' }
const claim = (value: string, derivedFrom: readonly Ref[], sourceId = 'model') => ({
  kind: 'claim' as const,
  body: { ...LINE, value } as never, // defaults fill the rest
  provenance: saying('ModelDerived', { derivedFrom: [...derivedFrom], sourceId, confidence: 1 }),
})

async function heard() {
  const fresh = await freshStack()
  const { stack } = fresh
  const said = await stack.claims.remember('user', 'city', 'Berlin', { actor: 'ann' })
  const provenance = saying('ExternalFirstHand', { sourceId: 'a tool' })
  const body = { content: 'A page that tells of Paris' }
  const raw = await stack.write({ kind: 'raw', body, provenance }, at('lib'))
  return { ...fresh, said: said.claimRef as Ref, raw: raw.ref as Ref }
}

describe('a burst', () => {
  holds('F-12', 'past ten in one batch is auditable and no part of the answer', async () => {
    const { stack, store, raw } = await heard()
    const same = Array.from({ length: 14 }, () => claim('Paris', [raw]))
    const written = await stack.writeAll(same, at('lib'))
    const words = written.refused ? [] : written.results.map(({ disposition }) => disposition)
    expect(words.filter((word) => word === 'Quarantined')).toHaveLength(4)
    const answer = await stack.claims.ask(LINE)
    expect(answer).toMatchObject({ standing: 'held', value: 'Berlin', evidence: 1 })
    const shown = [...answer.values, ...answer.beside].flatMap(({ claims }) => claims)
    expect(shown.map(({ disposition }) => disposition)).not.toContain('Quarantined')
    const burst = entriesOf(store, stack).filter(({ decision }) => decision.rule === 'burst')
    expect(burst.length).toBeGreaterThan(0)
    const rows = await stack.list('claim', { includeSetAside: true })
    const paris = rows.filter(({ body }) => (body as { value: unknown }).value === 'Paris')
    expect(paris).toHaveLength(1)
    const waiting = await stack.review.list()
    expect(waiting.map(({ ref, reasons }) => [ref, reasons])).toEqual([
      [paris[0]?.ref, ['repeated']],
    ])
  })
})

describe('depth', () => {
  holds(
    ['F-13', 'F-14', 'FIREWALL-DEPTH'],
    'is counted at birth and kept, and past the cap nothing is refreshed or overturned',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          // Each step rests on the one before, and some on something first-hand beside it.
          fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
          async (besides) => {
            const { stack, store, raw } = await heard()
            const before = await stack.claims.ask(LINE)
            let last = raw
            for (const [index, isBeside] of besides.entries()) {
              const from = isBeside && last !== raw ? [last, raw] : [last]
              const value = `Paris by ${'chain '.repeat(index + 1)}`
              const written = await stack.write(claim(value, from, `model ${index}`), at('lib'))
              last = written.ref as Ref
              const farthest = index + 1
              const stored = await stack.getMemory('claim', last.slice('claim:'.length))
              expect(stored?.provenance.depthFarthest).toBe(farthest)
              const nearest = isBeside || index === 0 ? 1 : null
              if (nearest !== null) expect(stored?.provenance.derivationDepth).toBe(nearest)
              expect(written.disposition).toBe(
                farthest > 3 ? 'PendingConflict' : 'CommittedInferred',
              )
              const birth = entriesOf(store, stack).find(({ ref }) => ref === last)
              expect(birth?.decision.facts.depth).toMatchObject({ farthest })
            }
            const after = await stack.claims.ask(LINE)
            expect([after.value, after.evidence, after.values]).toEqual([
              before.value,
              before.evidence,
              before.values,
            ])
            expect((await stack.ledger.audit()).problems).toEqual([])
          },
        ),
        runs(15),
      )
    },
  )

  holds(
    'F-14',
    'even a first-hand label gives no boost where it was reasoned too far',
    async () => {
      for (const [hops, evidence] of [
        [2, 2],
        [5, 1],
      ] as const) {
        const { stack, raw } = await heard()
        let last = raw
        for (let hop = 1; hop < hops; hop += 1) {
          const written = await stack.write(claim(`step ${hop}`, [last], `model ${hop}`), at('lib'))
          last = written.ref as Ref
        }
        const provenance = saying('ExternalFirstHand', {
          sourceType: 'inference',
          sourceId: 'a calculator',
          derivedFrom: [last],
        })
        const body = { ...LINE, value: 'Berlin' } as never // the same
        await stack.write({ kind: 'claim', body, provenance }, at('lib'))
        expect((await stack.claims.ask(LINE)).evidence).toBe(evidence)
      }
    },
  )
})

describe('what entails an earlier injection', () => {
  holds(
    ['F-15', 'F-10'],
    'is tagged when it comes in, for good, whatever it calls itself',
    async () => {
      const { stack, store, said, raw } = await heard()
      const caller = at('mcp', { session: 'talk' })
      await stack.claims.ask({ ...LINE, caller })
      const tagged = async (value: string) => {
        const own = { caller, label: label.modelDerived(), derivedFrom: [raw] }
        await stack.claims.remember('user', 'city', value, own)
        return entriesOf(store, stack).findLast(({ decision }) => decision.rule !== null)
      }
      for (const value of ['Berlin', ' berlin ', 'BERLIN']) {
        const entry = await tagged(value)
        expect(entry).toMatchObject({ op: 'memory.collapsed', ref: said })
        expect(entry?.decision).toMatchObject({ rule: 'echo', facts: { match: said } })
      }
      const theme = await stack.claims.remember('user', 'preferred theme', 'dark quiet mode', {
        actor: 'ann',
      })
      await stack.claims.ask({ subject: 'user', predicate: 'preferred theme', caller })
      const own = { caller, label: label.modelDerived(), derivedFrom: [raw] }
      await stack.claims.remember('user', 'preferred theme', 'quiet dark mode', own)
      const near = entriesOf(store, stack).at(-1)
      expect(near?.decision).toMatchObject({ reasons: expect.arrayContaining(['rewording']) })
      expect(near?.decision.facts).toMatchObject({ phrasingOf: theme.claimRef })
      // What nobody said before is new, declared as an echo or not.
      const novel = { caller, label: label.recallReEntry(), derivedFrom: [raw] }
      const peru = await stack.claims.remember('user', 'country', 'Peru', novel)
      expect(peru).toMatchObject({ disposition: 'CommittedInferred' })
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )
})
