import { expect, test } from 'vitest'
import type { StackId } from '../../src/domain/ids.ts'
import { KEPT_LIMITS } from '../../src/domain/limits.ts'
import { readEntry } from '../../src/ledger/ledger.ts'
import type { MemoryStore } from '../../src/stores/memory/store.ts'
import { working } from '../components/support.ts'
import { verifyLedger } from '../ledger/naive-verifier.ts'
import { ledgerOf } from '../ledger/vandal.ts'
import { holds } from '../support/holds.ts'

const { rejectedSuggestionsMax } = KEPT_LIMITS

/** Too short for a belief, each in other words. */
const noise = (nth: number): string => `No ${nth}`

const entriesIn = (store: MemoryStore, stackId: StackId) =>
  store.rows(stackId).entries.map(({ bytes }) => readEntry(bytes))

async function refusing() {
  const place = await working()
  const source = await place.me.note('Something that was seen.')
  const refused = async (statement: string) => {
    const cause: unknown = await place.me
      .belief(statement, { derivedFrom: [source.ref] })
      .catch((thrown: unknown) => thrown)
    return cause as { readonly code: string; readonly hint: string }
  }
  const kept = async () =>
    (await place.stack.getSuggestions({ status: 'rejected' })).map(({ content }) => content)
  return { ...place, refused, kept }
}

test('each distinct refusal by the lint rule is kept as a rejected suggestion; repeats are counted', async () => {
  const { stack, store, clock, refused, kept } = await refusing()
  for (const statement of ['Yes so', 'No so', 'Yes so', 'Yes so']) {
    expect(await refused(statement)).toMatchObject({ code: 'refused' })
  }
  expect(await kept()).toEqual(
    ['No so', 'Yes so'].map((statement) => expect.objectContaining({ statement })),
  )
  clock.advance({ minutes: 20 })
  await stack.maintenance()
  const tallies = entriesIn(store, stack.stackId).filter(({ op }) => op === 'tally')
  expect(tallies.map(({ decision }) => decision)).toMatchObject([
    { rule: 'lint', facts: { count: 2 } },
  ])
  expect((await stack.ledger.audit()).problems).toEqual([])
  expect(verifyLedger(ledgerOf(store.rows(stack.stackId)))).toEqual([])
})

holds('BOUND-LOUD', 'past so many of one actor a refusal says that it was not kept', async () => {
  const { stack, store, clock, refused, kept } = await refusing()
  for (let nth = 0; nth < rejectedSuggestionsMax; nth += 1) {
    expect((await refused(noise(nth))).hint).toContain('is kept as a rejected suggestion')
  }
  for (const nth of [1_000, 1_001]) {
    const { hint } = await refused(noise(nth))
    expect(hint).toContain(`Not kept: ${rejectedSuggestionsMax} rejected suggestions`)
    expect(hint).toContain('rejectedSuggestionsMax')
  }
  expect(await kept()).toHaveLength(rejectedSuggestionsMax)
  const entries = entriesIn(store, stack.stackId)
  expect(entries.filter(({ decision }) => decision.facts.notKept === true)).toHaveLength(1)
  clock.advance({ minutes: 20 })
  await stack.maintenance()
  expect((await stack.ledger.audit()).problems).toEqual([])
  expect(verifyLedger(ledgerOf(store.rows(stack.stackId)))).toEqual([])
})
