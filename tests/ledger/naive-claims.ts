// Section 4 of docs/ledger-format.md: what may be said of a claim, and when.

import { isList, isObject, type Json, type JsonObject } from './naive-canonical.ts'
import { type Entry, isTime } from './naive-entry.ts'
import type { Due } from './naive-follows.ts'
import { isExternal, isLive, type Memory, type Policy } from './naive-memory.ts'
import { riseIs } from './naive-tier.ts'

type Known = { memories: ReadonlyMap<string, Memory>; policy: Policy }
type Change = { entry: Entry; memory: Memory }

/** What is kept of a claim beside what is kept of every memory. */
export type Claim = {
  line: string
  value: string
  from: string | null
  until: string | null
  sure: number
  cardinality: string
  endedAt: string | null
  isOverruled: boolean
  isTakenBack: boolean
  quotes: boolean
}

const fold = (text: Json | undefined): string =>
  String(text).normalize('NFC').toLowerCase().normalize('NFC').replace(/\s+/gu, ' ').trim()

function foldValue(value: Json | undefined): Json {
  if (typeof value === 'string') return fold(value)
  if (isList(value)) return value.map(foldValue)
  if (!isObject(value)) return value ?? null
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, member]) => [name, foldValue(member)]))
}

/** The end of what a date names. */
function endOf(given: Json | undefined, granularity: Json | undefined): string | null {
  if (!isTime(given)) return null
  const at = String(given)
  const [year, month, day] = [at.slice(0, 4), at.slice(5, 7), at.slice(8, 10)].map(Number)
  if (year === undefined || month === undefined || day === undefined) return null
  const next: Record<string, [number, number, number]> = {
    year: [year + 1, 0, 1],
    month: [year, month, 1],
    day: [year, month - 1, day + 1],
  }
  const named = next[String(granularity)]
  if (named === undefined) return at
  const end = new Date(Date.UTC(...named)).toISOString()
  return end.length === 24 ? end : null
}

export function claimOf(kind: string, body: JsonObject): Claim | null {
  if (kind !== 'claim') return null
  const { start, end, endGranularity, confidence } = isObject(body.validTime)
    ? body.validTime
    : ({} as JsonObject)
  return {
    line: JSON.stringify([fold(body.subject), fold(body.predicate)]),
    value: JSON.stringify(foldValue(body.value)),
    from: isTime(start) ? String(start) : null,
    until: endOf(end, endGranularity),
    sure: Number(confidence ?? 1),
    cardinality: String(body.cardinality),
    endedAt: null,
    isOverruled: false,
    isTakenBack: false,
    quotes: false,
  }
}

const unless = (holds: boolean, otherwise: string): string | false => !holds && otherwise

const isKeptOut = ({ standing }: Memory): boolean =>
  ['Quarantined', 'Rejected', 'Distrusted'].includes(String(standing))

export const CLAIM_JUDGES: Record<string, (change: Change, known: Known) => (string | false)[]> = {
  'claim.ended': ({ entry, memory }) => {
    const { at } = entry.decision.facts
    const ends = [memory.claim?.endedAt ?? null, memory.claim?.until ?? null]
    return [
      unless(isOpen(memory), 'ends what is no claim, or was taken back'),
      unless(
        isTime(at) && ends.every((end) => end === null || String(at) < end),
        'brings no end forward',
      ),
    ]
  },
  'claim.retracted': ({ memory }) => [unless(isOpen(memory), 'takes back no claim that stands')],
  'claim.reopened': ({ entry, memory }) => {
    const { isTakenBack, isOverruled, endedAt } = memory.claim ?? {}
    const isShut = isTakenBack === true || isOverruled === true || typeof endedAt === 'string'
    return [
      unless(isShut && !isKeptOut(memory), 'reopens what is open'),
      unless(isExternal(entry.label), 'reopens without leave'),
    ]
  },
  'claim.adjudicated': ({ entry, memory }, { memories, policy }) => {
    const { verdict, evidence, overrules } = entry.decision.facts
    if (!isList(evidence) || !isList(overrules)) return ['rests on no list, or overrules none']
    const isRival = (ref: Json): boolean => {
      const other = memories.get(String(ref))
      if (other === undefined || other === memory || !isLive(other, policy)) return false
      const { line, value } = other.claim ?? {}
      const stands = standsUp(other, memory)
      return stands && line === memory.claim?.line && value !== memory.claim?.value
    }
    const isWitness = (ref: Json): boolean => {
      const found = memories.get(String(ref))
      if (found === undefined || !isLive(found, policy) || !found.isFirstHand) return false
      return !found.isCaptured && (!found.claim || found.claim.line !== memory.claim?.line)
    }
    const isWord = entry.label?.kind === 'UserAsserted' || evidence.length > 0
    const isAffirmed = verdict === 'affirm'
    const isPerson = entry.label?.kind === 'UserAsserted'
    const lift = isAffirmed && isPerson ? Number(policy.numbers.tierOfVerdict ?? 0) : 0
    return [
      riseIs({ entry, memory }, lift),
      unless(isOpen(memory), 'decides about no claim that stands'),
      unless(isExternal(entry.label), 'decides without leave'),
      unless(['affirm', 'deny', 'unknown'].includes(String(verdict)), 'is no verdict'),
      unless(isWord && evidence.every(isWitness), 'rests on nothing first-hand'),
      unless(isAffirmed === overrules.length > 0, 'overrules nothing, or too much'),
      unless(overrules.every(isRival), 'overrules what does not contest it'),
    ]
  },
  'claim.superseded': () => ['follows from nothing before it'],
  'claim.lapsed': ({ entry, memory }, known) => {
    const { why } = entry.decision.facts
    const ttl = Number(known.policy.numbers.adjudicationTtlHours) * 3_600_000
    const isLate = Date.parse(entry.time) - Date.parse(memory.bornAt) > ttl
    const isContested = contestsOf(memory, known).length > 0
    const isDue =
      why === 'uncontested'
        ? !isContested
        : why === 'expired' && isContested && isLate && memory.standing === 'QueuedForAdjudication'
    const waits = ['Contested', 'QueuedForAdjudication', 'PendingConflict']
    return [
      unless(
        isOpen(memory) && waits.includes(String(memory.standing)),
        'lapses what does not wait',
      ),
      unless(isDue, 'lapses what still waits'),
    ]
  },
  'claim.recast': ({ entry, memory }) => {
    const { to } = entry.decision.facts
    return [
      unless(memory.claim !== null && !isKeptOut(memory), 'recasts what is no claim'),
      unless(entry.label?.kind === 'UserAsserted', 'recasts without leave'),
      unless(to === 'Functional' || to === 'SetValued', 'recasts into nothing that a line can be'),
      unless(memory.claim?.cardinality !== to, 'recasts into what it is'),
    ]
  },
}

