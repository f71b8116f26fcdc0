import { strictEqual } from 'node:assert/strict'
import { nodeSha256 } from '../../compose/node-world.ts'
import { defaultPolicy } from '../../compose/open-stack.ts'
import type { Entry, EntryOp, Facts, SealedRow, StoredEntry } from '../../domain/entry.ts'
import type { ErasedRows } from '../../domain/erasure.ts'
import { assert } from '../../domain/errors.ts'
import {
  type Hash,
  type RecordKind,
  type Ref,
  type StackId,
  toRef,
  ZERO_HASH,
} from '../../domain/ids.ts'
import type { TextRow } from '../../domain/kinds/content.ts'
import { type MemoryState, type StackState, UNBORN } from '../../domain/state.ts'
import { type Instant, toInstant } from '../../domain/time.ts'
import type { Batch, Head, Tip } from '../../domain/waist.ts'
import { termsOf } from '../../domain/words/terms.ts'
import { foldMemory, foldStack } from '../../fold/fold-memory.ts'
import { canonicalBytes } from '../../ledger/canonical.ts'
import { commitmentOf, contentHash, storeEntry } from '../../ledger/ledger.ts'
import { appendLeaf } from '../../ledger/merkle.ts'
import type { Store } from '../../ports/store.ts'
import { countingIds, seededRandom } from '../world.ts'
import { certificateFor } from './certificate.ts'

/** A memory as a test describes it; the scribe fills in the rest. */
export interface MemorySpec {
  readonly kind?: RecordKind
  readonly parents?: readonly Ref[]
  readonly content?: string
  /** Further body members, for kinds whose fold reads them. */
  readonly fields?: object
  /** Any words: memories with the same ones share an identity, or a line. */
  readonly identity?: string
  readonly line?: string
  readonly actor?: string
  readonly session?: string
  /** Sealed bytes as they are, for stores to keep byte for byte. */
  readonly bytes?: Uint8Array
}

type Rows = Pick<Batch, 'tallies' | 'bursts' | 'begunBursts' | 'tombstones' | 'actorKeys'>

export const POLICY = defaultPolicy()
export const POLICY_HASH = contentHash(nodeSha256, POLICY)
export const EMPTY_TIP: Tip = {
  head: { seq: -1, hash: ZERO_HASH, rev: 0 },
  time: null,
  tree: { size: 0, hashes: [] },
}
const START_MS = Date.parse('2026-01-01T00:00:00.000Z')

export const digest = (value: unknown): Hash => contentHash(nodeSha256, value)

/** Writes batches like the gate but decides nothing: a store accepts any valid batch. */
export class Scribe {
  readonly stackId: StackId
  readonly #ids = countingIds(7)
  readonly #random = seededRandom(7)
  #tip: Tip = EMPTY_TIP
  #base: Head = EMPTY_TIP.head
  #stack: StackState = UNBORN
  #entries: StoredEntry[] = []
  #sealed: SealedRow[] = []
  #texts = new Map<number, TextRow>()
  readonly #memories = new Map<Ref, MemoryState>()
  #touched = new Set<Ref>()
  #erased: ErasedRows['memories'][number][] = []
  #rows: Rows = { tallies: [], bursts: [], tombstones: [], actorKeys: [] }

  constructor(stackId: StackId) {
    this.stackId = stackId
  }

  get tip(): Tip {
    return this.#tip
  }

  get stack(): StackState {
    return this.#stack
  }

  /** The time of the next entry, a second after the last. */
  get time(): Instant {
    return toInstant(START_MS + (this.#tip.head.seq + 1) * 1_000)
  }

  #append(fields: Partial<Entry> & { readonly op: EntryOp }): StoredEntry {
    const seq = this.#tip.head.seq + 1
    const stored = storeEntry(nodeSha256, {
      v: 1,
      stack: this.stackId,
      replica: 'a'.repeat(32),
      seq,
      unit: seq,
      time: this.time,
      ref: null,
      revision: null,
      actor: null,
      door: null,
      label: null,
      tier: null,
      parents: [],
      commitment: null,
      policy: this.#stack.policyHash,
      decision: { rule: null, disposition: null, reasons: [], facts: {} },
      prevHash: this.#tip.head.hash,
      ...fields,
    })
    const { tree, head } = this.#tip
    this.#entries.push(stored)
    this.#stack = foldStack(this.#stack, stored.entry)
    this.#tip = {
      head: { seq, hash: stored.hash, rev: head.rev },
      time: stored.entry.time,
      tree: appendLeaf(nodeSha256, tree, stored.hash),
    }
    return stored
  }

