import type { DescentOf } from './distrust.ts'
import type { SealedRow, StoredEntry } from './entry.ts'
import type { ErasedRows } from './erasure.ts'
import type { Hash, Ref } from './ids.ts'
import type { Policy } from './policy.ts'
import type { TextRow } from './search-text.ts'
import type { ActorKey, Burst, MemoryState, StackState, Tally, Tombstone } from './state.ts'
import type { Instant } from './time.ts'

/** Where a stack stands. `rev` rises on every commit, also on one that adds no entry. */
export interface Head {
  readonly seq: number
  readonly hash: Hash
  readonly rev: number
}

/** The right edge of the Merkle tree over all entries: enough to append and to give the root. */
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

/** What is asked of a line: all that may stand against a claim, and what kind of line it is. */
export interface LineNeed {
  readonly line: Hash
  /** Claims that are over by then are not wanted; null wants them all. */
  readonly from: Instant | null
  /** A claim that speaks anew, so that what kind of line it is must be known without it. */
  readonly except: Ref | null
}

/** What a group of proposals must know before it can be decided. */
export interface Needs {
  readonly refs: readonly Ref[]
  /** What says the same is wanted; of claims on the lines that are asked for. */
  readonly identities: readonly Hash[]
  readonly lines: readonly LineNeed[]
  readonly actors: readonly string[]
  readonly bursts: readonly BurstKey[]
  readonly tombstones: readonly Hash[]
  readonly reaches: readonly Reach[]
  /** Their direct children are wanted, up to `cascadeFlagsMax` and one more. */
  readonly children: readonly Ref[]
  /** Everything that they descend from is wanted. */
  readonly ancestors: readonly Ref[]
  /** What is believed no longer or again, or erased: with its descendants, and their sources. */
  readonly doubted: readonly DescentOf[]
  /** Memories whose words are wanted too. */
  readonly words: readonly Ref[]
  /** Tallies whose window may have ended by then are wanted. */
  readonly until: Instant
}

/** The answer to Needs, all of it from one point of the stack's history. */
export interface Context {
  readonly tip: Tip
  readonly stack: StackState
  readonly policy: Policy | null
  /**
   * Every asked ref that exists, every asked origin's memories with all that descends from them and
   * what those were made from, every memory of an asked identity, every memory that a tally is
   * about whose window has ended, the asked children and ancestors, and the last assessment of each
   * asked actor. Of a line: the first claim, and the first first-hand one, that says what kind of
   * line it is; and unless the latter says a set, every claim that has not given way and is not over.
   */
  readonly memories: readonly MemoryState[]
  /** What the current revision of each memory sealed whose words were asked for. */
  readonly words: readonly SealedRow[]
  readonly actorKeys: readonly ActorKey[]
  /**
   * Tallies about those memories, save what only a line brought in, or of those actors, and every open
   * one that began before `until`; more of them change nothing.
   */
  readonly tallies: readonly Tally[]
  readonly bursts: readonly Burst[]
  readonly tombstones: readonly Tombstone[]
  /** For each asked reach, in order: yes or no. */
  readonly reached: readonly boolean[]
}

/** What one commit makes true, all of it or none. Rows replace earlier rows of the same key. */
export interface Batch {
  readonly entries: readonly StoredEntry[]
  readonly sealed: readonly SealedRow[]
  readonly memories: readonly MemoryState[]
  /** What search shall know the memories by whose words are new. */
  readonly texts: readonly TextRow[]
  readonly actorKeys: readonly ActorKey[]
  readonly tallies: readonly Tally[]
  readonly bursts: readonly Burst[]
  /** Counters that begin only where there is none. */
  readonly begunBursts?: readonly Burst[]
  readonly tombstones: readonly Tombstone[]
  /** What is destroyed with it; few commits destroy anything. */
  readonly erased?: ErasedRows
  readonly tip: Tip
  readonly stack: StackState
}
