// Section 4 of docs/ledger-format.md: what is folded for each memory, and its numbers now.

import { isList, isObject, type Json, type JsonObject, readCanonical } from './naive-canonical.ts'
import { type Claim, changedClaim, claimOf } from './naive-claims.ts'
import { type Doubt, doubtAtBirth, doubtedAfter } from './naive-distrust.ts'
import { linkAfter, linkOf } from './naive-echo.ts'
import type { Entry } from './naive-entry.ts'
import { type SealedRow, sourcesIn } from './naive-sealed.ts'

export type Dated = { value: number; at: string }
export type Flag = { code: string; by: string | null; seq: number; actor?: string | null }

export type Memory = {
  ref: string
  kind: string
  born: number
  bornAt: string
  strength: Dated
  confidence: Dated
  isProtected: boolean
  /** A model protected it. */
  isModelProtected?: boolean
  accesses: number
  verifications: number
  reinforcements: number
  anchors: string[]
  /** Anchors that counted for somebody without authority, and are not used up. */
  unspent?: string[]
  flags: Flag[]
  standing: string | null
  status: Json
  isFirstHand: boolean
  /** The sources of its birth; `parents` has those that revisions added too. */
  bornFrom: string[]
  parents: string[]
  sourceId: string
  isCaptured: boolean
  goalType: Json
  tier: number
  /** The tier that its words came with. */
  bornTier?: number
  /** A quote lifted the tier: of which memory, to what, and the flags that took the lift away. */
  lift?: Lift | undefined
  door: string
  nearest: number | null
  farthest: number | null
  unit: number
  claim: Claim | null
  session: string | null
  sourceType: string
  isModel: boolean
  doubt: Doubt | null
  isErased?: boolean
  link: string | null
}

export type Lift = { of: string; to: number; lostBy: number[] }

/** The lift that the entry of a birth tells, and the tier without it. */
export function liftAtBirth({ tier, decision: { facts } }: Entry) {
  const { lift, quote } = facts
  if (!isObject(lift) || !isObject(quote)) return { bornTier: Number(tier), lift: undefined }
  return {
    bornTier: Number(lift.from),
    lift: { of: String(quote.of), to: Number(lift.to), lostBy: [] },
  }
}

const GONE = ['source_forgotten', 'source_erased', 'source_distrusted']

/** A flag about the quoted memory takes the lift away; who takes it down without a rule brings it back. */
function liftedAfter(
  memory: Memory,
  { op, seq, decision: { rule, facts } }: Entry,
): Partial<Memory> {
  const { lift } = memory
  if (lift === undefined) return {}
  if (isObject(facts.tier)) return { lift: undefined }
  const isLost =
    op === 'memory.flagged' && facts.by === lift.of && GONE.includes(String(facts.code))
  const isBack = op === 'memory.cleared' && rule === null
  if (!isLost && !isBack) return {}
  const lostBy = isLost
    ? [...lift.lostBy, seq]
    : lift.lostBy.filter((each) => !(facts.of as readonly Json[]).includes(each))
  const tier = lostBy.length === 0 ? lift.to : (memory.bornTier ?? memory.tier)
  return { tier, lift: { ...lift, lostBy } }
}

export type Sources = { min: number; from: string[]; revises: boolean }
export type Decay = { rate: number; periodDays: number; floor: number }

export type Policy = {
  numbers: Record<string, number>
  kinds: Record<string, { decay: Decay | null; sources: Sources; asserts: boolean }>
  doors: Record<string, Record<string, Record<string, number>>>
  notBelieved: string[]
}

const DAY_MS = 86_400_000

export const r = (x: number): number => Math.round(x * 1e9) / 1e9

const daysSince = (at: string, now: string): number =>
  Math.max(0, Math.floor((Date.parse(now) - Date.parse(at)) / DAY_MS))

export function strengthNow(memory: Memory, { numbers }: Policy, now: string): number {
  const { value, at } = memory.strength
  if (memory.isProtected || value === 0 || memory.kind === 'epoch') return value
  const number = (name: string): number => numbers[name] as number // policies name them all
  const periods: Record<string, string> = {
    aspiration: 'strengthPeriodDaysAspiration',
    commitment: 'strengthPeriodDaysCommitment',
  }
  const special = memory.kind === 'goal' ? periods[String(memory.goalType)] : undefined
  const period = number(special ?? 'strengthPeriodDays')
  const lost = (number('strengthLostPerPeriod') * daysSince(at, now)) / period
  const lift = number('strengthLiftPerLogAccess') * Math.log(memory.accesses + 1)
  return Math.min(1, Math.max(0, r(Math.min(value, value - lost + lift))))
}

export function confidenceNow(memory: Memory, { kinds }: Policy, now: string): number {
  const { value, at } = memory.confidence
  const decay = kinds[memory.kind]?.decay ?? null
  if (decay === null || value <= decay.floor) return value
  return Math.max(decay.floor, r(value - (decay.rate * daysSince(at, now)) / decay.periodDays))
}

export const isSetAside = ({ standing }: Memory, { notBelieved }: Policy): boolean =>
  standing === 'Distrusted' || notBelieved.some((word) => word === standing)

export const isLive = (memory: Memory, policy: Policy): boolean =>
  !isSetAside(memory, policy) && memory.strength.value !== 0

export const isExternal = (label: JsonObject | null): boolean => label?.type === 'External'

