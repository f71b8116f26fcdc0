import { describe, expect } from 'vitest'
import type { Entry } from '../../src/domain/entry.ts'
import { readEntry } from '../../src/hash/ledger.ts'
import { Entity, label, MemoryStore, openStack, type Stack } from '../../src/index.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'

const line = { subject: 'ada', predicate: 'city' }
const FLOORS = [0.1, 0.9]

/** The same words of the same people under one policy and then under another. */
async function twoReigns() {
  const store = new MemoryStore()
  const stack = await openStack('replay', { store, ...fakeWorld(1) })
  const me = new Entity('my-agent', { modelId: 'model-1' })
  await me.attachStack(stack)
  const { policy } = await stack.getPolicy()
  const hashes: string[] = []
  for (const claimConfidenceFloor of FLOORS) {
    const numbers = { ...policy.numbers, claimConfidenceFloor }
    await stack.setPolicy({ ...policy, numbers })
    hashes.push((await stack.getPolicy()).policyHash)
    for (const value of ['Bern', 'Basel', 'Chur']) {
      const said = { actor: value, label: label.userAsserted(), confidence: 0.5 }
      await me.claim({ ...line, value: `${value} ${claimConfidenceFloor}` }, said)
    }
    const unsure = { predicate: `colour ${claimConfidenceFloor}`, subject: 'ada', value: 'red' }
    await me.claim(unsure, { label: label.userAsserted(), confidence: 0.5 })
    const note = await me.note(`It might rain under ${claimConfidenceFloor}, they say`)
    await me.belief(`It rains under ${claimConfidenceFloor}`, { derivedFrom: [note.ref] })
  }
  return { stack, store, me, hashes }
}

const entriesIn = (store: MemoryStore, stack: Stack): readonly Entry[] =>
  store.rows(stack.stackId).entries.map(({ bytes }) => readEntry(bytes))

describe('replay', () => {
  holds(
    ['LEDGER-POLICY', 'GATE-PURE'],
    'decides every draft again under the policy of its time, to the same byte',
    async () => {
      const { stack, store, hashes } = await twoReigns()
      const words = new Set<string>()
      for (const entry of entriesIn(store, stack)) {
        const told = await stack.replay(entry.seq)
        if (entry.op === 'genesis' || entry.op === 'policy' || entry.op === 'state') {
          expect([entry.op, told.code]).toEqual([entry.op, 'input.unrecorded'])
          continue
        }
        expect(told, `entry ${entry.seq} ${entry.op}`).toMatchObject({ code: 'decision.same' })
        expect(told.derived).toEqual(told.recorded)
        expect(hashes).toContain(told.policyHash)
        words.add(String(entry.decision.disposition))
      }
      // The same words of the same people are judged otherwise under the second policy.
      expect(words).toContain('PendingLowConfidence')
      expect(words).toContain('Contested')
    },
  )
})
