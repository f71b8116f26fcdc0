import { MunimentError } from '../../domain/errors.ts'
import { type Hash, isHash, type Ref } from '../../domain/ids.ts'
import { parseCheckpoint, parseNote } from '../../ledger/signed-note.ts'

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

/** A code of an audit problem. */
export type AuditCode = (typeof AUDIT_CODES)[number]

/** A difference between the ledger and what it should be. */
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

/** The outcome of an audit. */
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

/**
 * A number of entries and the root of the tree over them: the extent of an audit. A caller saves
 * the mark and passes it to the next audit, which checks that the earlier entries are unchanged. A
 * signed head is a mark too.
 */
export interface AuditMark {
  readonly size: number
  readonly root: Hash
  /** The log of the mark, as named by a signed head. */
  readonly origin?: string
}

/** The part of the ledger to audit: with `since` or `to`, only the chain of that part. */
export interface AuditRange {
  readonly only?: 'chain'
  /**
   * The first entry to audit; earlier entries are taken as stored. A mark must match the root of
   * the earlier entries; a number must not exceed their count.
   */
  readonly since?: number | AuditMark
  /** The last entry to audit; the head by default and at most. */
  readonly to?: number
}

export interface AuditProgress {
  readonly done: number
  readonly total: number
  /** A mark to resume from; null once the chain is unsound. */
  readonly mark: AuditMark | null
}

export interface AuditOptions extends AuditRange {
  /** An exception from the callback stops the audit. */
  readonly onProgress?: (progress: AuditProgress) => void
}

/** Decisions depend on all earlier entries, so only a chain can be audited in parts. */
export const isChain = ({ only, since, to }: AuditRange): boolean =>
  only === 'chain' || since !== undefined || to !== undefined

export function parseRange({ since, to }: AuditRange): void {
  const start = typeof since === 'object' ? since.size : (since ?? 0)
  const isRoot = typeof since !== 'object' || isHash(since.root)
  if (isPosition(start) && isRoot && (to === undefined || isPosition(to))) return
  throw new MunimentError('invalid_input', 'An audit begins and ends at the number of an entry.', {
    hint: 'Or it begins at a mark that an audit gave, or at a signed head.',
  })
}

const isPosition = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

const MARK = /^(0|[1-9]\d{0,15}):([0-9a-f]{64})$/

/** A mark as one word for saving and typing. */
export const markText = ({ size, root }: AuditMark): string => `${size}:${root}`

function parseMark(text: string): AuditMark | null {
  const [, size = '', root = ''] = MARK.exec(text.trim()) ?? []
  return isHash(root) ? { size: Number(size), root } : null
}

const NUMBER = /^\d{1,15}$/

/** Parses the start of an audit: entry number, mark or signed head, with unchecked signature. */
export function sinceIn(text: string): number | AuditMark | null {
  const trimmed = text.trim()
  if (NUMBER.test(trimmed)) return Number(trimmed)
  const note = parseNote(text)
  return note === null ? parseMark(trimmed) : parseCheckpoint(note.text)
}
