import { MunimentError } from '../../domain/errors.ts'
import { type Hash, isHash } from '../../domain/ids.ts'

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

/** Validates a range. */
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

export function parseMark(text: string): AuditMark | null {
  const [, size = '', root = ''] = MARK.exec(text.trim()) ?? []
  return isHash(root) ? { size: Number(size), root } : null
}
