import type { Entry } from '../domain/entry.ts'
import { type EraseBasis, isSaidBy } from '../domain/erasure.ts'
import { isHash } from '../domain/ids.ts'
import { canonicalize, readJson } from './canonical.ts'

export const ERASURE_FORMAT = 'muniment/erasure/1'

/** Places cleaned of the erased content. */
export const SCRUBBED = ['content', 'index', 'log', 'receipts'] as const

/**
 * Places out of reach, which their owners clean; and content kept here because it belongs to
 * others: tags and fields on remaining memories, and the names of sessions.
 */
export const NOT_COVERED = ['backups', 'copies', 'exports', 'sessions', 'storage', 'tags'] as const

/** The signed content of a certificate; the key that signs heads signs certificates too. */
export interface ErasureStatement {
  readonly origin: string
  readonly basis: readonly EraseBasis[]
  /** The entries that record the erasure. */
  readonly entries: readonly number[]
  readonly issuedAt: string
  readonly scrubbed: readonly string[]
  readonly notCovered: readonly string[]
}

/** Two lines: the format, and the statement as canonical JSON. */
export const statementText = (statement: ErasureStatement): string =>
  `${ERASURE_FORMAT}\n${canonicalize(statement)}\n`

const MEMBERS = 'basis,entries,issuedAt,notCovered,origin,scrubbed'

/** Null for text other than a statement. */
export function parseStatement(text: string): ErasureStatement | null {
  const [format, line = '', end, ...more] = text.split('\n')
  if (format !== ERASURE_FORMAT || end !== '' || more.length > 0) return null
  try {
    const value = readJson(line) as ErasureStatement // every member is checked next
    const { origin, basis, entries, issuedAt, scrubbed, notCovered } = value
    const isWhole =
      Object.keys(value).join() === MEMBERS &&
      canonicalize(value) === line &&
      typeof origin === 'string' &&
      typeof issuedAt === 'string' &&
      [basis, scrubbed, notCovered].every(isTexts) &&
      Array.isArray(entries) &&
      entries.every((seq) => Number.isSafeInteger(seq) && seq >= 0)
    return isWhole ? value : null
  } catch {
    return null
  }
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** The members of an entry that decide which erasures cover the entry's content. */
export type Committed = Pick<Entry, 'seq' | 'ref' | 'commitment'> & Parameters<typeof isSaidBy>[1]

/** True where `by` records the erasure of the entry's content, by memory or by actor. */
export function erases(by: Entry, entry: Committed): boolean {
  if (by.seq <= entry.seq || entry.commitment === null) return false
  if (by.op === 'memory.erased') return entry.ref !== null && entry.ref === by.ref
  const { of } = by.decision.facts
  return by.op === 'actor.erased' && isHash(of) && isSaidBy(of, entry)
}
