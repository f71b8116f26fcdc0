// Section 4 of docs/ledger-format.md: what may be said of a claim, and when.

import { isList, isObject, type Json, type JsonObject } from './naive-canonical.ts'
import { type Entry, isTime } from './naive-entry.ts'
import type { Due } from './naive-follows.ts'
import { isExternal, isLive, type Memory, type Policy } from './naive-memory.ts'

type Known = { memories: ReadonlyMap<string, Memory>; policy: Policy }
type Change = { entry: Entry; memory: Memory }

/** What is kept of a claim beside what is kept of every memory. */
export type Claim = {
  line: string
  value: string
  until: string | null
  endedAt: string | null
  isOverruled: boolean
  isTakenBack: boolean
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
  const { end, endGranularity } = isObject(body.validTime) ? body.validTime : ({} as JsonObject)
  return {
    line: JSON.stringify([fold(body.subject), fold(body.predicate)]),
    value: JSON.stringify(foldValue(body.value)),
    until: endOf(end, endGranularity),
    endedAt: null,
    isOverruled: false,
    isTakenBack: false,
  }
}

const unless = (holds: boolean, otherwise: string): string | false => !holds && otherwise

const isKeptOut = ({ standing }: Memory): boolean =>
  standing === 'Quarantined' || standing === 'Rejected'

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
      return other.isFirstHand && line === memory.claim?.line && value !== memory.claim?.value
    }
    const isWitness = (ref: Json): boolean => {
      const found = memories.get(String(ref))
      if (found === undefined || !isLive(found, policy) || !found.isFirstHand) return false
      return !found.isCaptured && (!found.claim || found.claim.line !== memory.claim?.line)
    }
    const isWord = entry.label?.kind === 'UserAsserted' || evidence.length > 0
    const isAffirmed = verdict === 'affirm'
    return [
      unless(isOpen(memory), 'decides about no claim that stands'),
      unless(isExternal(entry.label), 'decides without leave'),
      unless(['affirm', 'deny', 'unknown'].includes(String(verdict)), 'is no verdict'),
      unless(isWord && evidence.every(isWitness), 'rests on nothing first-hand'),
      unless(isAffirmed === overrules.length > 0, 'overrules nothing, or too much'),
      unless(overrules.every(isRival), 'overrules what does not contest it'),
    ]
  },
  'claim.superseded': () => ['follows from nothing before it'],
}

const isOpen = (memory: Memory): boolean =>
  memory.claim !== null && !memory.claim.isTakenBack && !isKeptOut(memory)

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
  if (op !== 'claim.adjudicated') return {}
  if (facts.verdict === 'deny') {
    return { standing: 'Superseded', claim: { ...claim, isTakenBack: true } }
  }
  if (facts.verdict === 'unknown') return { standing: 'Contested' }
  const standing = memory.isFirstHand ? 'CommittedCheap' : 'CommittedInferred'
  return { standing, claim: { ...claim, isOverruled: false } }
}
