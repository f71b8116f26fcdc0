import type { Entry, Fact, StoredEntry } from '../domain/entry.ts'
import type { Policy } from '../domain/policy.ts'
import type { Tally } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import type { LifecycleState } from '../domain/vocabulary.ts'
import type { Chance } from '../ledger/chance.ts'
import type { Desk } from './desk.ts'

/** The ledger's format, named in its first entry. */
const LEDGER_FORMAT = 'muniment/ledger/1'

/** Writes the entries due before the next: genesis, the enforcement setting, ended tallies. */
export function prepare(desk: Desk, time: Instant, chance: Chance): void {
  ensureBorn(desk, time, chance)
  startReplica(desk, time)
  const { wanted } = desk.setting.enforcement
  if (desk.stack.enforcing !== wanted) {
    desk.append({ op: wanted ? 'enforcement.on' : 'enforcement.off', time })
  }
  emitTallies(desk, time, desk.endedTallies(time))
}

/** A copied stack starts a replica before its first write, naming the head of the copy. */
function startReplica(desk: Desk, time: Instant): void {
  const { replica } = desk.setting
  if (replica === null || desk.stack.replica === replica) return
  const { seq, hash } = desk.head
  const facts = { replica, from: desk.stack.replica, head: { seq, hash } }
  desk.append({ op: 'replica.started', time, decision: { facts } })
}

/** Genesis and the first policy, if the ledger is empty. */
function ensureBorn(desk: Desk, time: Instant, chance: Chance): void {
  if (desk.stack.uid !== null) return
  const facts = {
    format: LEDGER_FORMAT,
    replica: desk.setting.replica ?? chance.replica(),
    uid: chance.uid(),
  }
  desk.append({ op: 'genesis', time, decision: { facts } })
  appendPolicy(desk, time, {
    policy: desk.setting.genesisPolicy,
    hash: desk.setting.genesisPolicyHash,
  })
}

export function appendPolicy(
  desk: Desk,
  time: Instant,
  { policy, hash }: { readonly policy: Policy; readonly hash: string },
  by: Partial<Pick<Entry, 'actor' | 'door'>> = {},
): StoredEntry {
  const whole = policy as unknown as Fact // a policy is plain JSON by its type and by its hash
  const facts = { hash, policy: whole }
  const stored = desk.append({ op: 'policy', time, decision: { facts }, ...by })
  desk.putPolicy(policy)
  return stored
}

export function appendState(
  desk: Desk,
  time: Instant,
  to: LifecycleState,
  by: Partial<Pick<Entry, 'actor' | 'door'>> = {},
): StoredEntry {
  const facts = { from: desk.stack.state, to }
  return desk.append({ op: 'state', time, decision: { facts }, ...by })
}

export function emitTallies(desk: Desk, time: Instant, tallies: readonly Tally[]): void {
  for (const tally of tallies) emitTally(desk, time, tally)
}

function emitTally(desk: Desk, time: Instant, tally: Tally): void {
  const { rule, about, pseudonym, door, entrySeq, count, firstAt, lastAt } = tally
  const facts = { of: entrySeq, count, first: firstAt, last: lastAt }
  // Repeats of a kept memory are counted on the memory, other refusals on the refused actor.
  const by = about === null ? { actor: pseudonym, door } : { ref: about }
  desk.append({ op: 'tally', time, decision: { rule, facts }, ...by })
  desk.putTally({ ...tally, count: 0, firstAt: null, lastAt: null })
}
