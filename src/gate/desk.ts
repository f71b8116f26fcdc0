import { isTier } from '../domain/doors.ts'
import type { SealedRow, StoredEntry } from '../domain/entry.ts'
import { type ErasedRows, isNothing, NOTHING_ERASED } from '../domain/erasure.ts'
import { assert } from '../domain/errors.ts'
import type { Hash, Ref, StackId } from '../domain/ids.ts'
import { searchTerms, type TextRow } from '../domain/kinds/content.ts'
import { LIMITS } from '../domain/limits.ts'
import type { Policy } from '../domain/policy.ts'
import {
  type ActorKey,
  type Burst,
  type MemoryState,
  type StackState,
  speaksForItself,
  type Tally,
  type Tombstone,
} from '../domain/state.ts'
import { type Instant, toMs } from '../domain/time.ts'
import type { Batch, Context, Head, Tip } from '../domain/waist.ts'
import { type EntryPointer, pointerTo } from '../domain/write.ts'
import { foldMemory, foldStack, isLive, type Sealed } from '../fold/fold-memory.ts'
import { foldMerged, type MergedStep } from '../fold/merged-order.ts'
import { commitmentOf, pseudonymOf, storeEntry } from '../ledger/ledger.ts'
import { appendLeaf } from '../ledger/merkle.ts'
import type { Sha256 } from '../ledger/sha256.ts'
import { entryTime, isInTime } from './commands/clock.ts'
import { EMPTY, type Fields, type NewEntry, replicaOf, UNDECIDED } from './new-entry.ts'
import { byBeginning, countRepeat, type Opening, type OpenTally, openTally } from './tally.ts'
import { brought, type Content, type NoteContent, Words } from './words.ts'

/** Settings of a stack, shared by all groups. */
export interface DeskSetting {
  readonly stackId: StackId
  readonly sha256: Sha256
  /** The policy that genesis writes; later the desk reads the policy in force from the ledger. */
  readonly genesisPolicy: Policy
  readonly genesisPolicyHash: Hash
  /** Enforcement of provenance: as this process asked, and as the ledger said at opening. */
  readonly enforcement: { readonly wanted: boolean; readonly seen: boolean }
  /** The replica that writes here; null until genesis draws one. */
  readonly replica: string | null
  /** True where an oracle can answer contests. */
  readonly hasOracle?: boolean
}

const burstKey = (actor: string, identity: Hash): string => `${identity}|${actor}`

/**
 * One group's working copy: the gathered context plus the results of the plans so far. Rules read
 * the desk, plans write the desk, and nothing outside sees the desk before the commit.
 */
export class Desk {
  readonly setting: DeskSetting
  /** The words of memories, as far as the needs of the group named them. */
  words: Words
  readonly #context: Context
  readonly #gathered: ReadonlyMap<Ref, MemoryState>
  #tip: Tip
  #stack: StackState
  #policy: Policy | null
  #entries: StoredEntry[] = []
  #sealed: SealedRow[] = []
  #memories = new Map<Ref, MemoryState>()
  #index = new Map<Hash, Set<Ref>>()
  #assessed = new Map<string, Ref>()
  #texts = new Map<number, TextRow>()
  #actorKeys = new Map<string, string>()
  #freshKeys = new Map<string, ActorKey>()
  readonly #pseudonyms = new Map<string, Hash>()
  #tallies: Map<string, Tally>
  #bursts: Map<string, Burst>
  #begunBursts: readonly Burst[] = []
  #tombstones: Map<Hash, Tombstone>
  #erased: ErasedRows = NOTHING_ERASED
  #reached: ReadonlyMap<Ref, boolean>

  constructor(setting: DeskSetting, context: Context, reached: ReadonlyMap<Ref, boolean>) {
    this.setting = setting
    this.#context = context
    this.words = new Words(context.words)
    this.#gathered = new Map(context.memories.map((memory) => [memory.ref, memory]))
    for (const memory of context.memories) this.#file(memory)
    this.#tip = context.tip
    this.#stack = context.stack
    this.#policy = context.policy
    for (const { actor, key } of context.actorKeys) this.#actorKeys.set(actor, key)
    this.#tallies = new Map(context.tallies.map((tally) => [tally.key, tally]))
    this.#bursts = new Map(context.bursts.map((row) => [burstKey(row.actor, row.identity), row]))
    this.#tombstones = new Map(context.tombstones.map((row) => [row.mark, row]))
    this.#reached = reached
  }

