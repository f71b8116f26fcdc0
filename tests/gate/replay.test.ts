import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Entry } from '../../src/domain/entry.ts'
import { QUOTE_FAULTS } from '../../src/fold/check-quote.ts'
import { Entity, label, openStack, type Stack } from '../../src/index.ts'
import { canonicalize } from '../../src/ledger/canonical.ts'
import { readEntry } from '../../src/ledger/ledger.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'
import { histories } from './histories.ts'
import { openForTest, take } from './production.ts'
import { runs } from './runs.ts'

const line = { subject: 'ada', predicate: 'city' }
const FAULTS: ReadonlySet<string> = new Set(QUOTE_FAULTS)
const FLOORS = [0.1, 0.9]

/** The same words of the same people under one policy and then under another. */
async function twoReigns() {
  const store = new MemoryStore()
  const stack = await openStack('replay', { store, ...fakeWorld(1) })
  const me = new Entity('my-agent', { modelId: 'model-1' })
  await me.attachStack(stack)
  const { policy } = await stack.control.getPolicy()
  const hashes: string[] = []
  for (const claimConfidenceFloor of FLOORS) {
    const numbers = { ...policy.numbers, claimConfidenceFloor }
    await stack.control.setPolicy({ ...policy, numbers })
    hashes.push((await stack.control.getPolicy()).policyHash)
    for (const value of ['Bern', 'Basel', 'Chur']) {
      const said = { actor: value, label: label.userAsserted(), confidence: 0.5 }
      await me.claim({ ...line, value: `${value} ${claimConfidenceFloor}` }, said)
    }
    const unsure = { predicate: `colour ${claimConfidenceFloor}`, subject: 'ada', value: 'red' }
    await me.claim(unsure, { label: label.userAsserted(), confidence: 0.5 })
    const note = await me.note(`It might rain under ${claimConfidenceFloor}, they say`, {
      observed: true,
    })
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
        const told = await stack.ledger.replay(entry.seq)
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

  holds(
    ['LEDGER-POLICY', 'GATE-PURE'],
    'finds no other decision for anything that was taken in, whatever the history',
    async () => {
      const rules = new Set<string>()
      await fc.assert(
        fc.asyncProperty(histories({ recognises: true }), async (history) => {
          const played = await openForTest({ genesis: history.genesis, recognises: true })
          for (const step of history.steps) await take(played, step)
          const entries = entriesIn(played.store, played.stack)
          for (const { seq, op, unit, decision } of entries) {
            if (op !== 'memory.saved' && op !== 'memory.revised') continue
            const told = await played.stack.ledger.replay(seq)
            const { code, detail } = told
            // Words that were no quote are not kept.
            const isUnquoted = entries.some(
              (one) => one.unit === unit && one.decision.reasons.some((each) => FAULTS.has(each)),
            )
            const isWhole = decision.facts.relaxed === undefined && !isUnquoted
            expect({ seq, op, code, detail, derived: told.derived }).toEqual({
              seq,
              op,
              code: isWhole ? 'decision.same' : 'input.unrecorded',
              detail,
              derived: isWhole ? told.recorded : [],
            })
            rules.add(decision.rule ?? '')
          }
        }),
        runs(40),
      )
      for (const rule of ['admit', 'burst', 'conflict', 'echo']) expect([...rules]).toContain(rule)
    },
  )

  holds(
    ['LEDGER-POLICY', 'GATE-PURE'],
    'says so where the rules of then do not give what is recorded',
    async () => {
      const { stack, store } = await twoReigns()
      const rows = store.rows(stack.stackId)
      const at = entriesIn(store, stack).findLast(({ op }) => op === 'memory.saved')?.seq ?? 0
      const row = rows.entries[at]
      if (!row) throw new Error('something was saved')
      const text = Buffer.from(row.bytes).toString()
      const forged = text.replace('"hedge_dropped"', '"hedge_dripped"')
      expect(forged).not.toBe(text)
      rows.entries[at] = { ...row, bytes: Buffer.from(forged) }
      const told = await stack.ledger.replay(at)
      expect(told).toMatchObject({ code: 'decision.differs', recorded: [forged] })
      expect(told.derived).toEqual([text])
    },
  )

  holds('LEDGER-POLICY', 'is not the same with any part of the decision changed', async () => {
    const { stack, store } = await twoReigns()
    const rows = store.rows(stack.stackId)
    const entries = entriesIn(store, stack)
    const reigns = entries.map(({ policy }) => policy)
    for (const entry of entries.filter(({ op }) => op === 'memory.saved')) {
      const { decision } = entry
      const other = reigns.find((hash) => hash !== entry.policy) ?? null
      const isLow = decision.disposition === 'PendingLowConfidence'
      const changes: readonly Partial<Entry>[] = [
        { decision: { ...decision, disposition: isLow ? 'Contested' : 'PendingLowConfidence' } },
        { decision: { ...decision, rule: decision.rule === 'echo' ? 'admit' : 'echo' } },
        { decision: { ...decision, reasons: [...decision.reasons, 'tier_supplied'] } },
        { decision: { ...decision, facts: { ...decision.facts, score: 1 } } },
        { tier: entry.tier === 3 ? 2 : 3 },
        { policy: other },
        { parents: [] },
        { actor: entries[0]?.prevHash ?? null },
      ]
      const row = rows.entries[entry.seq]
      if (!row) throw new Error('it was saved')
      for (const change of changes) {
        const bytes = Buffer.from(canonicalize({ ...entry, ...change }))
        if (bytes.equals(row.bytes)) continue
        rows.entries[entry.seq] = { ...row, bytes }
        const told = await stack.ledger.replay(entry.seq).catch(({ code }) => ({ code }))
        expect(['decision.differs', 'store_corrupt']).toContain(told.code)
      }
      rows.entries[entry.seq] = row
      expect((await stack.ledger.replay(entry.seq)).code).toBe('decision.same')
    }
  })

  holds(
    'LEDGER-POLICY',
    'decides nothing under a policy that was changed in its place',
    async () => {
      const { stack, store } = await twoReigns()
      const rows = store.rows(stack.stackId)
      const entries = entriesIn(store, stack)
      const last = entries.findLast(({ op }) => op === 'memory.saved')?.seq ?? 0
      for (const { seq } of entries.filter(({ op }) => op === 'policy')) {
        const row = rows.entries[seq]
        if (!row) throw new Error('it was set')
        const text = Buffer.from(row.bytes).toString()
        const bytes = Buffer.from(text.replace(/("claimConfidenceFloor":)[\d.]+/, '$10.99'))
        rows.entries[seq] = { ...row, bytes }
        await expect(stack.ledger.replay(last)).rejects.toMatchObject({ code: 'store_corrupt' })
        rows.entries[seq] = row
      }
      for (const [hash, policy] of [...rows.policies]) {
        rows.policies.set(hash, {
          ...policy,
          numbers: { ...policy.numbers, claimConfidenceFloor: 1 },
        })
        await expect(stack.ledger.policyAt(hash)).rejects.toMatchObject({ code: 'store_corrupt' })
        rows.policies.set(hash, policy)
      }
    },
  )

  holds(
    ['LEDGER-POLICY', 'GATE-PURE'],
    'reports content.erased, and no failure, where what it was decided by is gone',
    async () => {
      const { stack, store, me } = await twoReigns()
      const births = entriesIn(store, stack).filter(({ ref }) => ref?.startsWith('claim:'))
      const [bern, basel] = births
      if (!bern?.ref || !basel?.ref) throw new Error('both were claimed')
      await stack.erasure.erase(bern.ref, { basis: 'requested' })
      const gone = await stack.ledger.replay(bern.seq)
      expect(gone).toMatchObject({ code: 'content.erased', derived: [] })
      // What was contested by it is decided by less now: nobody can tell, and nobody is accused.
      const beside = await stack.ledger.replay(basel.seq)
      expect(beside).toMatchObject({ code: 'content.erased', derived: [] })
      const later = await me.note('a note after the erasure')
      const { entry } = later
      expect((await stack.ledger.replay(entry.seq)).code).toBe('decision.same')
    },
  )

  holds('LEDGER-POLICY', 'any past policy is given whole, by an entry or by its hash', async () => {
    const { stack, store, hashes } = await twoReigns()
    expect(new Set(hashes).size).toBe(FLOORS.length)
    for (const [index, hash] of hashes.entries()) {
      const found = await stack.ledger.policyAt(hash)
      expect(found.policy.numbers.claimConfidenceFloor).toBe(FLOORS[index])
    }
    for (const entry of entriesIn(store, stack).slice(1)) {
      const { policyHash } = await stack.ledger.policyAt(entry.seq)
      expect(policyHash).toBe(entry.op === 'policy' ? entry.decision.facts.hash : entry.policy)
    }
    await expect(stack.ledger.policyAt(0)).rejects.toMatchObject({ code: 'not_found' })
    await expect(stack.ledger.policyAt('ab'.repeat(32))).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(stack.ledger.policyAt('latest')).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(stack.ledger.replay(99_999)).rejects.toMatchObject({ code: 'not_found' })
    await expect(stack.ledger.replay(-1)).rejects.toMatchObject({ code: 'invalid_input' })
  })

  holds(
    ['LEDGER-POLICY', 'GATE-PURE'],
    'takes what a door counted from the record: it accuses nobody of a secret that is gone',
    async () => {
      const { stack } = await twoReigns()
      const provenance = {
        sourceType: 'direct_experience',
        label: label.firstHand(),
        sourceId: 'tool',
        ingestionPath: 'lib:test',
        confidence: 0.8,
        llmModel: null,
      } as const
      const caller = { door: 'lib', operation: 'test', person: false, grant: null } as const
      const written = await stack.write(
        { kind: 'raw', body: { content: 'The key is [taken out]' }, provenance },
        { ...caller, session: null, turn: null, redacted: 1 },
      )
      const told = await stack.ledger.replay(written.entry.seq)
      expect(told.recorded.join()).toContain('"redacted":1')
      expect(told).toMatchObject({ code: 'decision.same', derived: told.recorded })
    },
  )
})
