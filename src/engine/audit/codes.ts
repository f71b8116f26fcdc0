import type { Ref } from '../../domain/ids.ts'
import type { AuditMark } from './range.ts'

/** What an audit can find. Closed, so that an operator can look each one up. */
export const AUDIT_CODES = [
  'entry.missing', // the ledger has a gap
  'entry.unreadable', // bytes are not an entry in canonical form
  'entry.hash', // the stored hash is not the hash of the bytes
  'entry.chain', // the entry does not name its predecessor
  'entry.stray', // an entry lies behind the head
  'entry.unknown', // an operation that this version does not know
  'entry.operation', // an operation says something that cannot be so here
  'entry.place', // the entry says another stack, replica or position than the one it has
  'entry.time', // time runs backwards
  'entry.policy', // the policy it names was not in force
  'head.mismatch', // the recorded head is not the last entry
  'head.foreign', // the head held elsewhere is of another log
  'head.rollback', // the log is shorter than a head held elsewhere
  'head.rewritten', // what a head held elsewhere covers is not what is here
  'root.mismatch', // the recorded tree is not the tree of the entries
  'sealed.missing', // content is gone without an erasure
  'sealed.stray', // content that no entry commits to
  'sealed.ref', // content is kept under another memory's name
  'sealed.unreadable', // content is not a body and a certificate
  'commitment.mismatch', // content is not what the entry committed to
  'content.mismatch', // the body does not match the hash in its own certificate
  'certificate.mismatch', // entry and certificate disagree
  'parent.missing', // a source was not there when it was cited
  'parent.later', // a source is younger than what was made from it
  'birth.twice', // a memory was born twice
  'revision.gap', // revisions of a memory are not dense
  'actor.mismatch', // the pseudonym is not the actor's
  'row.missing', // the ledger knows a memory that the rows do not
  'row.stray', // the rows know a memory that the ledger does not
  'row.mismatch', // a row is not what its entries fold to
  'state.mismatch', // the stack's own state is not what its entries fold to
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
 * Whether only rows are wrong, and the ledger that they are folded from is whole: somebody changed
 * them, or a version wrote them that kept less in them. Folding them anew mends that.
 */
export const isRebuilt = (problems: readonly AuditProblem[]): boolean =>
  problems.length > 0 && problems.every(({ code }) => OF_ROWS.has(code))

/** What an audit says without finding fault. */
export interface AuditNote {
  /** Content that is gone because an erasure says so; a success with a reason. */
  readonly code: 'content.erased'
  readonly seq: number
  readonly ref: Ref
  /** The entry that erased it. */
  readonly by: number
}

export interface AuditReport {
  readonly ok: boolean
  readonly head: { readonly seq: number; readonly hash: string; readonly root: string }
  readonly entries: number
  /** Up to where all is sound, to be kept: `since` it, only what came later is looked at. */
  readonly mark: AuditMark | null
  /** In the order of the ledger: the first one is where to look first. */
  readonly problems: readonly AuditProblem[]
  /** Content that was erased, by the entries that committed to it. */
  readonly notes: readonly AuditNote[]
}
