import { expect } from 'vitest'
import { nodeHasher, nodeSha256 as sha256 } from '../../src/compose/node-world.ts'
import type { Arrived, Draft } from '../../src/domain/draft.ts'
import type { Entry } from '../../src/domain/entry.ts'
import { splitRef } from '../../src/domain/ids.ts'
import { labelName } from '../../src/domain/labels.ts'
import type { Provenance } from '../../src/domain/provenance.ts'
import { decideGroup } from '../../src/gate/gate.ts'
import { needsOf } from '../../src/gate/needs.ts'
import { stamp } from '../../src/gate/stamp.ts'
import { contentHash, readEntry } from '../../src/hash/ledger.ts'
import { defaultPolicy, Entity, label, MemoryStore, openStack } from '../../src/index.ts'
import { walkLedger } from '../../src/stack/audit-walk.ts'
import { readerOf, rowsOf } from '../../src/stack/bundle/held-bundle.ts'
import { readBundle } from '../../src/stack/bundle/read.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'

const decoder = new TextDecoder()

holds(
  ['LEDGER-POLICY', 'GATE-PURE'],
  'a decision is replayed from the ledger under the policy of its time, to the same byte',
  async () => {
    const store = new MemoryStore()
    const stack = await openStack('replay', { store, ...fakeWorld(1) })
    const me = new Entity('my-agent', { modelId: 'model-1' })
    await me.attachStack(stack)
    const { policy } = await stack.getPolicy()
    const line = { subject: 'ada', predicate: 'city' }
    for (const claimConfidenceFloor of [0.1, 0.9]) {
      const numbers = { ...policy.numbers, claimConfidenceFloor }
      await stack.setPolicy({ ...policy, numbers })
      for (const value of ['Bern', 'Basel', 'Chur']) {
        const said = { actor: value, label: label.userAsserted(), confidence: 0.5 }
        await me.claim({ ...line, value: `${value} ${claimConfidenceFloor}` }, said)
      }
      const unsure = { predicate: `colour ${claimConfidenceFloor}`, subject: 'ada', value: 'red' }
      await me.claim(unsure, { label: label.userAsserted(), confidence: 0.5 })
      const note = await me.note(`a note under ${claimConfidenceFloor}`)
      await me.belief(`so it is under ${claimConfidenceFloor}`, { derivedFrom: [note.ref] })
    }
    const lines: string[] = []
    for await (const each of stack.exportBundle()) lines.push(each)
    const bundle = await readBundle(lines, { hasher: nodeHasher, stackId: null })
    const words = new Set<string>()
    for (const bytes of bundle.entries) {
      const entry = readEntry(bytes)
      if (entry.op !== 'memory.saved' || entry.decision.facts.depth === undefined) continue
      const told = await replayed(bundle, entry)
      expect(told?.decision, `entry ${entry.seq}`).toEqual(entry.decision)
      expect([told?.tier, told?.parents, told?.policy]).toEqual([
        entry.tier,
        entry.parents,
        entry.policy,
      ])
      words.add(String(entry.decision.disposition))
    }
    // The same words of the same people are judged otherwise under the second policy.
    expect(words).toContain('PendingLowConfidence')
    expect(words).toContain('Contested')
  },
)

type Bundle = Awaited<ReturnType<typeof readBundle>>

/** The gate's entry for the draft that an entry sealed, asked again on what stood before it. */
async function replayed(bundle: Bundle, entry: Entry): Promise<Entry | undefined> {
  const { unit } = entry
  const before = { ...bundle, entries: bundle.entries.slice(0, unit) }
  const rows = rowsOf(before, sha256)
  const reading = { stackId: bundle.stackId, store: readerOf(rows) }
  const past = await walkLedger(reading, unit - 1, sha256)
  const held = new MemoryStore()
  const { last, stack, tree, memories, policies } = past
  Object.assign(held.rows(bundle.stackId), {
    memories,
    policies,
    stack,
    entries: [...rows.entries],
    tip: {
      head: { seq: unit - 1, hash: last?.hash, rev: 1 },
      time: last?.entry.time ?? null,
      tree,
    },
  })
  const arrived = arrivedFrom(bundle, entry)
  const candidate = stamp(arrived, { sha256, tombstoneKey: () => null })
  const proposals = [{ type: 'write', candidates: [candidate] } as const]
  const needs = needsOf(proposals, { tombstones: false, sessions: false })
  const context = await held.gather(bundle.stackId, needs)
  const genesisPolicy = defaultPolicy(sha256)
  const { batch } = decideGroup(
    proposals,
    { needs, context },
    {
      stackId: bundle.stackId,
      sha256,
      genesisPolicy, // today's, which is not asked: the ledger says what was in force
      genesisPolicyHash: contentHash(sha256, genesisPolicy),
      enforcement: { wanted: stack.enforcing, seen: stack.enforcing },
      replica: stack.replica,
      hasOracle: false,
    },
  )
  return batch?.entries.find((each) => each.entry.ref === entry.ref)?.entry
}

function sealedAt({ sealed }: Bundle, seq: number) {
  const row = sealed.find((each) => each.seq === seq)
  if (!row) throw new Error('what was admitted sealed something')
  return JSON.parse(decoder.decode(row.bytes)) as { body: object; provenance: Provenance }
}

/** The draft as far as its decision went by it: words, papers, captures, and the door. */
function arrivedFrom(bundle: Bundle, entry: Entry): Arrived {
  const { body, provenance: of } = sealedAt(bundle, entry.seq)
  const { kind, id } = splitRef(entry.ref ?? ('' as never)) // a birth has a ref
  const captures = bundle.entries.slice(entry.unit, entry.seq).map((bytes) => {
    const made = readEntry(bytes)
    const captured = splitRef(made.ref ?? ('' as never)) // the same
    const { body: words, provenance } = sealedAt(bundle, made.seq)
    return { ...captured, body: words, derivedFrom: provenance.derivedFrom }
  }) as unknown as Draft['captures'] // captures are of the kinds that are captured
  const draft: Draft = {
    kind,
    id,
    body,
    origin: of,
    confidence: of.confidence,
    derivedFrom: of.derivedFrom,
    sourceEpisodes: of.sourceEpisodes,
    quote: null,
    captures,
    supplied: { contentHash: null, policyHash: null, trustTier: null, timestamp: null },
    revises: null,
    consequence: null,
    caller: {
      door: entry.door ?? 'lib',
      operation: 'replay',
      person: labelName(of.label) === 'UserAsserted',
      grant: null,
      session: of.session,
      turn: of.turn,
    },
  }
  return { draft, arrival: { time: entry.time, bytes: new Uint8Array(32) } }
}
