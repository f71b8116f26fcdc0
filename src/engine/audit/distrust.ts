import {
  DISTRUST_BASES,
  DISTRUST_LIMITS,
  isDoor,
  keyNameOf,
  ORIGIN_KINDS,
  type OriginKind,
} from '../../domain/distrust.ts'
import type { Entry, Facts } from '../../domain/entry.ts'
import { isHash, type Ref } from '../../domain/ids.ts'
import { isFirstHand, isInferential } from '../../domain/labels.ts'
import type { Provenance } from '../../domain/provenance.ts'
import type { MemoryState } from '../../domain/state.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { childrenIn, pseudonymIn } from './authority.ts'
import { found, type OpenTurning, type Progress } from './progress.ts'

const isBasis = (fact: unknown): boolean => DISTRUST_BASES.some((basis) => basis === fact)
const isCount = (fact: unknown): boolean => Number.isSafeInteger(fact) && Number(fact) >= 0
const namesIn = (facts: Facts): string => Object.keys(facts).sort().join()

/** The name behind a pseudonym, where a key remains. */
function nameOf(progress: Progress, origin: OriginKind, mark: string): string | null {
  if (origin === 'door') return mark
  const prefix = keyNameOf(origin, '')
  for (const { actor, key } of progress.keys.values()) {
    if (actor.startsWith(prefix) && pseudonymIn(progress, actor, key) === mark) {
      return actor.slice(prefix.length)
    }
  }
  return null
}

const placeOf = ({ sourceId, door, session }: MemoryState) => ({ actor: sourceId, door, session })

/** Checks a change of trust in an origin; when sound, its consequences are expected next. */
export function originProblem(progress: Progress, entry: Entry): string | null {
  const { facts } = entry.decision
  const on = entry.op === 'origin.distrusted'
  const origin = ORIGIN_KINDS.find((each) => each === facts.origin)
  const of = String(facts.of)
  const isNamed = origin === 'door' ? isDoor(of) : isHash(facts.of)
  const isTold = isCount(facts.memories) && isCount(facts.flagged)
  if (!origin || !isNamed || !isTold) return 'says something else than whom not to believe'
  if (progress.stack.state === 'MAINTENANCE') return 'says what is believed during maintenance'
  const { distrusted } = progress.stack
  const standing = distrusted.find((each) => each.origin === origin && each.of === of)
  if (on) {
    if (namesIn(facts) !== 'basis,flagged,memories,of,origin' || !isBasis(facts.basis)) {
      return 'says something else than whom not to believe'
    }
    if (standing) return 'distrusts what is distrusted already'
    if (distrusted.length >= DISTRUST_LIMITS.distrustedOriginsMax) return 'distrusts too many'
  } else {
    if (namesIn(facts) !== 'flagged,lifts,memories,of,origin') {
      return 'says something else than whom to believe again'
    }
    if (standing?.seq !== facts.lifts) return 'trusts what was not distrusted'
  }
  const name = on ? nameOf(progress, origin, of) : null
  const lifted = on ? null : Number(facts.lifts)
  const isMeant = (memory: MemoryState): boolean =>
    lifted === null
      ? name !== null && placeOf(memory)[origin] === name
      : (memory.distrust?.origins.includes(lifted) ?? false)
  progress.turning = {
    lead: entry,
    on,
    of: on ? entry.seq : lifted,
    expected: new Set(
      [...progress.memories.values()]
        .filter(({ ref, erased }) => erased === null && !progress.hollow.has(ref))
        .filter(isMeant)
        .map(({ ref }) => ref),
    ),
    turned: new Set(),
    fallen: new Set(),
    erased: new Set(),
    flagged: 0,
  }
  return null
}

/** Starts the check of an erasure: descendants with only distrusted sources must fall too. */
export function noteErased(progress: Progress, entry: Entry): void {
  const { turning } = progress
  if (entry.ref === null) return
  if (turning?.lead.unit === entry.unit) turning.erased.add(entry.ref)
  else progress.turning = { ...nothingTurned(entry), erased: new Set([entry.ref]) }
}

const nothingTurned = (lead: Entry): OpenTurning => ({
  lead,
  on: true,
  of: null,
  expected: new Set(),
  turned: new Set(),
  fallen: new Set(),
  erased: new Set(),
  flagged: 0,
})

/** Checks a change of trust in one memory. */
export function ownTurnProblem(
  progress: Progress,
  memory: MemoryState,
  entry: Entry,
): string | null {
  const { facts } = entry.decision
  const on = entry.op === 'memory.distrusted'
  if (entry.decision.rule === null) return 'follows from nothing before it'
  const names = on ? 'basis,why' : 'back,basis,why'
  if (namesIn(facts) !== names || facts.why !== 'own' || !isBasis(facts.basis)) {
    return 'says something else than what is believed'
  }
  if (entry.label === null || !isFirstHand(entry.label)) return 'lets a model say what is believed'
  if (memory.erased !== null) return 'distrusts what was erased'
  if ((memory.distrust?.own ?? false) === on) return 'says what was so already'
  progress.turning = { ...nothingTurned(entry), on }
  return take(progress, memory)
}

