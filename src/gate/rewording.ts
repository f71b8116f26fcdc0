import type { ClaimBody } from '../domain/kinds/claim.ts'
import { isFirstHand } from '../domain/labels.ts'
import { kindPolicyOf, likelyInFlood } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import { isFloodAt } from './burst-count.ts'
import type { Desk } from './desk.ts'
import type { Candidate, Likeness } from './stamp.ts'

/**
 * The memory that a model's draft repeats in other words; null for most drafts. The link groups
 * both on reading and decides nothing: a person's words and captures are never linked.
 */
export function rewordingOf(candidate: Candidate, desk: Desk, time: Instant): Likeness | null {
  const { draft, main, likes } = candidate
  if (isFirstHand(draft.origin.label) || !kindPolicyOf(desk.policy, main.kind).asserts) return null
  // A draft that supersedes a memory declares the replacement, and repeats nearly all words on
  // purpose.
  if (draft.consequence !== null || namesItsOwnTime(main.body)) return null
  // Equal words are no rewording.
  if (desk.saying(main.keys.identity).length > 0) return null
  const links = likes.flatMap(({ ref, score, identity }) => {
    const near = desk.memory(ref)
    if (identity !== undefined && near?.identity !== identity) return []
    // Links lead to the original, so that all rewordings of a memory are in a single group.
    const original = near?.rewordingOf ? (desk.memory(near.rewordingOf) ?? near) : near
    if (!original || !near || ![near, original].every((each) => mayLink(candidate, each))) return []
    return score < likeFrom(candidate, original, { desk, time }) ? [] : { original, score }
  })
  // The oldest original, so that similar groups grow together.
  const [oldest] = links.toSorted((a, b) => a.original.seq - b.original.seq || b.score - a.score)
  return oldest ? { ref: oldest.original.ref, score: oldest.score } : null
}

/** During a flood of rewordings by an actor, fewer shared words make another rewording. */
function likeFrom(
  { draft, repeatMarkOf }: Candidate,
  { identity }: MemoryState,
  { desk, time }: { readonly desk: Desk; readonly time: Instant },
): number {
  const { policy } = desk
  const { echoLikelyFrom } = policy.numbers
  // Only drafts that the burst rule counts can be part of a flood.
  if (draft.revises || draft.origin.label.type === 'RecallReEntry') return echoLikelyFrom
  const mark = repeatMarkOf(identity)
  const burst = mark === null ? undefined : desk.burst(draft.origin.sourceId, mark)
  return isFloodAt(burst, { policy, time }) ? likelyInFlood(policy) : echoLikelyFrom
}

/** Two kinds are two statements; claims of two timelines are two claims, whatever their words. */
const mayLink = ({ main }: Candidate, memory: MemoryState): boolean =>
  memory.erased === null &&
  memory.ref !== main.ref &&
  memory.kind === main.kind &&
  memory.line === main.keys.line

/** Two stays in the same city are two claims. */
const namesItsOwnTime = (body: object): boolean => {
  const { validTime } = body as Partial<ClaimBody> // other kinds have no valid time
  return (validTime?.start ?? validTime?.end ?? null) !== null
}
