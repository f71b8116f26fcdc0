import type { DescentOf } from './distrust.ts'
import type { SealedRow, StoredEntry } from './entry.ts'
import type { ErasedRows } from './erasure.ts'
import { assert } from './errors.ts'
import type { Hash, Ref } from './ids.ts'
import type { TextRow } from './kinds/content.ts'
import type { Policy } from './policy.ts'
import type { ActorKey, Burst, MemoryState, StackState, Tally, Tombstone } from './state.ts'
import type { Instant } from './time.ts'

/** Position of a stack. `rev` rises on every commit, even without a new entry. */
export interface Head {
  readonly seq: number
  readonly hash: Hash
  readonly rev: number
}

/** The right edge of the Merkle tree over all entries: enough to append and to compute the root. */
export interface TreeEdge {
  readonly size: number
  readonly hashes: readonly Hash[]
}

export interface Tip {
  readonly head: Head
  readonly time: Instant | null
  readonly tree: TreeEdge
}

export interface BurstKey {
  readonly actor: string
  readonly identity: Hash
}

/** Does any of `from` descend from `to`? */
export interface Reach {
  readonly from: readonly Ref[]
  readonly to: Ref
}

/** Query for a timeline: the claims that may oppose a claim, and the cardinality. */
export interface LineNeed {
  readonly line: Hash
  /** Excludes claims that ended by this moment; null excludes none. */
  readonly from: Instant | null
  /** A claim that speaks anew; the cardinality must be known without this claim. */
  readonly except: Ref | null
}

/** Data the gate needs before deciding a group of proposals. */
export interface Needs {
  readonly refs: readonly Ref[]
  /** Requests memories of equal content; of claims, only claims on the requested timelines. */
  readonly identities: readonly Hash[]
  readonly lines: readonly LineNeed[]
  readonly actors: readonly string[]
  readonly bursts: readonly BurstKey[]
  readonly tombstones: readonly Hash[]
  readonly reaches: readonly Reach[]
  /** Requests direct children, up to `cascadeFlagsMax` and a further child. */
  readonly children: readonly Ref[]
  readonly ancestors: readonly Ref[]
  /** Targets of distrust, trust or erasure, with descendants and the descendants' sources. */
  readonly doubted: readonly DescentOf[]
  /** Memories whose sealed content is needed too. */
  readonly words: readonly Ref[]
  /** Requests tallies whose window may have ended by this moment. */
  readonly until: Instant
}

/** The answer to `Needs`, read at a single point of the stack's history. */
export interface Context {
  readonly tip: Tip
  readonly stack: StackState
  readonly policy: Policy | null
  /**
   * Every requested memory that exists; every memory of a requested origin, with all descendants
   * and their sources; every memory of a requested identity; every memory of a tally whose window
   * has ended; requested children and ancestors; the last assessment of each requested actor. Of a
   * timeline: the first claim, and the first first-hand claim, to state the cardinality; unless the
   * first-hand claim states a set, also every claim not yet replaced or over.
   */
  readonly memories: readonly MemoryState[]
  /** Sealed content of the current revision of each memory in `Needs.words`. */
  readonly words: readonly SealedRow[]
  readonly actorKeys: readonly ActorKey[]
  /**
   * Tallies of the loaded memories, except memories loaded only for a timeline; tallies of
   * requested actors; every open tally begun before `until`. Extra tallies change nothing.
   */
  readonly tallies: readonly Tally[]
  readonly bursts: readonly Burst[]
  readonly tombstones: readonly Tombstone[]
  /** Answers to `Needs.reaches`, in order. */
  readonly reached: readonly boolean[]
}

/** Changes of a commit, applied all or none. Rows replace earlier rows with an equal key. */
export interface Batch {
  readonly entries: readonly StoredEntry[]
  readonly sealed: readonly SealedRow[]
  readonly memories: readonly MemoryState[]
  /** Search rows of memories with new words. */
  readonly texts: readonly TextRow[]
  readonly actorKeys: readonly ActorKey[]
  readonly tallies: readonly Tally[]
  readonly bursts: readonly Burst[]
  /** New counters; an existing counter stays as stored. */
  readonly begunBursts?: readonly Burst[]
  readonly tombstones: readonly Tombstone[]
  /** Data destroyed by the commit; few commits destroy anything. */
  readonly erased?: ErasedRows
  readonly tip: Tip
  readonly stack: StackState
}

export const isSameHead = (a: Head, b: Head): boolean =>
  a.seq === b.seq && a.hash === b.hash && a.rev === b.rev

/** Every store checks this before a write: the batch continues from the stack's head. */
export function assertContinues(batch: Batch, expected: Head): void {
  let { seq, hash } = expected
  for (const { entry, hash: own } of batch.entries) {
    assert(entry.seq === seq + 1, 'ledger is dense')
    assert(entry.prevHash === hash, 'entry names its predecessor')
    seq = entry.seq
    hash = own
  }
  const { head, tree } = batch.tip
  assert(head.seq === seq && head.hash === hash, 'the new head is the last entry')
  assert(head.rev === expected.rev + 1, 'every commit raises rev by one')
  assert(tree.size === seq + 1, 'the tree has one leaf for every entry')
}