/** True for a model's proposal of a distrust, without other facts. */
export const isDistrustWish = (facts: Facts): boolean =>
  namesIn(facts) === 'basis,change' && facts.change === 'distrust' && isBasis(facts.basis)

/** True for an entry that follows from a change of trust or an erasure of the same unit. */
export function isOfTurning({ turning }: Progress, { op, unit, seq, decision }: Entry): boolean {
  if (turning?.lead.unit !== unit || unit === seq || decision.rule !== null) return false
  if (turning.erased.size === 0) return true
  const isFlag = op === 'memory.flagged' && decision.facts.code === 'source_distrusted'
  return op === 'memory.distrusted' || isFlag
}

/** Checks one consequence; completeness is checked at the end of the unit. */
export function turningProblem(
  progress: Progress,
  memory: MemoryState,
  entry: Entry,
): string | null {
  const { turning } = progress
  if (turning === null || memory.erased !== null) return 'follows from nothing before it'
  const { lead } = turning
  const isSameVoice =
    entry.actor === lead.actor &&
    entry.door === lead.door &&
    entry.time === lead.time &&
    entry.label !== null &&
    isFirstHand(entry.label) &&
    (lead.label === null || canonicalize(entry.label) === canonicalize(lead.label))
  if (!isSameVoice) return 'is told by another than what it follows from'
  const { facts } = entry.decision
  switch (entry.op) {
    case 'memory.distrusted':
      return turning.on ? fallProblem(progress, memory, facts) : 'falls where trust returns'
    case 'memory.trusted':
      return turning.on ? 'returns where trust falls' : returnProblem(progress, memory, facts)
    case 'memory.cleared':
      return clearProblem(progress, memory, facts)
    case 'memory.flagged':
      return flagProblem(progress, memory, facts)
    default:
      return 'follows from nothing before it'
  }
}

function take({ turning }: Progress, { ref, distrust }: MemoryState): null {
  turning?.expected.delete(ref)
  turning?.turned.add(ref)
  if (distrust === null) turning?.fallen.add(ref)
  return null
}

function fallProblem(progress: Progress, memory: MemoryState, facts: Facts): string | null {
  const of = progress.turning?.of ?? null
  if (facts.why === 'origin') {
    if (of === null || namesIn(facts) !== 'of,why' || facts.of !== of) {
      return 'falls with another origin'
    }
    const isMeant = progress.turning?.expected.has(memory.ref) || isUntold(progress, memory)
    return isMeant ? take(progress, memory) : 'does not come from there'
  }
  if (namesIn(facts) !== 'why' || facts.why !== 'ground') return 'falls for no reason'
  const isFalling = memory.distrust === null && restsOnNothing(progress, memory)
  return isFalling ? take(progress, memory) : 'rests on more than what is distrusted'
}

/** True if the origin of the memory is unknown, because its words or the actor's key are gone. */
function isUntold(progress: Progress, { ref, distrust }: MemoryState): boolean {
  const { turning, hollow } = progress
  if (!turning || distrust?.origins.includes(turning.of ?? -1)) return false
  if (hollow.has(ref)) return true
  const { origin, of } = turning.lead.decision.facts
  const kind = ORIGIN_KINDS.find((each) => each === origin)
  return kind !== undefined && nameOf(progress, kind, String(of)) === null
}

function returnProblem(progress: Progress, memory: MemoryState, facts: Facts): string | null {
  const { distrust } = memory
  const { turning } = progress
  if (distrust === null || !turning) return 'returns without having fallen'
  if (typeof facts.back !== 'boolean') return 'does not say whether it is believed'
  if (facts.why === 'origin') {
    const isNamed = namesIn(facts) === 'back,of,why' && facts.of === turning.of
    if (!isNamed || !distrust.origins.includes(Number(facts.of))) return 'returns with another'
    return take(progress, memory)
  }
  const isGround = namesIn(facts) === 'back,why' && facts.why === 'ground' && facts.back
  if (!isGround || distrust.own || distrust.origins.length > 0) return 'returns for no reason'
  return take(progress, memory)
}

function flagProblem(progress: Progress, memory: MemoryState, facts: Facts): string | null {
  const source = progress.memories.get(facts.by as Ref) // a lookup, safe for any value
  const isSo =
    namesIn(facts) === 'by,code' &&
    facts.code === 'source_distrusted' &&
    source !== undefined &&
    source.distrust !== null &&
    memory.distrust === null &&
    memory.parents.includes(source.ref) &&
    !isFlaggedFor(memory, source.ref)
  if (!isSo) return 'is flagged for no source that fell'
  if (progress.turning) progress.turning.flagged += 1
  return null
}

