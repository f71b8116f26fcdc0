import { nodeSha256 } from '../../compose/node-world.ts'
import { keyNameOf } from '../../domain/distrust.ts'
import { type Entry, isChangeOp } from '../../domain/entry.ts'
import { isFirstHand, labelName } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { pseudonymOf } from '../../ledger/ledger.ts'
import { type Check, must, mustBeNone } from './check.ts'
import { freshEntries } from './check-ledger.ts'
import type { Observation } from './observe.ts'
import type { Doing } from './sim.ts'

type Field = keyof MemoryState

const SUPPORTED: readonly Field[] = ['confidence', 'weight', 'evidence', 'anchors', 'moves']

/** Fields set by a judgement of a claim as a whole. */
const JUDGED: readonly Field[] = ['claim', 'disposition', 'review']

/** A flag on the quoted memory cancels a lift, and removing the flag restores the lift. */
const LIFTED: readonly Field[] = ['tier', 'guard']

/** Fields that an entry may change on its memory; all others stay equal. */
const MAY_CHANGE: Readonly<Partial<Record<Entry['op'], readonly Field[]>>> = {
  'memory.collapsed': ['restatedAt', 'flags', 'review'],
  tally: ['restatedAt'],
  'quarantine.rejected': ['disposition', 'review'],
  'quarantine.released': ['disposition', 'review', 'distrust'],
  'memory.distrusted': ['disposition', 'review', 'distrust'],
  'memory.trusted': ['disposition', 'review', 'distrust'],
  'memory.forgotten': ['strength'],
  'memory.recovered': ['strength'],
  'memory.protected': ['strength', 'isProtected', 'guard'],
  'memory.unprotected': ['strength', 'isProtected', 'guard'],
  'memory.accessed': ['strength', 'accesses', 'accessedAt'],
  'memory.weakened': ['strength'],
  'memory.strengthened': ['strength'],
  'memory.described': ['confidence', 'weight', 'facets', 'notes', 'moves'],
  'memory.annotated': ['notes'],
  'memory.processed': ['facets'],
  'memory.verified': [...SUPPORTED, 'guard', 'verifications', 'verifiedAt', 'tier'],
  'memory.reinforced': [...SUPPORTED, 'guard', 'reinforcements'],
  'memory.attested': [],
  'memory.proposed': ['flags', 'review'],
  'memory.flagged': ['flags', 'review', ...LIFTED],
  'memory.cleared': ['flags', 'review', ...LIFTED],
  'belief.revised': [],
  'belief.deactivated': ['disposition', 'review'],
  'suggestion.resolved': ['facets', 'review'],
  'claim.ended': JUDGED,
  'claim.retracted': JUDGED,
  'claim.reopened': JUDGED,
  'claim.adjudicated': [...JUDGED, 'tier', 'guard'],
  'claim.superseded': JUDGED,
  'claim.lapsed': JUDGED,
  'claim.recast': [...JUDGED, 'facets'],
}

/**
 * A memory changes only by its own entries, and only in the fields they address: never in
 * provenance, and never through other memories (FIREWALL-ECHO, PROV-FIXED, CASCADE-FLAGS).
 */
export const othersAreUntouched: Check = ({ before, after }) => {
  const about = entriesAbout(before, after)
  const wrong = before.memories.filter((was) => {
    const now = after.byRef.get(was.ref)
    if (!now) return true
    if (now.erased !== null) return !entriesErase(about.get(was.ref))
    if (now.revision > was.revision) return now.seq !== was.seq || now.bornAt !== was.bornAt
    const entries = about.get(was.ref) ?? []
    const may = new Set(entries.flatMap(({ op }) => MAY_CHANGE[op] ?? []))
    const names = Object.keys(was) as Field[] // a MemoryState has only its own fields
    return names.some((name) => !may.has(name) && !isSame(was[name], now[name]))
  })
  mustBeNone(
    wrong.map(({ ref }) => ref),
    'memories that something else changed',
  )
}

const entriesErase = (entries: readonly Entry[] = []): boolean =>
  entries.some(({ op }) => op === 'memory.erased')

const isSame = (a: unknown, b: unknown): boolean => canonicalize(a) === canonicalize(b)

function entriesAbout(before: Observation, after: Observation): Map<string, Entry[]> {
  const about = new Map<string, Entry[]>()
  for (const { entry } of freshEntries(before, after)) {
    if (entry.ref !== null) about.set(entry.ref, [...(about.get(entry.ref) ?? []), entry])
  }
  return about
}

const TAKES: ReadonlySet<Entry['op']> = new Set([
  'memory.forgotten',
  'memory.weakened',
  'memory.unprotected',
  'memory.described',
  'belief.deactivated',
  'memory.recovered',
  'memory.processed',
  'claim.ended',
  'claim.retracted',
  'claim.reopened',
  'claim.adjudicated',
  'claim.superseded',
  'claim.recast',
  'memory.distrusted',
  'memory.trusted',
])

