import type { Ref } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import type { Instant } from '../domain/time.ts'
import { isSameVoice, type LineClaim, speaksFrom } from './line-claims.ts'

/** A claim that was erased, and from when on it spoke; null where only its words would tell. */
export type ErasedClaims = ReadonlyMap<Ref, Instant | null>

export interface LeftOnLine {
  /** Claims that may still answer. */
  readonly claims: readonly LineClaim[]
  /** Erased claims that would have answered in the place of others. */
  readonly erased: readonly Ref[]
}

/**
 * An erased successor keeps its place: where it spoke, the answer is unknown and never the older
 * value (18.7). What it took the place of stays silent there, and so does what that had replaced.
 */
export function besideErased(
  line: readonly LineClaim[],
  erased: ErasedClaims,
  { policy, validAt }: { readonly policy: Policy; readonly validAt: Instant },
): LeftOnLine {
  const spoke = (ref: Ref): boolean => {
    const from = erased.get(ref)
    return from !== undefined && (from === null || from <= validAt)
  }
  const silent = new Set(line.filter(({ claim: { overruledBy } }) => isBy(overruledBy, spoke)))
  const names = [...silent].flatMap(({ claim: { overruledBy } }) => overruledBy ?? [])
  for (const covered of silent) {
    if (speaksFrom(covered, policy) > validAt) continue
    for (const other of line) {
      const isReplaced = other.claim.overruledBy === covered.ref
      const isEarlier = other.seq < covered.seq && isSameVoice(other, covered)
      if (isReplaced || isEarlier) silent.add(other)
    }
  }
  return { claims: line.filter((claim) => !silent.has(claim)), erased: [...new Set(names)] }
}

const isBy = (ref: Ref | null, spoke: (ref: Ref) => boolean): boolean => ref !== null && spoke(ref)
