import { type Entry, type Facts, isChangeOp } from '../../domain/entry.ts'
import { isKnownOp, misusedMember } from '../../domain/entry-shape.ts'
import { isFirstHand } from '../../domain/labels.ts'
import { isInstant } from '../../domain/time.ts'
import { LIFECYCLE_STATES } from '../../domain/vocabulary.ts'
import { clockFault } from '../../gate/commands/clock.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { takeDue } from './authority.ts'
import { changeProblem } from './change.ts'
import {
  birthProblem,
  erasureProblem,
  isPlaceKept,
  keepingProblem,
  liftingProblem,
  shreddingProblem,
} from './claims.ts'
import { closeTurning, isOfTurning, noteErased, originProblem } from './distrust.ts'
import { found, type Progress } from './progress.ts'
import { isReceivedUnit, receivedProblem } from './received.ts'

/** Checks an operation against all entries before; true if the entry can be folded. */
export function checkOperation(progress: Progress, entry: Entry): boolean {
  const { seq, ref, op } = entry
  closeTurning(progress, entry)
  const due = takeDue(progress, entry)
  if (!isKnownOp(op)) {
    found(progress, 'entry.unknown', {
      seq,
      ref,
      detail: 'an operation this version does not know',
    })
    return false
  }
  const misused = misusedMember(entry)
  const problem = () => (due === 'was_due' ? null : problemOf(progress, entry))
  const detail = misused ? `${op} misuses its member ${misused}` : problem()
  if (detail) found(progress, 'entry.operation', { seq, ref, detail })
  if (due !== 'was_due' && !isOwnUnit(progress, entry)) {
    found(progress, 'entry.operation', { seq, ref, detail: 'is not of the unit it names' })
  }
  if (!goesWithCapture(progress, entry)) {
    const detail = 'stands where the memory should that a capture was made for'
    found(progress, 'entry.operation', { seq, ref, detail })
  }
  // A birth at a wrong place is still folded, because later entries refer to the memory.
  return isChangeOp(op) ? detail === null : misused === null
}

/** A unit holds the births of one draft and the consequences of its admission. */
function isOwnUnit(progress: Progress, entry: Entry): boolean {
  const { seq, unit, op, decision } = entry
  if (unit === seq || isOfTurning(progress, entry)) return true
  const { told: last } = progress
  if (last?.entry.unit !== unit) return false
  if (op === 'memory.received') return isReceivedUnit(last.entry, entry)
  if (op === 'quarantine.released') return last.entry.op === op
  if (isErasing(entry)) return isErasing(last.entry)
  const isAfterBirth = last.entry.op === 'memory.saved'
  if (op === 'memory.saved' && last.entry.op === 'echo.overruled') return true
  if (op === 'memory.saved' || op === 'memory.revised') return isAfterBirth
  if (op !== 'belief.revised' && op !== 'suggestion.resolved') return false
  if (decision.rule !== null) return false
  return isAfterBirth || last.entry.op === 'memory.revised'
}

/** Entries of an erasure: memories, an actor, and consequences. */
const isErasing = (entry: Entry): boolean =>
  entry.op === 'memory.erased' ||
  entry.op === 'actor.erased' ||
  isPlaceKept(entry) ||
  (entry.op === 'memory.flagged' && entry.decision.facts.code === 'source_erased')

/** A capture shares all members with its memory, which comes next (18.2). */
function goesWithCapture({ last, memories }: Progress, entry: Entry): boolean {
  if (last?.entry.op !== 'memory.saved' || last.entry.ref === null) return true
  const made = memories.get(last.entry.ref)
  if (!made?.captured || made.revision > 1) return true
  const { unit, actor, door, tier, time, label } = last.entry
  return (
    (entry.op === 'memory.saved' || entry.op === 'memory.revised') &&
    entry.unit === unit &&
    entry.actor === actor &&
    entry.door === door &&
    entry.tier === tier &&
    entry.time === time &&
    canonicalize(entry.label) === canonicalize(label)
  )
}

