import { DISTRUST_LIMITS, keyNameOf } from '../../domain/distrust.ts'
import type { Entry, Facts, StoredEntry } from '../../domain/entry.ts'
import { LimitError, MaintenanceModeError, MunimentError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type DistrustCommand, type Outcome, pointerTo } from '../../domain/write.ts'
import { fallOf, returnOf, type Turning } from '../../fold/distrust.ts'
import { chanceOf } from '../../ledger/chance.ts'
import { whyNotDecided } from '../change-caller.ts'
import { begin, failed, sealNote, type Telling, tell } from '../change-entry.ts'
import type { Desk } from '../desk.ts'
import { type Origin, originMark } from '../evidence.ts'
import { propose } from '../proposal.ts'

/**
 * Only a person or the host decides on trust. A model can only propose to distrust one memory; a
 * person approves the proposal, whoever wrote the memory.
 */
export function decideDistrust(act: DistrustCommand, desk: Desk): Outcome {
  const error = refusal(act, desk)
  if (error) return failed(error)
  return act.what.type === 'memory'
    ? turnMemory(act, act.what.ref, desk)
    : turnOrigin(act, act.what, desk)
}

function refusal(act: DistrustCommand, { policy, stack }: Desk): MunimentError | null {
  const { on, what } = act
  if (stack.state === 'MAINTENANCE') return new MaintenanceModeError(on ? 'distrust' : 'trust')
  return whyNotDecided(act, policy, {
    mayPropose: on && what.type === 'memory',
    forModels: 'A model can propose distrust of one memory, and no more.',
    verb: 'say what is believed',
  })
}

const NOTHING: Outcome = {
  type: 'turned',
  result: { entry: null, memories: [], flagged: [], cleared: [] },
}

function turnMemory(act: DistrustCommand, ref: Ref, desk: Desk): Outcome {
  const memory = desk.memory(ref)
  if (!memory || memory.erased !== null) {
    return failed(new MunimentError('not_found', `${ref} does not exist in this stack.`))
  }
  const { on, basis } = act
  if ((memory.distrust?.own ?? false) === on) return NOTHING
  if (!isFirstHand(act.label)) {
    const note = noteOf(act, desk)
    const facts = { change: 'distrust', basis }
    return propose({ memory, facts, note, by: act.actor }, desk, () => begin(act, desk))
  }
  const turning = on
    ? fallOf(desk.gathered, { isDoubted: (each) => each.ref === ref, why: 'own' })
    : returnOf(desk.gathered, { why: 'own', of: ref })
  const telling = begin(act, desk)
  const [own, ...others] = turning.turned
  const facts = { why: 'own', basis, ...(on ? {} : { back: own?.back ?? true }) }
  const op = on ? 'memory.distrusted' : 'memory.trusted'
  const stored = tell(telling, { ref, op, facts, rule: 'admit' }, noteOf(act, desk))
  tellTurning(telling, { ...turning, turned: others }, on, null)
  return answer(stored, turning)
}

function noteOf({ text, arrival }: DistrustCommand, desk: Desk) {
  const chance = chanceOf(desk.setting.sha256, arrival.bytes)
  return sealNote({ fields: null, tags: null, text }, chance)
}

function turnOrigin(act: DistrustCommand, origin: Origin, desk: Desk): Outcome {
  const { distrusted } = desk.stack
  const mark = originMark(desk, origin)
  const standing = distrusted.find((each) => each.origin === origin.type && each.of === mark)
  if ((standing !== undefined) === act.on) return NOTHING
  if (standing !== undefined) {
    const turning = returnOf(desk.gathered, { why: 'origin', of: standing.seq })
    const telling = begin(act, desk)
    const { origin: type, of, seq } = standing
    const facts = { origin: type, of, lifts: seq, ...countsOf(turning) }
    const stored = appendOrigin(telling, 'origin.trusted', facts)
    tellTurning(telling, turning, false, seq)
    return answer(stored, turning)
  }
  const { distrustedOriginsMax: max } = DISTRUST_LIMITS
  if (distrusted.length >= max) {
    const hint = 'Trust some of them again, or erase what they said.'
    return failed(new LimitError('distrustedOriginsMax', max, distrusted.length + 1, { hint }))
  }
  const turning = fallOf(desk.gathered, { isDoubted: isOf(origin), why: 'origin' })
  const telling = begin(act, desk)
  const facts = {
    origin: origin.type,
    of: namedOrigin(act, origin, desk),
    basis: act.basis,
    ...countsOf(turning),
  }
  const stored = appendOrigin(telling, 'origin.distrusted', facts)
  tellTurning(telling, turning, true, stored.entry.seq)
  return answer(stored, turning)
}

/** An origin without earlier entries gets a pseudonym in the ledger like any other. */
function namedOrigin({ arrival }: DistrustCommand, origin: Origin, desk: Desk): string {
  if (origin.type === 'door') return origin.name
  const key = keyNameOf(origin.type, origin.name)
  // The actor of this command may take the first key of these bytes.
  const chance = chanceOf(desk.setting.sha256, arrival.bytes)
  if (desk.actorKey(key) === undefined) desk.putActorKey(key, chance.originKey())
  return desk.pseudonym(key)
}

/** True where the memory's current revision comes from the origin. */
export const isOf =
  ({ type, name }: Origin) =>
  ({ sourceId, door, session }: MemoryState): boolean =>
    ({ actor: sourceId, door, session })[type] === name

const countsOf = ({ turned, flagged }: Turning): Facts => ({
  memories: turned.length,
  flagged: flagged.length,
})

export function tellTurning(
  telling: Telling,
  { turned, flagged, cleared }: Turning,
  on: boolean,
  of: number | null,
): void {
  for (const { memory, why, back } of turned) {
    const facts = {
      why,
      ...(why === 'origin' ? { of } : {}),
      ...(on ? {} : { back }),
    }
    const op = on ? 'memory.distrusted' : 'memory.trusted'
    tell(telling, { ref: memory.ref, op, facts, rule: null })
  }
  for (const { ref, of: seqs } of cleared) {
    tell(telling, { ref, op: 'memory.cleared', facts: { of: seqs }, rule: null })
  }
  for (const { ref, by } of flagged) {
    const facts = { code: 'source_distrusted', by }
    tell(telling, { ref, op: 'memory.flagged', facts, rule: null })
  }
}

function appendOrigin(
  { desk, unit, actor, door, time }: Telling,
  op: Extract<Entry['op'], `origin.${string}`>,
  facts: Facts,
): StoredEntry {
  return desk.append({ op, time, unit, actor, door, decision: { facts } })
}

const answer = (stored: StoredEntry, { turned, flagged, cleared }: Turning): Outcome => ({
  type: 'turned',
  result: {
    entry: pointerTo(stored),
    memories: turned.map(({ memory }) => memory.ref),
    flagged: [...new Set(flagged.map(({ ref }) => ref))],
    cleared: cleared.map(({ ref }) => ref),
  },
})
