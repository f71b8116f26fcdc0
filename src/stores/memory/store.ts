import type { Entry } from '../../domain/entry.ts'
import { type ErasedRows, isSaidBy } from '../../domain/erasure.ts'
import { assert, MunimentError } from '../../domain/errors.ts'
import type { Hash, StackId } from '../../domain/ids.ts'
import type { TextRow } from '../../domain/kinds/content.ts'
import type { Policy } from '../../domain/policy.ts'
import type { MemoryState } from '../../domain/state.ts'
import {
  assertContinues,
  type Batch,
  type Context,
  type Head,
  isSameHead,
  type Needs,
} from '../../domain/waist.ts'
import type { VectorBatch } from '../../ports/models.ts'
import type {
  Answer,
  CommitResult,
  Derived,
  HeldStore,
  Reader,
  ReadQuery,
  Store,
} from '../../ports/store.ts'
import { gatherFrom } from './gather.ts'
import { readFrom } from './read.ts'
import { burstKeyOf, copyOf, dropVector, emptyRows, putVectors, type Rows } from './rows.ts'

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
function commitTo(rows: Rows, batch: Batch, expected: Head): CommitResult {
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
function replaceDerived(rows: Rows, derived: Derived, expected: Head): CommitResult {
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

/** The reference store: every other store must agree byte for byte. */
export class MemoryStore implements Store {
  readonly #stacks = new Map<StackId, Rows>()
  readonly #locks = new Map<StackId, Promise<unknown>>()
  #isClosed = false

  async gather(stack: StackId, needs: Needs): Promise<Context> {
    return gatherFrom(this.rows(stack), needs)
  }

  async commit(stack: StackId, batch: Batch, expected: Head): Promise<CommitResult> {
    await this.#locks.get(stack)
    return commitTo(this.rows(stack), batch, expected)
  }

  async read<Q extends ReadQuery>(stack: StackId, query: Q): Promise<Answer<Q>> {
    return readFrom(this.rows(stack), query) as Answer<Q> // the query says which
  }

  async exclusively<T>(stack: StackId, work: (held: HeldStore) => Promise<T>): Promise<T> {
    const before = this.#locks.get(stack) ?? Promise.resolve()
    const mine = before.then(() => this.#transact(stack, work))
    const settled = mine.catch(() => undefined)
    this.#locks.set(stack, settled)
    try {
      return await mine
    } finally {
      if (this.#locks.get(stack) === settled) this.#locks.delete(stack)
    }
  }

  /** Work that throws leaves nothing behind, even after its commit. */
  async #transact<T>(stack: StackId, work: (held: HeldStore) => Promise<T>): Promise<T> {
    const before = copyOf(this.rows(stack))
    try {
      return await work(this.#unlocked(stack))
    } catch (cause) {
      this.#stacks.set(stack, before)
      throw cause
    }
  }

  /** A store for the holder of the lock; its commits do not wait for the lock again. */
  #unlocked(stack: StackId): HeldStore {
    let commits = 0
    return {
      gather: (id, needs) => this.gather(id, needs),
      read: (id, query) => this.read(id, query),
      commit: async (id, batch, expected) => {
        assert(id === stack, 'the lock holds for one stack')
        commits += 1
        assert(commits === 1, 'one commit at most under the lock')
        return commitTo(this.rows(id), batch, expected)
      },
    }
  }

  async putVectors(stack: StackId, batch: VectorBatch): Promise<boolean> {
    await this.#locks.get(stack)
    return putVectors(this.rows(stack), batch)
  }

  async snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const copy = new MemoryStore()
    for (const [stack, rows] of this.#stacks) copy.#stacks.set(stack, copyOf(rows))
    return work(copy)
  }

  async replaceDerived(stack: StackId, derived: Derived, expected: Head): Promise<CommitResult> {
    await this.#locks.get(stack)
    return replaceDerived(this.rows(stack), derived, expected)
  }

  /** Nothing to scrub: a deleted map entry leaves no bytes behind. */
  async scrub(stack: StackId): Promise<boolean> {
    this.rows(stack).scrubs.clear()
    return true
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }

  /** The rows themselves, for tests that tamper with them. */
  rows(stack: StackId): Rows {
    if (this.#isClosed) throw new MunimentError('store_unavailable', 'The store is closed.')
    let rows = this.#stacks.get(stack)
    if (!rows) {
      rows = emptyRows()
      this.#stacks.set(stack, rows)
    }
    return rows
  }
}
