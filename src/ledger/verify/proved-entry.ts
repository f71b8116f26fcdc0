import type { Entry } from '../../domain/entry.ts'
import type { Hash } from '../../domain/ids.ts'
import type { Checkpoint } from '../checkpoint.ts'
import { readEntry } from '../ledger.ts'
import { leafHash } from '../merkle.ts'
import { verifyInclusion } from '../proofs.ts'
import { utf8 } from '../sha256.ts'
import type { VerifyCode } from './codes.ts'
import { sha256 } from './portable.ts'

/** An entry as its hashed text, and the path to a head, lowest sibling first. */
export interface ProvedEntry {
  readonly entry: string
  readonly proof: readonly Hash[]
}

const PATH_MAX = 64 // siblings: more than the height of any tree with a safe size

/** Null for text other than an entry in canonical form. */
export function entryIn(text: string): Entry | null {
  try {
    return readEntry(utf8(text))
  } catch {
    return null
  }
}

/** Faults of an entry's claimed place in the log of a head. */
export function placeCodes(
  { entry: text, proof }: ProvedEntry,
  { seq, stack }: Entry,
  { origin, size, root }: Checkpoint,
): readonly VerifyCode[] {
  const codes: VerifyCode[] = []
  if (!origin.endsWith(`/${stack}`)) codes.push('origin.mismatch')
  const leaf = leafHash(sha256, utf8(text))
  const isIn = verifyInclusion(sha256, { leaf, index: seq, size, proof, root })
  if (!isIn) codes.push('inclusion.fail')
  return codes
}

/** Checks the shape of the two members; their content is checked later. */
export function isProvedEntry(value: unknown): value is ProvedEntry {
  if (typeof value !== 'object' || value === null) return false
  const { entry, proof } = value as Partial<ProvedEntry> // both are checked here
  return (
    isText(entry) &&
    Array.isArray(proof) &&
    proof.length <= PATH_MAX &&
    proof.every((hash) => typeof hash === 'string')
  )
}

/** A proved entry without other members. */
export const isBareProof = (value: unknown): value is ProvedEntry =>
  isProvedEntry(value) && hasOnly(value, ['entry', 'proof'])

/** Extra members would look proved, so none are allowed. */
export const hasOnly = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name))

export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed()