/** Changes come from allowed callers and stay within their limits. */
export const changesAreAllowed: Check = ({ before, after }) => {
  const wrong: unknown[] = []
  for (const { entry } of freshEntries(before, after)) {
    const was = entry.ref === null ? undefined : before.byRef.get(entry.ref)
    if (!was || !isChangeOp(entry.op)) continue
    const isTrusted = entry.label !== null && isFirstHand(entry.label)
    if (TAKES.has(entry.op) && !isTrusted && isFirstHand(was.label)) wrong.push([entry.seq, 'took'])
    if (entry.op === 'memory.cleared' && !isTrusted && entry.decision.rule !== null) {
      wrong.push([entry.seq, 'cleared'])
    }
    if (!isWithinBounds(entry)) wrong.push([entry.seq, entry.decision.facts])
    if (!areFreshAnchors(entry, was, after)) wrong.push([entry.seq, 'anchors'])
  }
  mustBeNone(wrong, 'changes that nobody may make')
  mustBeNone(unflagged(before, after), 'children of what fell that were not told')
}

/** The largest increase of a number by one entry. */
const MOST: Readonly<Partial<Record<Entry['op'], number>>> = {
  'memory.accessed': 0.02,
  'memory.strengthened': 0.02,
  'memory.recovered': 0.2,
  'memory.verified': 0.1,
  'memory.reinforced': 0.05,
}

function isWithinBounds({ op, label, decision: { facts } }: Entry): boolean {
  return [facts.strength, facts.confidence].every((fact) => {
    if (typeof fact !== 'object' || fact === null) return true
    const { from, to } = fact as { readonly from: number; readonly to: number } // as the gate writes
    const isPersons = op === 'memory.described' && label && labelName(label) === 'UserAsserted'
    const most = isPersons ? 1 : (MOST[op] ?? 0)
    return to >= 0 && to <= 1 && to - from <= most + 1e-9
  })
}

/** First-hand captures, none counted before, none from the memory's own ancestry. */
function areFreshAnchors(
  { decision: { facts } }: Entry,
  was: MemoryState,
  { byRef }: Observation,
): boolean {
  const anchors = Array.isArray(facts.anchors) ? facts.anchors : []
  return anchors.every((ref) => {
    const raw = byRef.get(ref)
    const isWitness = raw?.kind === 'raw' && isFirstHand(raw.label)
    return isWitness && !was.anchors.includes(ref) && !was.parents.includes(ref)
  })
}

/** When a source is forgotten, every descendant is flagged with the cause (CASCADE-FLAGS). */
const unflagged = (before: Observation, after: Observation): readonly unknown[] =>
  freshEntries(before, after)
    .filter(({ entry }) => entry.op === 'memory.forgotten')
    .flatMap(({ entry: { ref } }) =>
      after.memories.filter(({ parents }) => parents.includes(ref as never)),
    )
    .filter(({ erased }) => !erased)
    .filter(({ flags }) => !flags.some(({ code }) => code === 'source_forgotten'))
    .map(({ ref }) => ref)

/** True when the actor, the door or the session of an action is distrusted. */
function isDistrusted({ stack, actorKeys }: Observation, { agent, caller }: Doing): boolean {
  const markOf = (name: string): string | null => {
    const found = actorKeys.find(({ actor }) => actor === name)
    return found ? pseudonymOf(nodeSha256, found.key, name) : null
  }
  const { door, session } = caller
  const marks = {
    door,
    actor: markOf(keyNameOf('actor', agent)),
    session: session === null ? null : markOf(keyNameOf('session', session)),
  }
  return stack.distrusted.some(({ origin, of }) => marks[origin] === of)
}

/** An action that must fail fails; maintenance never changes a memory. */
export const deedsEndAsTheyMust: Check = ({ before, after, performed }) => {
  const { act, error, done, fault } = performed
  if (act.type !== 'change') return
  const isMissed = error?.code === 'store_unavailable'
  if (before.stack.state === 'MAINTENANCE') {
    must(error !== null || done?.changed === false, 'maintenance changed a memory')
    return
  }
  const { mustEnd, deed, ref } = act.doing
  if (done?.entry) {
    const kept = after.entries[done.entry.seq]?.hash === done.entry.hash
    must(kept, 'a change was acknowledged and is in no entry')
  }
  if (deed.type === 'accept' && done?.changed) {
    must(after.byRef.get(ref)?.facets.status !== 'pending', 'an accepted suggestion waits')
  }
  const end = error?.code ?? done?.reason ?? 'done'
  // A distrusted actor raises nothing, whatever the other rules say.
  const isDoubted = end === 'scope' && isDistrusted(before, act.doing)
  // Below the tier of the memory a caller only proposes, and so many changes at a time.
  const isWaiting = end === 'proposed' || end === 'proposals_full'
  const mayWait = mustEnd === 'proposed' || mustEnd === 'attested' || mustEnd === 'set_aside'
  if (mustEnd && !isMissed && !isDoubted && !(isWaiting && mayWait)) {
    must(end === mustEnd, `a deed of ${act.doing.agent} ended in ${end}`)
  }
  const fresh = freshEntries(before, after).filter(({ entry }) => isChangeOp(entry.op))
  const asked = fresh.filter(({ entry }) => entry.decision.rule !== null)
  if (deed.type === 'change') must(asked.length <= 1, 'one change is told twice')
  if (done?.entry === null && fault === null && deed.type === 'change') {
    must(fresh.length === 0, 'a change that was not made was told')
  }
}
