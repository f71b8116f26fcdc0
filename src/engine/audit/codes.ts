import type { Ref } from '../../domain/ids.ts'
import type { AuditMark } from './range.ts'

/** All codes of an audit. The list is closed, so that an operator can look up each code. */
export const AUDIT_CODES = [
  'entry.missing', // the ledger has a gap
  'entry.unreadable', // bytes are not an entry in canonical form
  'entry.hash', // the stored hash is not the hash of the bytes
  'entry.chain', // the entry does not name its predecessor
  'entry.stray', // an entry lies behind the head
  'entry.unknown', // an operation that this version does not know
  'entry.operation', // an operation that is impossible at this point
  'entry.place', // the entry names another stack, replica or position
  'entry.time', // time runs backwards
  'entry.policy', // the named policy was not in force
  'head.mismatch', // the recorded head is not the last entry
  'head.foreign', // the mark or signed head belongs to another log
  'head.rollback', // the log is shorter than a mark or signed head
  'head.rewritten', // entries before a mark or signed head have changed
  'root.mismatch', // the recorded tree is not the tree of the entries
  'sealed.missing', // content is gone without an erasure
  'sealed.stray', // content without a commitment in an entry
  'sealed.ref', // content is filed under another memory
  'sealed.unreadable', // content is not a body with provenance
  'commitment.mismatch', // content differs from the commitment of its entry
  'content.mismatch', // the body does not match the hash in its provenance
  'certificate.mismatch', // entry and sealed provenance disagree
  'parent.missing', // a cited source did not exist yet
  'parent.later', // a source is younger than its child
  'birth.twice', // a memory was born twice
  'revision.gap', // revisions of a memory are not dense
  'actor.mismatch', // the pseudonym does not match the actor's key
  'row.missing', // the ledger knows a memory that the rows do not
  'row.stray', // the rows know a memory that the ledger does not
  'row.mismatch', // a row differs from the fold of its entries
  'state.mismatch', // the state of the stack differs from the fold of its entries
] as const

export type AuditCode = (typeof AUDIT_CODES)[number]

export interface AuditProblem {
  readonly code: AuditCode
  readonly seq: number
  readonly ref?: Ref
  readonly detail: string
}

const OF_ROWS: ReadonlySet<AuditCode> = new Set([
  'row.missing',
  'row.stray',
  'row.mismatch',
  'state.mismatch',
])

/**
 * True if only rows are wrong and the ledger is sound: the rows were changed, or an older version
 * wrote fewer fields. Folding again repairs the rows.
 */
export const isRebuilt = (problems: readonly AuditProblem[]): boolean =>
  problems.length > 0 && problems.every(({ code }) => OF_ROWS.has(code))

/** A finding of an audit that is no problem. */
export interface AuditNote {
  /** Content that a recorded erasure removed. */
  readonly code: 'content.erased'
  readonly seq: number
  readonly ref: Ref
  /** The erasing entry. */
  readonly by: number
}

export interface AuditReport {
  readonly ok: boolean
  readonly head: { readonly seq: number; readonly hash: string; readonly root: string }
  readonly entries: number
  /** The audited part as a mark for `since` of the next audit; null where a problem was found. */
  readonly mark: AuditMark | null
  /** Ordered by entry: the first problem is the place to look first. */
  readonly problems: readonly AuditProblem[]
  /** Erased content, by the entries that committed to the content. */
  readonly notes: readonly AuditNote[]
}
