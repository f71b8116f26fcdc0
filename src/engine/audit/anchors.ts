import type { Change } from '../../domain/change.ts'
import type { Entry } from '../../domain/entry.ts'
import type { Ref } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { MemoryState } from '../../domain/state.ts'
import { independentAnchors } from '../../gate/evidence.ts'
import { pseudonymOf } from '../../ledger/ledger.ts'
import type { Progress } from './progress.ts'

interface Counted {
  readonly memory: MemoryState
  readonly change: Extract<Change, { evidence: unknown }>
  readonly entry: Entry
  readonly policy: Policy
  readonly anchors: readonly Ref[]
  /** True if the verification used up the evidence. */
  readonly spends: boolean
}

/**
 * True if the first-hand captures named by an entry follow from its evidence. The verifier is a
 * pseudonym: a capture whose actor has lost the key may or may not count.
 */
export function areAnchors(progress: Progress, counted: Counted): boolean {
  const { memory, change, entry, policy, anchors, spends } = counted
  const known = { policy, memory: (ref: Ref) => progress.memories.get(ref) }
  const anchorsUnless = (isOwn: (memory: MemoryState) => boolean) =>
    independentAnchors(memory, change.evidence, { known, isOwn, spends })
  const possible = anchorsUnless((each) => speaks(progress, each.sourceId, entry) === 'yes')
  const sure = new Set(anchorsUnless((each) => speaks(progress, each.sourceId, entry) !== 'no'))
  const told = new Set(anchors)
  return possible.filter((ref) => told.has(ref)).join() === anchors.join() && isWithin(sure, told)
}

const isWithin = (part: ReadonlySet<Ref>, whole: ReadonlySet<Ref>): boolean =>
  [...part].every((ref) => whole.has(ref))

/** Matches an entry with an actor, as far as the remaining keys can tell. */
export function speaks(
  progress: Progress,
  actor: string,
  entry: Entry,
): 'yes' | 'no' | 'nobody_knows' {
  const key = progress.keys.get(actor)
  if (key === undefined || entry.seq < key.since) return 'nobody_knows'
  const name = pseudonymIn(progress, actor, key.key)
  return name === entry.actor ? 'yes' : 'no'
}

/** The pseudonym of an actor's key, cached. */
export function pseudonymIn({ sha256, pseudonyms }: Progress, actor: string, key: string) {
  let name = pseudonyms.get(actor)
  if (name === undefined) {
    name = pseudonymOf(sha256, key, actor)
    pseudonyms.set(actor, name)
  }
  return name
}
