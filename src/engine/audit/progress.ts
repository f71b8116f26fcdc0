import type { Entry, StoredEntry } from '../../domain/entry.ts'
import type { Hash, Ref } from '../../domain/ids.ts'
import type { TextRow } from '../../domain/kinds/content.ts'
import type { Policy } from '../../domain/policy.ts'
import type { Quote } from '../../domain/provenance.ts'
import type { ActorKey, MemoryState, StackState } from '../../domain/state.ts'
import type { RuleName } from '../../domain/vocabulary.ts'
import type { TreeEdge } from '../../domain/waist.ts'
import type { Written } from '../../domain/words/plain-frame.ts'
import type { Quoted } from '../../fold/check-quote.ts'
import type { Consequent } from '../../gate/cascade.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { AuditCode, AuditNote, AuditProblem } from './codes.ts'

/** A change of trust, and its recorded consequences so far. */
export interface OpenTurning {
  readonly lead: Entry
  readonly on: boolean
  /** The entry of the distrusted origin; null for a distrust of one memory. */
  readonly of: number | null
  /** Affected memories without an entry so far. */
  readonly expected: Set<Ref>
  readonly turned: Set<Ref>
  /** Changed memories that were believed before. */
  readonly fallen: Set<Ref>
  /** Memories erased by the same unit; the unit may only distrust or flag their descendants. */
  readonly erased: Set<Ref>
  flagged: number
}

/** An entry that must come next, because of an earlier entry of the same actor and unit. */
export interface Due extends Consequent {
  readonly lead: Entry
}

/** A quote of a memory, and the entry that sealed the cited revision. */
export interface ToRead {
  readonly seq: number
  readonly ref: Ref
  readonly quote: Quote
  readonly quoted: Quoted
  /** The memory's statement, where the quote lifted the tier. */
  readonly lifted: Written | null
  /** The hedge lexicon of the policy in force. */
  readonly hedges: Hash | undefined
  readonly sourceSeq: number
}

/** The audit's knowledge after the entries so far. */
export interface Progress {
  readonly sha256: Sha256
  readonly keys: ReadonlyMap<string, ActorKey>
  readonly pseudonyms: Map<string, Hash>
  readonly problems: AuditProblem[]
  readonly memories: Map<Ref, MemoryState>
  /** Search terms of memories; null unless requested. */
  readonly texts: Map<number, TextRow> | null
  /** Entries whose repeats may be tallied, with rule and memory. */
  readonly counted: Map<number, { readonly rule: RuleName | null; readonly ref: Ref | null }>
  readonly tombstones: Map<string, readonly number[]>
  readonly erasures: ReadonlyMap<number, number>
  /** Changes whose sealed content is gone, by entry. */
  readonly said: Map<number, Entry>
  /** Pseudonyms of erased actors, by the erasing entry. */
  readonly shredded: Map<number, Hash>
  /** Memories with content beyond the birth; an erasure must remove all of the content. */
  readonly kept: Set<Ref>
  /** Memories with erased content: dependent results cannot be recomputed. */
  readonly hollow: Set<Ref>
  readonly notes: AuditNote[]
  readonly policies: Map<Hash, Policy>
  /** Children by parent; null until first use. */
  children: Map<Ref, Set<Ref>> | null
  /** Claims by timeline. */
  readonly lines: Map<Hash, Set<Ref>>
  /** Entries that must come next. */
  due: readonly Due[]
  /** An open change of trust, while its consequences are read. */
  turning: OpenTurning | null
  /** Quotes to check after all entries. */
  readonly quotes: ToRead[]
  /** The actor of each proposal, by entry. */
  readonly proposers: Map<number, Hash>
  stack: StackState
  tree: TreeEdge
  last: StoredEntry | null
  /** The last entry that is no consequence of another entry. */
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