const isOpen = (memory: Memory): boolean =>
  memory.claim !== null && !memory.claim.isTakenBack && !isKeptOut(memory)

/** What was said first-hand, and against that also what quotes somebody. */
const standsUp = (other: Memory, memory: Memory): boolean =>
  other.isFirstHand || (memory.isFirstHand && other.claim?.quotes === true)

/** Live first-hand claims of the line with another value, whose window meets its own; of a set none. */
function contestsOf(memory: Memory, { memories, policy }: Known): Memory[] {
  const { ref, claim } = memory
  const line = [...memories.values()].filter((each) => each.claim?.line === claim?.line)
  const telling = line
    .filter((each) => !isKeptOut(each) && each.claim?.cardinality !== 'Unknown')
    .sort((a, b) => a.born - b.born)
  const teller = telling.find(({ isFirstHand }) => isFirstHand) ?? telling[0]
  if (claim === null || teller?.claim?.cardinality === 'SetValued') return []
  const [from, until] = windowOf(claim, policy)
  return line.filter((other) => {
    if (other.ref === ref || !standsUp(other, memory) || !isLive(other, policy)) return false
    if (other.claim === null || other.claim.value === claim.value) return false
    const [start, end] = windowOf(other.claim, policy)
    return from < until && start < end && from < end && start < until
  })
}

/** In texts, which sort as times do; dates that are not sure enough bound nothing. */
function windowOf(claim: Claim, { numbers }: Policy): [string, string] {
  const isSure = claim.sure >= Number(numbers.validTimeTrustedFrom)
  const ends = [isSure ? claim.until : null, claim.endedAt].map((end) => end ?? '~')
  return [isSure ? (claim.from ?? '') : '', ends.sort()[0] ?? '~']
}

/** A claim that says whom it succeeds, and who therefore gives way next. */
export function problemsOfSuccession(
  entry: Entry,
  { memories, erased }: Pick<Known, 'memories'> & { erased: ReadonlyMap<string, number> },
): string[] {
  const { succeeds } = entry.decision.facts
  if (succeeds === undefined || !['memory.saved', 'memory.revised'].includes(entry.op)) return []
  const isClaim = (ref: Json): boolean =>
    memories.get(String(ref))?.claim != null || erased.has(String(ref))
  const isRight = isList(succeeds) && succeeds.length > 0 && succeeds.every(isClaim)
  return isRight ? [] : ['succeeds what is no claim']
}

export function dueAfterBirth(entry: Entry): Due[] {
  const { succeeds } = entry.decision.facts
  if (!isList(succeeds) || entry.ref === null) return []
  const facts = { by: entry.ref }
  return succeeds.map((ref) => ({ op: 'claim.superseded', ref: String(ref), facts, lead: entry }))
}

/** What an entry makes of a claim, and of its standing. */
export function changedClaim(memory: Memory, { op, decision: { facts } }: Entry): Partial<Memory> {
  const { claim } = memory
  if (claim === null) return {}
  if (op === 'claim.ended') return { claim: { ...claim, endedAt: String(facts.at) } }
  if (op === 'claim.retracted') {
    return { standing: 'Invalidated', claim: { ...claim, isTakenBack: true } }
  }
  if (op === 'claim.reopened') {
    const open = { endedAt: null, isOverruled: false, isTakenBack: false }
    return { standing: 'Reinstated', claim: { ...claim, ...open } }
  }
  if (op === 'claim.superseded') {
    return { standing: 'Superseded', claim: { ...claim, isOverruled: true } }
  }
  const admitted = memory.isFirstHand ? 'CommittedCheap' : 'CommittedInferred'
  if (op === 'claim.lapsed') return { standing: facts.why === 'expired' ? 'Contested' : admitted }
  if (op === 'claim.recast') return { claim: { ...claim, cardinality: String(facts.to) } }
  if (op !== 'claim.adjudicated') return {}
  if (facts.verdict === 'deny') {
    return { standing: 'Superseded', claim: { ...claim, isTakenBack: true } }
  }
  const standing = facts.verdict === 'unknown' ? 'Contested' : admitted
  return { standing, claim: { ...claim, isOverruled: false } }
}