/** Words of a tool that a hook captured count for tier 1 at most, unless a person vouches for them. */
export function countedTier({ ref, door, label, tier, decision }: Entry): number {
  const isOfHook = door === 'hook' && label?.kind === 'ExternalFirstHand'
  const isCapture = /^(raw|note):/.test(String(ref))
  const isUnvouched = isOfHook && isCapture && decision.facts.vouched !== true
  return isUnvouched ? Math.min(1, Number(tier)) : Number(tier)
}

/** A memory with the tier that was recorded, where it counts for less today. */
export const asRecorded = (memory: Memory): Memory => ({
  ...memory,
  tier: Math.max(memory.tier, memory.bornTier ?? 0),
})

/** A memory after a birth or a revision of it, with what that sealed. */
export function certified(
  before: Memory | undefined,
  entry: Entry,
  { row, policy }: { row: SealedRow; policy: Policy },
): Memory | undefined {
  const sealed = readCanonical(row.bytes)
  if (!isObject(sealed) || !isObject(sealed.body) || !isObject(sealed.provenance)) return undefined
  const { body, provenance } = sealed
  const ref = String(entry.ref)
  const kind = ref.slice(0, ref.indexOf(':'))
  const isKept = ['value', 'drive', 'summary'].includes(kind)
  const isMeant = kind === 'goal' && ['aspiration', 'commitment'].includes(String(body.goalType))
  return {
    ref,
    kind,
    born: entry.seq,
    bornAt: entry.time,
    unit: entry.unit,
    strength: { value: policy.numbers.strengthAtBirth as number, at: entry.time },
    isProtected: isKept || isMeant,
    accesses: 0,
    verifications: 0,
    reinforcements: 0,
    anchors: [],
    flags: [],
    doubt: doubtAtBirth(entry, isExternal(entry.label)),
    ...before,
    ...(entry.decision.facts.anew === true ? { verifications: 0, anchors: [], unspent: [] } : {}),
    confidence: { value: Number(provenance.confidence), at: entry.time },
    standing: entry.decision.disposition,
    status: body.status ?? null,
    isFirstHand: isExternal(entry.label),
    bornFrom: isList(provenance.derivedFrom) ? provenance.derivedFrom.map(String) : [],
    parents: sourcesIn(provenance).map(String),
    sourceId: String(provenance.sourceId),
    isCaptured: provenance.captured === true,
    goalType: body.goalType ?? null,
    tier: countedTier(entry),
    ...liftAtBirth(entry),
    door: String(entry.door),
    nearest: provenance.depthNearest as number | null, // checked by its certificate
    farthest: provenance.depthFarthest as number | null,
    claim: quoting(claimOf(kind, body), provenance),
    link: linkOf(before, entry),
    session: provenance.session === null ? null : String(provenance.session),
    sourceType: String(provenance.sourceType),
    isModel: entry.label?.type === 'ModelDerived',
  }
}

const quoting = (claim: Claim | null, { quote }: JsonObject): Claim | null =>
  claim && { ...claim, quotes: isObject(quote) }

/** A memory after a change of it that was found right. */
export function changed(memory: Memory, entry: Entry, { numbers }: Policy): Memory {
  const { facts } = entry.decision
  const after: Memory = {
    ...memory,
    ...changedClaim(memory, entry),
    ...doubtedAfter(memory, entry),
    link: linkAfter(memory, entry),
    ...liftedAfter(memory, entry),
  }
  const { strength, confidence } = facts
  if (isObject(facts.tier)) after.tier = Number(facts.tier.to)
  if (isObject(strength)) after.strength = { value: Number(strength.to), at: entry.time }
  if (isObject(confidence)) after.confidence = { value: Number(confidence.to), at: entry.time }
  if (entry.op === 'memory.protected') after.isProtected = true
  if (entry.op === 'memory.unprotected') after.isProtected = false
  if (['memory.protected', 'memory.unprotected'].includes(entry.op)) {
    after.isModelProtected = entry.op === 'memory.protected' && !isExternal(entry.label)
  }
  if (facts.accesses !== undefined) after.accesses = Number(facts.accesses)
  if (facts.verifications !== undefined) after.verifications = Number(facts.verifications)
  if (facts.times !== undefined) after.reinforcements = Number(facts.times)
  if (isList(facts.anchors)) {
    const named = facts.anchors.map(String)
    const { unspent = [] } = memory
    if (facts.spends === false) after.unspent = [...unspent, ...named]
    else {
      after.anchors = [...memory.anchors, ...named]
      after.unspent = unspent.filter((ref) => !named.includes(ref))
    }
  }
  if (entry.op === 'memory.proposed') {
    const by = facts.change === 'revise' ? memory.ref : null
    const flag = { code: 'proposed', by, seq: entry.seq, actor: entry.actor }
    after.flags = [...memory.flags, flag]
  }
  if (entry.op === 'memory.flagged') {
    const by = facts.by === null ? null : String(facts.by)
    after.flags = [...memory.flags, { code: String(facts.code), by, seq: entry.seq }]
  }
  if (entry.op === 'memory.cleared') {
    const of = facts.of as readonly Json[]
    after.flags = memory.flags.filter(({ seq }) => !of.includes(seq))
  }
  const mark = numbers.strengthDormantBelow as number // policies name them all
  if (isObject(strength) && Number(strength.to) >= mark) {
    after.flags = after.flags.filter(({ code }) => code !== 'dormant')
  }
  if (entry.op === 'belief.deactivated') after.standing = 'Superseded'
  if (entry.op === 'suggestion.resolved') after.status = facts.status as Json
  return after
}