  /** A copy to try an all-or-nothing batch on; the gate keeps the copy whole or drops it whole. */
  fork(): Desk {
    const copy = new Desk(this.setting, this.#context, this.#reached)
    copy.#tip = this.#tip
    copy.#stack = this.#stack
    copy.#policy = this.#policy
    copy.#entries = [...this.#entries]
    copy.#sealed = [...this.#sealed]
    copy.#memories = new Map(this.#memories)
    copy.#index = new Map([...this.#index].map(([key, refs]) => [key, new Set(refs)]))
    copy.#assessed = new Map(this.#assessed)
    copy.#texts = new Map(this.#texts)
    copy.words = this.words.copy()
    copy.#actorKeys = new Map(this.#actorKeys)
    copy.#freshKeys = new Map(this.#freshKeys)
    copy.#tallies = new Map(this.#tallies)
    copy.#bursts = new Map(this.#bursts)
    copy.#begunBursts = this.#begunBursts
    copy.#tombstones = new Map(this.#tombstones)
    copy.#erased = this.#erased
    return copy
  }

  get policy(): Policy {
    return this.#policy ?? this.setting.genesisPolicy
  }

  get policyHash(): Hash {
    return this.#stack.policyHash ?? this.setting.genesisPolicyHash
  }

  get stack(): StackState {
    return this.#stack
  }

  get head(): Head {
    return this.#tip.head
  }

  get nextSeq(): number {
    return this.#tip.head.seq + 1
  }

  get time(): Instant | null {
    return this.#tip.time
  }

  /** Time never falls along the ledger, and follows no implausible clock. */
  timeOf(reading: Instant): Instant {
    return entryTime(reading, this.#tip.time)
  }

  memory(ref: Ref): MemoryState | undefined {
    return this.#memories.get(ref) ?? this.#gathered.get(ref)
  }

  /** Memories of an identity, live memories first, then the oldest. */
  saying(identity: Hash): readonly MemoryState[] {
    const found = this.#under(identity).filter((memory) => memory.identity === identity)
    const rank = (memory: MemoryState) => (isLive(memory, this.policy) ? 0 : 1)
    return found.sort((a, b) => rank(a) - rank(b) || a.seq - b.seq)
  }

  onLine(line: Hash): readonly MemoryState[] {
    return this.#under(line)
      .filter((memory) => memory.line === line)
      .sort((a, b) => a.seq - b.seq)
  }

  #under(key: Hash): MemoryState[] {
    return [...(this.#index.get(key) ?? [])].flatMap((ref) => this.memory(ref) ?? [])
  }

  /** A revision may have moved a memory to other keys, so readers check every memory they find. */
  #file(memory: MemoryState): void {
    for (const key of keysOf(memory)) {
      const refs = this.#index.get(key)
      if (refs) refs.add(memory.ref)
      else this.#index.set(key, new Set([memory.ref]))
    }
    // A distrusted author's assessments do not decide on trust.
    const isHeard = memory.kind === 'assessment' && memory.distrust === null
    if (!isHeard || memory.facets.name === null) return
    const other = this.#assessed.get(memory.facets.name)
    const last = other === undefined ? undefined : this.memory(other)
    if (!last || last.seq <= memory.seq) this.#assessed.set(memory.facets.name, memory.ref)
  }

  /** The latest assessment of an actor, if there is one. */
  assessmentOf(actor: string): MemoryState | undefined {
    const ref = this.#assessed.get(actor)
    return ref === undefined ? undefined : this.memory(ref)
  }

  /** The direct children of a memory; the gathered context holds them. */
  childrenOf(ref: Ref): readonly MemoryState[] {
    const known = new Map([...this.#gathered, ...this.#memories])
    return [...known.values()]
      .filter(({ parents }) => parents.includes(ref))
      .sort((a, b) => a.seq - b.seq)
      .slice(0, LIMITS.cascadeFlagsMax + 1)
  }

  /** True where a parent of `to` descends from `to`; undefined where the store was not asked. */
  reached(to: Ref): boolean | undefined {
    return this.#reached.get(to)
  }

  actorKey(actor: string): string | undefined {
    return this.#actorKeys.get(actor)
  }

  /** An actor's name in entries; the actor has a key by then. Computed once for a group. */
  pseudonym(actor: string): Hash {
    let name = this.#pseudonyms.get(actor)
    if (name === undefined) {
      const key = this.#actorKeys.get(actor)
      assert(key !== undefined, 'an actor has a key before it is named')
      name = pseudonymOf(this.setting.sha256, key, actor)
      this.#pseudonyms.set(actor, name)
    }
    return name
  }

  get gathered(): readonly MemoryState[] {
    return this.#context.memories
  }

  tally(key: string): Tally | undefined {
    return this.#tallies.get(key)
  }

  get tallies(): readonly Tally[] {
    return [...this.#tallies.values()]
  }

  burst(actor: string, identity: Hash): Burst | undefined {
    return this.#bursts.get(burstKey(actor, identity))
  }

  isTombstoned(mark: Hash): boolean {
    return this.#tombstones.has(mark)
  }

  /** Open tallies whose window has ended by `time`, in the order in which they began. */
  endedTallies(time: Instant): readonly Tally[] {
    const { tallyWindowMs } = this.policy.numbers
    return this.openTallies().filter(({ firstAt }) => toMs(time) - toMs(firstAt) > tallyWindowMs)
  }

  /** Tallies that have counted repeats since their last entry, in the order in which they began. */
  openTallies(): readonly OpenTally[] {
    return byBeginning(this.tallies)
  }

  /** Counts a repeat, and points at the entry of the first occurrence. */
  countRepeat(tally: Tally, time: Instant): EntryPointer {
    this.putTally(countRepeat(tally, time))
    return { seq: tally.entrySeq, hash: tally.entryHash }
  }

  openTally(stored: StoredEntry, opening: Omit<Opening, 'stored'>): EntryPointer {
    this.putTally(openTally({ ...opening, stored }))
    return pointerTo(stored)
  }

  /** Appends an entry with its content, and folds both into the memory. */
  append(given: NewEntry, content: Content | NoteContent | null = null): StoredEntry {
    const decision = { ...UNDECIDED, ...given.decision }
    const { sha256 } = this.setting
    const commitment = content && commitmentOf(sha256, content.salt, content.bytes)
    const fields: Fields = { ...EMPTY, unit: this.nextSeq, ...given, commitment, decision }
    const { head, tree } = this.#tip
    assert(isInTime(fields, this.#tip.time), 'ledger time never falls uncorrected')
    assert(fields.tier === null || isTier(fields.tier), 'a tier is 0, 1, 2 or 3')
    const replica = replicaOf(fields, this.#stack)
    const stored = storeEntry(sha256, {
      ...fields,
      v: 1,
      stack: this.setting.stackId,
      replica,
      seq: head.seq + 1,
      policy: this.#stack.policyHash,
      prevHash: head.hash,
    })
    this.#entries.push(stored)
    this.#stack = foldStack(this.#stack, stored.entry)
    if (fields.ref !== null) this.#fold(fields.ref, stored, content)
    this.#tip = {
      head: { seq: stored.entry.seq, hash: stored.hash, rev: head.rev },
      time: fields.time,
      tree: appendLeaf(sha256, tree, stored.hash),
    }
    return stored
  }

  /** Appends an entry of another replica, and folds its memory anew in the order of origin. */
  receive(
    given: NewEntry & { readonly ref: Ref },
    content: Content | NoteContent | null,
    steps: readonly MergedStep[],
  ): MergedStep {
    const stored = this.append(given, content)
    const step = { stored, ...brought(content) }
    const after = foldMerged([...steps, step], this.policy)
    assert(after !== undefined, 'an entry is received after the birth of its memory')
    this.#put(after, after.revisionSeq === stored.entry.seq ? step.sealed : null)
    return step
  }

  putPolicy(policy: Policy): void {
    this.#policy = policy
  }

  #fold(ref: Ref, stored: StoredEntry, content: Content | NoteContent | null): void {
    if (content) {
      const { salt, bytes } = content
      this.#sealed.push({ seq: stored.entry.seq, ref, salt, bytes })
    }
    const before = this.memory(ref)
    const after = foldMemory(before, stored, { ...brought(content), policy: this.policy })
    if (after === undefined || after === before) return
    this.#put(after, content && 'sealed' in content ? content.sealed : null)
  }

  #put(memory: MemoryState, sealed: Sealed | null): void {
    this.#memories.set(memory.ref, memory)
    this.#file(memory)
    if (sealed === null) return
    const { seq, kind, captured } = memory
    this.words.put(memory.ref, sealed.body)
    const terms = searchTerms(kind, sealed.body, captured)
    if (terms !== null) this.#texts.set(seq, { seq, terms })
  }

  putActorKey(actor: string, key: string): void {
    this.#actorKeys.set(actor, key)
    this.#freshKeys.set(actor, { actor, key, since: this.nextSeq })
  }

  putTally(tally: Tally): void {
    this.#tallies.set(tally.key, tally)
  }

  putBurst(burst: Burst): void {
    this.#bursts.set(burstKey(burst.actor, burst.identity), burst)
  }

  /** Adds a counter only where the store has none: an existing counter counts this birth. */
  beginBurst(burst: Burst): void {
    this.#begunBursts = [...this.#begunBursts, burst]
  }

  putTombstone(tombstone: Tombstone): void {
    this.#tombstones.set(tombstone.mark, tombstone)
  }

  /** Removes a memory's words, from the index and every counter too. */
  eraseMemory(memory: ErasedRows['memories'][number]): void {
    this.#erased = { ...this.#erased, memories: [...this.#erased.memories, memory] }
  }

  /** Without the key, nobody can link entries to the actor. */
  shredActor(actor: string, entry: number): void {
    const gone = { actor, pseudonym: this.pseudonym(actor), entry }
    this.#erased = { ...this.#erased, actors: [...this.#erased.actors, gone] }
    this.#actorKeys.delete(actor)
    this.#freshKeys.delete(actor)
    this.#pseudonyms.delete(actor)
  }

  liftTombstone(mark: Hash): void {
    this.#erased = { ...this.#erased, lifted: [...this.#erased.lifted, mark] }
    this.#tombstones.delete(mark)
  }

  /** Everything to commit, or null when no plan changed anything. */
  batch(): Batch | null {
    const { tallies, bursts, tombstones } = this.#context
    const batch = {
      entries: this.#entries,
      sealed: this.#sealed,
      memories: [...this.#memories.values()],
      texts: [...this.#texts.values()],
      actorKeys: [...this.#freshKeys.values()],
      tallies: newAmong(this.#tallies, tallies),
      bursts: newAmong(this.#bursts, bursts),
      begunBursts: this.#begunBursts,
      tombstones: newAmong(this.#tombstones, tombstones),
    }
    const erased = isNothing(this.#erased) ? {} : { erased: this.#erased }
    if (Object.values(batch).every((rows) => rows.length === 0)) return null
    const { head } = this.#tip
    const tip = { ...this.#tip, head: { ...head, rev: this.#context.tip.head.rev + 1 } }
    return { ...batch, ...erased, tip, stack: this.#stack }
  }
}

/** Rows that the plans put in place of the gathered rows, or beside them. */
function newAmong<Row>(rows: ReadonlyMap<string, Row>, gathered: readonly Row[]): readonly Row[] {
  const known = new Set(gathered)
  return [...rows.values()].filter((row) => !known.has(row))
}

const keysOf = (memory: MemoryState): readonly Hash[] =>
  speaksForItself(memory) ? [memory.identity, ...(memory.line ? [memory.line] : [])] : []