  #own(op: EntryOp, facts: Facts): void {
    this.#append({ op, decision: { rule: null, disposition: null, reasons: [], facts } })
  }

  /** Genesis and policy, as every ledger begins. */
  birth(): this {
    this.#own('genesis', {
      format: 'muniment/ledger/1',
      replica: 'a'.repeat(32),
      uid: 'b'.repeat(32),
    })
    const policy = JSON.parse(JSON.stringify(POLICY)) as Facts // a policy is plain JSON
    this.#own('policy', { hash: POLICY_HASH, policy })
    return this
  }

  save(spec: MemorySpec = {}): MemoryState {
    const kind = spec.kind ?? 'raw'
    return this.#certify(toRef(kind, this.#ids.next(0)), spec)
  }

  /** Other words, perhaps from other sources, under the same ref. */
  revise(ref: Ref, spec: Omit<MemorySpec, 'kind'> = {}): MemoryState {
    assert(this.#memories.has(ref), 'what is revised is there')
    return this.#certify(ref, spec)
  }

  #certify(ref: Ref, spec: MemorySpec): MemoryState {
    const before = this.#memories.get(ref)
    const parents = spec.parents ?? []
    const body = { ...spec.fields, content: spec.content ?? `words of ${ref}` }
    const certificate = certificateFor({
      sourceId: spec.actor ?? 'someone',
      time: this.time,
      contentHash: contentHash(nodeSha256, body),
      policyHash: POLICY_HASH,
      parents,
    })
    const provenance = { ...certificate, session: spec.session ?? null }
    const bytes = spec.bytes ?? canonicalBytes({ body, provenance })
    const stored = this.#seal(ref, bytes, {
      op: before ? 'memory.revised' : 'memory.saved',
      revision: (before?.revision ?? 0) + 1,
      actor: digest(spec.actor ?? 'someone'),
      label: provenance.label,
      tier: provenance.trustTier,
      parents: parents.map((parent) => ({
        ref: parent,
        seq: this.#memories.get(parent)?.seq ?? 0,
      })),
      decision: { rule: 'admit', disposition: 'CommittedCheap', reasons: [], facts: {} },
    })
    const keys = {
      identity: digest(spec.identity ?? ref),
      line: spec.line === undefined ? null : digest(spec.line),
    }
    const sealed = { body, provenance, keys }
    const state = foldMemory(before, stored, { sealed, policy: POLICY })
    assert(state !== undefined, 'a birth gives a memory')
    const { seq } = state
    this.#texts.set(seq, { seq, terms: termsOf(body.content).join(' ') })
    this.replace(state)
    return state
  }

  #seal(ref: Ref, bytes: Uint8Array, fields: Partial<Entry> & { readonly op: EntryOp }) {
    const salt = this.#random(32)
    const commitment = commitmentOf(nodeSha256, salt, bytes)
    const stored = this.#append({ ref, door: 'lib', commitment, ...fields })
    this.#sealed.push({ seq: stored.entry.seq, ref, salt, bytes })
    return stored
  }

  /** Adds a component's annotation: a sealed row named in the row of the memory. */
  note(ref: Ref, name: string): MemoryState {
    const bytes = canonicalBytes({ fields: { name }, tags: null, text: null })
    const { seq } = this.#seal(ref, bytes, { op: 'memory.annotated' }).entry
    const before = this.#memories.get(ref)
    assert(before !== undefined, 'what is noted of is there')
    const after = { ...before, notes: { ...before.notes, [name]: seq } }
    this.replace(after)
    return after
  }

  /** Erases the content of a memory with this batch. */
  erase(ref: Ref): MemoryState {
    const before = this.#memories.get(ref)
    assert(before !== undefined, 'what is erased is there')
    const facts = { basis: 'requested', tombstones: [] }
    const decision = { rule: null, disposition: null, reasons: [], facts }
    const stored = this.#append({ op: 'memory.erased', ref, door: 'lib', decision })
    const after = foldMemory(before, stored, { sealed: null, policy: POLICY })
    assert(after !== undefined, 'what is erased leaves a row')
    this.replace(after)
    const { seq: birth, identity } = before
    const { seq: entry } = stored.entry
    this.#erased.push({ ref, birth, entry, identities: [identity] })
    return after
  }

  /** An entry about a memory without any change. */
  mention(ref: Ref): void {
    const decision = { rule: 'echo', disposition: 'Corroborated', reasons: [], facts: {} } as const
    this.#append({ op: 'memory.collapsed', ref, door: 'lib', decision })
  }

  /** Sets a row for this batch, whatever its entries say. */
  replace(state: MemoryState): void {
    this.#memories.set(state.ref, state)
    this.#touched.add(state.ref)
  }

  put(rows: Partial<Rows>): this {
    this.#rows = { ...this.#rows, ...rows }
    return this
  }

  /** Everything written since the last batch; the scribe goes on from there. */
  batch(): { readonly batch: Batch; readonly expected: Head } {
    const expected = this.#base
    const head = { ...this.#tip.head, rev: expected.rev + 1 }
    this.#tip = { ...this.#tip, head }
    this.#base = head
    const memories = [...this.#touched].flatMap((ref) => this.#memories.get(ref) ?? [])
    const batch: Batch = {
      entries: this.#entries,
      sealed: this.#sealed,
      memories,
      texts: [...this.#texts.values()],
      ...this.#rows,
      ...(this.#erased.length === 0
        ? {}
        : { erased: { memories: this.#erased, actors: [], lifted: [] } }),
      tip: this.#tip,
      stack: this.#stack,
    }
    this.#entries = []
    this.#sealed = []
    this.#texts = new Map()
    this.#touched = new Set()
    this.#erased = []
    this.#rows = { tallies: [], bursts: [], tombstones: [], actorKeys: [] }
    return { batch, expected }
  }

  async commit(store: Store): Promise<Batch> {
    const { batch, expected } = this.batch()
    const { committed } = await store.commit(this.stackId, batch, expected)
    strictEqual(committed, true, 'a batch on the current head is committed')
    return batch
  }
}
