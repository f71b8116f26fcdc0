import fc from 'fast-check'
import { expect } from 'vitest'
import { label } from '../../src/index.ts'
import { entriesOf, freshStack } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { acts, LINE, live } from './lives.ts'

holds(
  'ANSWER-ASOF',
  'whatever befalls a line later, an answer as of then is the answer that was given then',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 1, maxLength: 10 }), async (life) => {
        const { stack, store, clock } = await freshStack()
        const given: { readonly asOf: number; readonly answer: unknown }[] = []
        await live(stack, life, async () => {
          const asOf = entriesOf(store, stack).length - 1
          if (asOf < 0) return
          given.push({ asOf, answer: { ...(await stack.claims.ask(LINE)), asOf } })
          clock.advance({ days: 1 })
        })
        clock.advance({ days: 100 })
        for (const { asOf, answer } of given) {
          const then = await stack.claims.ask({ ...LINE, asOf })
          // The clock may have gone on since that entry: only what is measured in time differs.
          expect(timeless(then)).toEqual(timeless(answer))
        }
      }),
      { numRuns: 60 },
    )
  },
)

const timeless = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value) =>
    name === 'validAt' || name === 'currency' ? undefined : value,
  )

holds(
  'FIREWALL-IDEMPOTENT',
  'any number of declared re-entries, anywhere in a life, leave every answer as it was',
  async () => {
    const echoes = fc.array(fc.tuple(fc.constantFrom('Berlin', 'Paris', 'Rome'), fc.nat(5)))
    await fc.assert(
      fc.asyncProperty(
        fc.array(acts, { minLength: 1, maxLength: 8 }),
        echoes,
        async (life, again) => {
          const { stack, store } = await freshStack()
          await live(stack, life)
          const before = await stack.claims.ask(LINE)
          const known = new Set((await stack.claims.timeline(LINE)).map(({ value }) => value))
          const count = entriesOf(store, stack).length
          const said = again.filter(([value]) => known.has(value))
          for (const [value, times] of said) {
            for (let turn = 0; turn < times; turn += 1) {
              await stack.claims.ingest({ ...LINE, value, provenance: label.recallReEntry() })
            }
          }
          expect(await stack.claims.ask(LINE)).toEqual(before)
          // One corroboration record for each claim that was repeated, however often it was.
          const records = entriesOf(store, stack).slice(count)
          expect(records.every(({ op }) => op === 'memory.collapsed')).toBe(true)
          expect(new Set(records.map(({ ref }) => ref)).size).toBe(records.length)
        },
      ),
      { numRuns: 60 },
    )
  },
)
