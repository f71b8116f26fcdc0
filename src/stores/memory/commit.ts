import type { Entry } from '../../domain/entry.ts'
import { type ErasedRows, isSaidBy } from '../../domain/erasure.ts'
import { assert } from '../../domain/errors.ts'
import type { Hash } from '../../domain/ids.ts'
import type { TextRow } from '../../domain/kinds/content.ts'
import type { Policy } from '../../domain/policy.ts'
import type { MemoryState } from '../../domain/state.ts'
import { assertContinues, type Batch, type Head, isSameHead } from '../../domain/waist.ts'
import type { CommitResult, Derived } from '../../ports/store.ts'
import { burstKeyOf, dropVector, type Rows } from './rows.ts'

const decoder = new TextDecoder()

/** Removes all that a batch destroys: content, words, counters, keys and lifted tombstones. */
function eraseFrom(rows: Rows, { memories, actors, lifted }: ErasedRows): void {
  for (const { ref, birth, entry, identities } of memories) {
    for (const { seq, bytes } of rows.entries.slice(0, entry)) {
      const told = JSON.parse(decoder.decode(bytes))
      if (told.ref !== ref || told.commitment === null || rows.erasures.has(seq)) continue
      rows.erasures.set(seq, entry)
      rows.sealed.delete(seq)
    }
    rows.texts.delete(birth)
    dropVector(rows, birth)
    for (const [key, { about }] of rows.tallies) if (about === ref) rows.tallies.delete(key)
    for (const [key, { identity }] of rows.bursts) {
      if (identities.includes(identity)) rows.bursts.delete(key)
    }
    rows.scrubs.add(entry)
  }
  for (const { actor, pseudonym, entry } of actors) {
    for (const { seq, bytes } of rows.entries.slice(0, entry)) {
      const told: Entry = JSON.parse(decoder.decode(bytes))
      if (!isSaidBy(pseudonym, told) || rows.erasures.has(seq)) continue
      rows.erasures.set(seq, entry)
      rows.sealed.delete(seq)
    }
    rows.actorKeys.delete(actor)
    for (const [key, tally] of rows.tallies) {
      if (tally.actor === actor || tellerIn(key) === actor) rows.tallies.delete(key)
    }
    for (const [key, burst] of rows.bursts) if (burst.actor === actor) rows.bursts.delete(key)
    rows.scrubs.add(entry)
  }
  for (const mark of lifted) rows.tombstones.delete(mark)
}

/** The actor who attested is part of the key under which repeats are counted. */
function tellerIn(key: string): unknown {
  const parts: unknown = JSON.parse(key)
  return Array.isArray(parts) && parts[0] === 'attested' ? parts[2] : null
}

/** Checks everything before the first write, because a broken batch must leave nothing behind. */
export function commitTo(rows: Rows, batch: Batch, expected: Head): CommitResult {
  if (!isSameHead(rows.tip.head, expected)) return { committed: false, head: rows.tip.head }
  assertContinues(batch, expected)
  for (const { entry, bytes, hash } of batch.entries) {
    rows.entries.push({ seq: entry.seq, bytes, hash, prevHash: entry.prevHash })
    if (entry.op !== 'policy') continue
    const { facts } = entry.decision
    rows.policies.set(facts.hash as Hash, facts.policy as unknown as Policy) // written by the gate
  }
  for (const row of batch.sealed) rows.sealed.set(row.seq, row)
  for (const memory of batch.memories) putMemory(rows, memory)
  for (const text of batch.texts) putText(rows, text)
  for (const key of batch.actorKeys) rows.actorKeys.set(key.actor, key)
  for (const tally of batch.tallies) rows.tallies.set(tally.key, tally)
  for (const burst of batch.bursts) rows.bursts.set(burstKeyOf(burst), burst)
  for (const burst of batch.begunBursts ?? []) {
    const key = burstKeyOf(burst)
    if (!rows.bursts.has(key)) rows.bursts.set(key, burst)
  }
  for (const row of batch.tombstones) rows.tombstones.set(row.mark, row)
  if (batch.erased) eraseFrom(rows, batch.erased)
  rows.tip = batch.tip
  rows.stack = batch.stack
  return { committed: true }
}

function putMemory(rows: Rows, memory: MemoryState): void {
  // A revision may cite other sources, so links from sources no longer cited are removed.
  for (const parent of rows.memories.get(memory.ref)?.parents ?? []) {
    const others = rows.children.get(parent)?.filter((child) => child !== memory.ref)
    rows.children.set(parent, others ?? [])
  }
  for (const parent of memory.parents) {
    const children = rows.children.get(parent) ?? []
    if (!children.includes(memory.ref)) rows.children.set(parent, [...children, memory.ref])
  }
  rows.memories.set(memory.ref, memory)
}

const putText = (rows: Rows, { seq, terms }: TextRow): void => {
  rows.texts.set(seq, terms === '' ? [] : terms.split(' '))
}

/** Replaces the derived rows with rows folded anew (STORE-REBUILD). */
export function replaceDerived(rows: Rows, derived: Derived, expected: Head): CommitResult {
  if (!isSameHead(rows.tip.head, expected)) return { committed: false, head: rows.tip.head }
  assert(derived.tip.head.rev === expected.rev + 1, 'every commit raises rev by one')
  rows.memories = new Map()
  rows.children = new Map()
  rows.texts = new Map()
  rows.vectors = new Map()
  for (const memory of derived.states) putMemory(rows, memory)
  for (const text of derived.texts) putText(rows, text)
  rows.tip = derived.tip
  rows.stack = derived.stack
  return { committed: true }
}
