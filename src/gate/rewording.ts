import { kindPolicyOf } from '../domain/kind-policy.ts'
import type { ClaimBody } from '../domain/kinds/claim.ts'
import { isFirstHand } from '../domain/labels.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Desk } from './desk.ts'
import type { Candidate, Likeness } from './stamp.ts'

/**
 * The memory that a model's draft says again in other words; null for most drafts. The link groups
 * both on reading and decides nothing: a person's words and captures are never linked.
 */
export function rewordingOf(candidate: Candidate, desk: Desk): Likeness | null {
  const { draft, main, likes } = candidate
  if (isFirstHand(draft.origin.label) || !kindPolicyOf(desk.policy, main.kind).asserts) return null
  // A draft that takes the place of another says so, and means to say nearly the same.
  if (draft.consequence !== null || namesItsOwnTime(main.body)) return null
  // The same words are no rewording.
  if (desk.saying(main.keys.identity).length > 0) return null
  for (const { ref, score, identity } of likes) {
    const near = desk.memory(ref)
    if (score < desk.policy.numbers.echoLikelyFrom) continue
    if (identity !== undefined && near?.identity !== identity) continue
    // Links lead to the original, so that all rewordings of one memory are one group.
    const original = near?.rewordingOf ? (desk.memory(near.rewordingOf) ?? near) : near
    if (original && near && [near, original].every((each) => mayLink(candidate, each))) {
      return { ref: original.ref, score }
    }
  }
  return null
}

/** Two kinds are two statements, and claims of two timelines are two claims, whatever their words. */
const mayLink = ({ main }: Candidate, memory: MemoryState): boolean =>
  memory.erased === null &&
  memory.ref !== main.ref &&
  memory.kind === main.kind &&
  memory.line === main.keys.line

/** Two stays in one city are two claims. */
const namesItsOwnTime = (body: object): boolean => {
  const { validTime } = body as Partial<ClaimBody> // other kinds have no valid time
  return (validTime?.start ?? validTime?.end ?? null) !== null
}
