// A ledger from before rule 5 of the firewall keeps its meaning, and takes changes by today's rule.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { label, restoreStack } from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { memoryOf } from '../life/support.ts'
import { at } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { verifyLedger } from './naive-verifier.ts'
import { ledgerOf } from './vandal.ts'

const BUNDLE = new URL('./vectors/bundle-before-authority.jsonl', import.meta.url)

/**
 * A token of tier 0 forgot, weakened, retracted, superseded and contested what a person said, a model
 * protected a note, and two models proposed fields for one goal.
 */
async function older() {
  const store = new MemoryStore()
  const lines = readFileSync(BUNDLE, 'utf8').split(/(?<=\n)/)
  const stack = await restoreStack('old', { store, from: lines })
  return { store, stack }
}

const TOOL = {
  caller: at('http', { grant: { ExternalFirstHand: 0 } }),
  label: label.firstHand(),
  actor: 'a tool',
} as const

test('both verifiers find entries sound that an older rule allowed', async () => {
  const { store, stack } = await older()
  expect((await stack.ledger.audit()).problems).toEqual([])
  expect(verifyLedger(ledgerOf(store.rows(stack.stackId)))).toEqual([])
})

holds(
  'FIREWALL-AUTHORITY',
  'a stack under an older policy is changed by today’s rule, and stays sound',
  async () => {
    const { store, stack } = await older()
    // A lower tier contests nothing: what counted as a contest then is shown beside the answer now.
    const answer = await stack.claims.ask({ subject: 'ann', predicate: 'pet' })
    expect(answer).toMatchObject({ standing: 'held', value: 'cat' })
    expect(answer.beside.map(({ value }) => value)).toEqual(['dog'])
    const [note] = (await stack.getNotes({ limit: 100 })).filter(({ strength }) => strength === 1)
    if (!note) throw new Error('a note of the person is left')
    expect(await stack.changes.change(note.ref, { type: 'forget' }, 'test', TOOL)).toMatchObject({
      changed: false,
      reason: 'proposed',
    })
    // Control: the person forgets it.
    const ann = { label: label.userAsserted(), actor: 'ann' }
    expect(await stack.changes.change(note.ref, { type: 'forget' }, 'test', ann)).toMatchObject({
      changed: true,
    })
    expect((await memoryOf(stack, note.ref)).strength).toBe(0)
    expect((await stack.ledger.audit()).problems).toEqual([])
    expect(verifyLedger(ledgerOf(store.rows(stack.stackId)))).toEqual([])
  },
)

test('fields that two models proposed under the older rule are a proposal of each', async () => {
  const { stack } = await older()
  const [goal] = (await stack.review.list({ kinds: ['proposal'] })).filter(({ memory }) => {
    return memory.kind === 'goal'
  })
  expect(goal?.proposals.map(({ fields }) => fields)).toEqual([
    { status: 'completed', priority: 'high' },
    { status: 'paused' },
  ])
})