function clearProblem(progress: Progress, { flags }: MemoryState, facts: Facts): string | null {
  const of = Array.isArray(facts.of) ? facts.of : []
  const isBack = (by: Ref | null): boolean =>
    by !== null && progress.memories.get(by)?.distrust === null
  const cleared = flags.filter(({ seq }) => of.includes(seq))
  const isSo =
    namesIn(facts) === 'of' &&
    of.length > 0 &&
    cleared.length === of.length &&
    cleared.every(({ code, by }) => code === 'source_distrusted' && isBack(by))
  return isSo && !progress.turning?.on ? null : 'takes down a flag whose source is not back'
}

const isFlaggedFor = ({ flags }: MemoryState, by: Ref): boolean =>
  flags.some((flag) => flag.code === 'source_distrusted' && flag.by === by)

function restsOnNothing({ memories, hollow }: Progress, memory: MemoryState): boolean {
  const { ref, label, sourceType, parents } = memory
  // The label of an erased memory is unknown.
  if (!hollow.has(ref) && !isInferential(label, sourceType)) return false
  const sources = parents.flatMap((parent) => memories.get(parent) ?? [])
  const isBelieved = ({ erased, distrust }: MemoryState): boolean =>
    erased === null && distrust === null
  const wasDistrusted = ({ erased, distrust }: MemoryState): boolean =>
    erased === null ? distrust !== null : erased.distrusted === true
  return sources.some(wasDistrusted) && !sources.some(isBelieved)
}

/** Checks at the end of the unit that all consequences are recorded. */
export function closeTurning(progress: Progress, next: Entry | null): void {
  const { turning, hollow, memories } = progress
  if (turning === null || next?.unit === turning.lead.unit) return
  progress.turning = null
  const { lead, expected, turned, fallen, erased, flagged, on } = turning
  const at = { seq: lead.seq, ref: lead.ref }
  const report = (detail: string): void => found(progress, 'entry.operation', { ...at, detail })
  const [missing] = expected
  if (missing !== undefined) report(`${missing} should ${on ? 'fall' : 'return'} with it`)
  const { facts } = lead.decision
  if (lead.ref === null && (facts.memories !== turned.size || facts.flagged !== flagged)) {
    report('counts others than it turns')
  }
  const isWhole = (memory: MemoryState): boolean =>
    memory.erased === null && !hollow.has(memory.ref)
  for (const ref of erased) {
    const [lost] = childrenIn(progress, ref).filter(
      (child) => isWhole(child) && !isSettled(progress, child),
    )
    if (lost) report(`${lost.ref} is left with distrusted sources alone, and keeps its belief`)
  }
  for (const ref of turned) {
    const memory = memories.get(ref)
    if (!memory || !isWhole(memory)) continue
    if (!isSettled(progress, memory)) report(`${ref} is not believed as it should be`)
    for (const child of childrenIn(progress, ref)) {
      if (!isWhole(child)) continue
      if (!isSettled(progress, child)) report(`${child.ref} rests on ${ref}, and is not told of`)
      const isLost = memory.distrust !== null && child.distrust === null
      if (isLost && fallen.has(ref) && !isFlaggedFor(child, ref))
        report(`${child.ref} lost ${ref} unsaid`)
      if (memory.distrust === null && isFlaggedFor(child, ref)) {
        report(`${child.ref} has ${ref} back unsaid`)
      }
    }
  }
}

/** A memory is believed exactly when nothing is distrusted that its belief needs. */
function isSettled(progress: Progress, memory: MemoryState): boolean {
  const { distrust } = memory
  if (distrust === null) return !restsOnNothing(progress, memory)
  const isDirect = distrust.own || distrust.origins.length > 0
  return isDirect || restsOnNothing(progress, memory)
}

/** A memory from a distrusted origin must be born distrusted, and no other memory may be. */
export function bornProblem(
  progress: Progress,
  { op, actor, door, decision }: Entry,
  { session }: Provenance,
): string | null {
  const { distrusted } = progress.stack
  const matches = distrusted.filter(({ origin, of }) => {
    if (origin === 'actor') return of === actor
    if (origin === 'door') return of === door
    const name = session === null ? null : keyNameOf('session', session)
    const key = name === null ? undefined : progress.keys.get(name)
    return key !== undefined && pseudonymIn(progress, key.actor, key.key) === of
  })
  const { disposition, facts } = decision
  if (disposition !== 'Distrusted') {
    const isKeptOut = disposition === 'Quarantined' || op === 'memory.refused'
    return matches.length === 0 || isKeptOut ? null : 'is believed, and where it comes from is not'
  }
  const told = canonicalize(facts.distrusted ?? null)
  const isTold = told === canonicalize(matches.map(({ seq }) => seq))
  return op === 'memory.saved' && matches.length > 0 && isTold
    ? null
    : 'is distrusted, and nothing says why'
}
