import type { RuleName } from '../../domain/dispositions.ts'
import type { Entry, StoredEntry } from '../../domain/entry.ts'
import type { Hash, Ref } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { TextRow } from '../../domain/search-text.ts'
import type { ActorKey, MemoryState, StackState } from '../../domain/state.ts'
import type { TreeEdge } from '../../domain/waist.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { AuditCode, AuditNote, AuditProblem } from './codes.ts'
import type { OpenTurning } from './distrust.ts'
import type { Due } from './due.ts'
import type { ToRead } from './quotes.ts'

/** What the audit knows after the entries so far. */
export interface Progress {
  readonly sha256: Sha256
  readonly keys: ReadonlyMap<string, ActorKey>
  readonly pseudonyms: Map<string, Hash>
  readonly problems: AuditProblem[]
  readonly memories: Map<Ref, MemoryState>
  /** What search shall know memories by; null where nobody asked for it. */
  readonly texts: Map<number, TextRow> | null
  /** Entries whose repeats may be tallied: by which rule, about what. */
  readonly counted: Map<number, { readonly rule: RuleName | null; readonly ref: Ref | null }>
  /** What is kept out, and the entries that said so. */
  readonly tombstones: Map<string, readonly number[]>
  /** Content that is gone, and the entries that are said to have erased it. */
  readonly erasures: ReadonlyMap<number, number>
  /** Of content that is gone, the entries that sealed words of an actor, … */
  readonly said: Map<number, Entry>
  /** … and the actors that were erased, by the entry that says so. */
  readonly shredded: Map<number, Hash>
  /** Memories of which more than the birth is sealed and there: it must be gone when they are. */
  readonly kept: Set<Ref>
  /** Memories whose content was erased at some time: what depended on it cannot be worked out. */
  readonly hollow: Set<Ref>
  readonly notes: AuditNote[]
  readonly policies: Map<Hash, Policy>
  /** Who was made from whom; null until somebody asks. */
  children: Map<Ref, Set<Ref>> | null
  /** Claims by their line. */
  readonly lines: Map<Hash, Set<Ref>>
  /** What must be told next, because of what was told. */
  due: readonly Due[]
  /** A word on what is believed, while what follows from it is told. */
  turning: OpenTurning | null
  /** Words that are said to be quoted, to be read once everything else was. */
  readonly quotes: ToRead[]
  /** Who made each proposal, by its entry. */
  readonly proposers: Map<number, Hash>
  stack: StackState
  tree: TreeEdge
  last: StoredEntry | null
  /** The last entry that was told for its own sake, not because of the one before it. */
  told: StoredEntry | null
}

export function found(
  progress: Progress,
  code: AuditCode,
  at: { readonly seq: number; readonly ref?: Ref | null; readonly detail: string },
): void {
  const { seq, ref, detail } = at
  progress.problems.push({ code, seq, detail, ...(ref ? { ref } : {}) })
}
