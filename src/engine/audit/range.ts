import { MunimentError } from '../../domain/errors.ts'
import { type Hash, isHash } from '../../domain/ids.ts'

/**
 * So many entries, and the root of the tree over them: how far an audit came. Whoever audits keeps
 * it; given back it says where to go on, and what must still lie before. A signed head is one too.
 */
export interface AuditMark {
  readonly size: number
  readonly root: Hash
  /** Which log it is of, where a signed head says so. */
  readonly origin?: string
}

/** Which part of the ledger is looked at: with `since` or `to`, the chain of that part alone. */
export interface AuditRange {
  readonly only?: 'chain'
  /**
   * The first entry to look at: what lies before was looked at before, and is taken as it is kept.
   * With a mark it must also give the mark's root; with a number there must be as many.
   */
  readonly since?: number | AuditMark
  /** The last entry to look at; the head when none is named, or when it is shorter. */
  readonly to?: number
}

export interface AuditProgress {
  readonly done: number
  readonly total: number
  /** Where a chain can be taken up when this is the last that is heard of it; null once it is not sound. */
  readonly mark: AuditMark | null
}

export interface AuditOptions extends AuditRange {
  /** What it throws calls the audit off. */
  readonly onProgress?: (progress: AuditProgress) => void
}

/** Everything that was decided follows from the entries before: only a chain can be looked at in parts. */
export const isChain = ({ only, since, to }: AuditRange): boolean =>
  only === 'chain' || since !== undefined || to !== undefined

/** The range as it was meant, or an error that says what is wrong with it. */
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

/** A mark as one word, to be kept and typed. */
export const markText = ({ size, root }: AuditMark): string => `${size}:${root}`

export function parseMark(text: string): AuditMark | null {
  const [, size = '', root = ''] = MARK.exec(text.trim()) ?? []
  return isHash(root) ? { size: Number(size), root } : null
}