function problemOf(progress: Progress, entry: Entry): string | null {
  const { facts } = entry.decision
  if (isChangeOp(entry.op)) return changeProblem(progress, entry, entry.op)
  switch (entry.op) {
    case 'genesis':
      return isGenesis(entry)
        ? null
        : 'genesis is the first entry and names format, uid and replica'
    case 'policy':
      return entry.seq > 0 ? null : 'the first entry is genesis'
    case 'state':
      return isStateChange(progress, facts) ? null : 'goes from a state that was not, or to none'
    case 'replica.started':
      return isReplicaStart(progress, entry)
        ? null
        : 'names another head or replica than it follows'
    case 'enforcement.off':
      return progress.stack.enforcing ? null : 'enforcement was off already'
    case 'enforcement.on':
      return progress.stack.enforcing ? 'enforcement was on already' : null
    case 'clock.corrected':
      return isCorrection(progress, entry)
        ? null
        : 'corrects from another time than the entry before has, or nothing'
    case 'memory.received':
      return receivedProblem(progress, entry)
    case 'memory.collapsed':
      return collapseProblem(progress, entry)
    case 'quarantine.rejected':
      return isQuarantined(progress, entry) ? null : 'rejects what was not in quarantine'
    case 'quarantine.released':
      return releaseProblem(progress, entry)
    case 'memory.erased':
      noteErased(progress, entry)
      return erasureProblem(progress, entry)
    case 'actor.erased':
      return shreddingProblem(progress, entry)
    case 'tombstone.kept':
      return keepingProblem(progress, entry)
    case 'tombstone.lifted':
      return liftingProblem(progress, entry)
    case 'origin.distrusted':
    case 'origin.trusted':
      return originProblem(progress, entry)
    case 'tally':
      return isTally(progress, entry) ? null : 'counts repeats of something else'
    case 'memory.saved':
    case 'memory.revised':
    case 'memory.refused':
      return progress.stack.uid === null
        ? 'the first entry is genesis'
        : birthProblem(progress, entry)
  }
}

/** Older ledgers fold a rewording into another memory: the entry records score and match. */
function collapseProblem({ memories }: Progress, { ref, decision }: Entry): string | null {
  const { reasons, facts } = decision
  if (!ref || !memories.has(ref)) return 'collapses onto nothing'
  if (reasons[0] !== 'echo_reworded') return null
  const isTold = facts.match === ref && Number.isSafeInteger(facts.score)
  return isTold ? null : 'is recognised as something else, or by no score'
}

const HEX_32 = /^[0-9a-f]{32}$/

const isGenesis = ({ seq, replica, decision: { facts } }: Entry): boolean =>
  seq === 0 &&
  facts.format === 'muniment/ledger/1' &&
  facts.replica === replica &&
  HEX_32.test(String(facts.uid))

const isStateChange = ({ stack }: Progress, { from, to }: Facts): boolean =>
  from === stack.state && to !== from && LIFECYCLE_STATES.some((state) => state === to)

function isReplicaStart(
  { stack, last }: Progress,
  { replica, decision: { facts } }: Entry,
): boolean {
  const { head, from } = facts
  const named = head as { seq?: unknown; hash?: unknown } | null | undefined // compared below
  return (
    facts.replica === replica &&
    from === stack.replica &&
    named?.seq === last?.entry.seq &&
    named?.hash === last?.hash
  )
}

/** A correction names the time before, and steps back or farther ahead than other entries may. */
function isCorrection({ last }: Progress, { time, decision: { facts } }: Entry): boolean {
  const before = last?.entry.time
  if (before === undefined || Object.keys(facts).join() !== 'from' || facts.from !== before) {
    return false
  }
  return time < before || clockFault(time, before) === 'ahead'
}

const isQuarantined = ({ memories }: Progress, { ref, decision }: Entry): boolean =>
  ref !== null &&
  memories.get(ref)?.disposition === 'Quarantined' &&
  typeof decision.facts.tombstone === 'string'

/** Dispositions of each rule for released memories. */
const RELEASED: Readonly<Record<string, readonly (string | null)[]>> = {
  echo: ['Superseded'],
  distrust: ['Distrusted'],
  conflict: ['Contested', 'QueuedForAdjudication', 'PendingConflict', 'CommittedInferred'],
  admit: [],
}

function releaseProblem({ memories, hollow }: Progress, { ref, decision }: Entry): string | null {
  const { rule, disposition, reasons } = decision
  const memory = ref === null ? undefined : memories.get(ref)
  if (memory?.disposition !== 'Quarantined') return 'releases what was not in quarantine'
  if (reasons.join() !== 'person_said_yes') return 'releases on nobody’s word'
  const word = isFirstHand(memory.label) ? 'CommittedCheap' : 'CommittedInferred'
  const words = RELEASED[rule ?? '']
  const isSpoken =
    words?.includes(disposition) || (disposition === word && (rule === 'admit' || memory.captured))
  return (words && isSpoken) || hollow.has(memory.ref)
    ? null
    : 'is released under no word of a rule'
}

/** A tally names an earlier entry of the same rule and memory, and counts at least one. */
function isTally({ counted }: Progress, { seq, ref, decision }: Entry): boolean {
  const { of, count, first, last } = decision.facts
  const opened = typeof of === 'number' && of < seq ? counted.get(of) : undefined
  return (
    opened !== undefined &&
    opened.rule === decision.rule &&
    (ref === null || opened.ref === ref) &&
    Number.isSafeInteger(count) &&
    Number(count) > 0 &&
    isInstant(first) &&
    isInstant(last) &&
    first <= last
  )
}
