// Section 5 of docs/ledger-format.md: content that is gone because an entry says so, and what can
// still be said of everything that rested on it.

import { hasExactly, isList, isObject, type Json, readCanonical } from './naive-canonical.ts'
import { doubtAtBirth } from './naive-distrust.ts'
import { linkOf } from './naive-echo.ts'
import { type Entry, isHash } from './naive-entry.ts'
import type { Due } from './naive-follows.ts'
import { countedTier, isExternal, liftAtBirth, type Memory, type Policy } from './naive-memory.ts'

/** Which memories an entry erased, and which entry it was. */
export type Erased = ReadonlyMap<string, number>

export function erasedIn(entries: readonly { bytes: Uint8Array }[]): Erased {
  const erased = new Map<string, number>()
  entries.forEach(({ bytes }, seq) => {
    const entry = readCanonical(bytes)
    if (!isObject(entry) || entry.op !== 'memory.erased') return
    if (typeof entry.ref === 'string' && !erased.has(entry.ref)) erased.set(entry.ref, seq)
  })
  return erased
}

/** Whether it seals what an actor said of a memory, and the actor was erased later: it may be gone. */
export function mayBeGone(entry: Entry, entries: readonly { bytes: Uint8Array }[]): boolean {
  const { op, actor, revision, decision } = entry
  const isOfRow = op === 'memory.described' && decision.facts.tags !== undefined
  if (actor === null || revision !== null || isOfRow || op === 'memory.annotated') return false
  return shredded(entries).some(({ of, seq }) => seq > entry.seq && of === actor)
}

const known = new WeakMap<object, { of: Json | undefined; seq: number }[]>()

/** Whose names were shredded, and where; read once for a ledger. */
function shredded(entries: readonly { bytes: Uint8Array }[]) {
  const found = known.get(entries) ?? []
  if (known.has(entries)) return found
  entries.forEach(({ bytes }, seq) => {
    const entry = readCanonical(bytes)
    if (!isObject(entry) || entry.op !== 'actor.erased' || !isObject(entry.decision)) return
    if (isObject(entry.decision.facts)) found.push({ of: entry.decision.facts.of, seq })
  })
  known.set(entries, found)
  return found
}

/** Whether the content of an entry is to be gone. */
export const isGone = ({ ref, seq }: Entry, erased: Erased): boolean =>
  ref !== null && seq < (erased.get(ref) ?? -1)

/** Whether an entry names a memory that is erased at any time: then not all can be worked out. */
export function namesErased(entry: Entry, erased: Erased): boolean {
  const text = JSON.stringify([entry.ref, entry.parents, entry.decision.facts])
  return [...erased.keys()].some((ref) => text.includes(ref))
}

/** What was due of an erased memory is taken as it is told, or left out where it is not. */
export function nextDue(due: Due[], entry: Entry, erased: Erased): Due | undefined {
  for (let next = due.shift(); next !== undefined; next = due.shift()) {
    if (!erased.has(next.ref)) return next
    if (entry.op === next.op && entry.ref === next.ref) {
      return { ...next, facts: entry.decision.facts }
    }
  }
  return undefined
}

/** A birth or a revision without its content: what the entry alone says. */
export function hollow(before: Memory | undefined, entry: Entry, { numbers }: Policy): Memory {
  const ref = String(entry.ref)
  const { depth } = entry.decision.facts
  const { nearest, farthest } = isObject(depth) ? depth : { nearest: null, farthest: null }
  return {
    ref,
    kind: ref.slice(0, ref.indexOf(':')),
    born: entry.seq,
    bornAt: entry.time,
    unit: entry.unit,
    strength: { value: numbers.strengthAtBirth as number, at: entry.time },
    confidence: { value: 0, at: entry.time },
    isProtected: false,
    accesses: 0,
    verifications: 0,
    reinforcements: 0,
    anchors: [],
    flags: [],
    status: null,
    sourceId: '',
    isCaptured: entry.op === 'memory.saved' && depth === undefined,
    goalType: null,
    claim: null,
    link: linkOf(before, entry),
    session: null,
    sourceType: '',
    isModel: entry.label?.type === 'ModelDerived',
    doubt: doubtAtBirth(entry, isExternal(entry.label)),
    ...before,
    standing: entry.decision.disposition,
    isFirstHand: isExternal(entry.label),
    bornFrom: [],
    parents: entry.parents.map((parent) => parent.ref),
    tier: countedTier(entry),
    ...liftAtBirth(entry),
    door: String(entry.door),
    nearest: nearest as number | null, // looked at with the facts of its entry
    farthest: farthest as number | null,
  }
}

/** What an erasure leaves of a memory: nothing that comes to mind or is believed. */
export const blank = (memory: Memory, { time }: Entry): Memory => ({
  ...memory,
  strength: { value: 0, at: time },
  confidence: { value: 0, at: time },
  standing: 'Invalidated',
  flags: [],
  claim: null,
  doubt: null,
  isErased: true,
})

const BASES = [
  'requested',
  'consent_withdrawn',
  'retention',
  'unlawful',
  'secret',
  'mistake',
  'other',
]

export const isBasis = (fact: Json | undefined): boolean => BASES.some((basis) => basis === fact)

const isMarks = (fact: Json | undefined): boolean => isList(fact) && fact.every(isHash)

export function problemsOfErasure(entry: Entry): string[] {
  const { facts } = entry.decision
  const isClaim = entry.ref?.startsWith('claim:') === true
  const { silent, by, until } = facts
  const place = ['silent', 'by', 'until'].filter((name) => facts[name] !== undefined)
  const members = ['basis', 'tombstones', ...(isClaim ? ['dated', ...place] : [])]
  const isTold = hasExactly(facts, members) && isBasis(facts.basis) && isMarks(facts.tombstones)
  const isPlace =
    typeof facts.dated === 'boolean' &&
    (silent === undefined || silent === true) &&
    (by === undefined || String(by).startsWith('claim:')) &&
    (until === undefined || !Number.isNaN(Date.parse(String(until))))
  return isTold && (!isClaim || isPlace) ? [] : ['erases with other facts']
}

/** A claim that stays says what kind its line is, in the place of one that goes. */
export const keepsKind = (entry: Entry, before: Entry | undefined): boolean =>
  entry.op === 'claim.recast' &&
  entry.decision.rule === null &&
  before?.unit === entry.unit &&
  ['memory.erased', 'actor.erased', 'claim.recast'].includes(before.op)

export const problemsOfShredding = ({ decision: { facts } }: Entry): string[] =>
  hasExactly(facts, ['basis', 'of']) && isBasis(facts.basis) && isHash(facts.of)
    ? []
    : ['erases an actor with other facts']

export const problemsOfKeeping = ({ decision: { facts } }: Entry): string[] =>
  hasExactly(facts, ['basis', 'tombstones']) && isMarks(facts.tombstones) ? [] : ['keeps no mark']

export const problemsOfLifting = ({ decision: { facts } }: Entry): string[] =>
  hasExactly(facts, ['tombstones']) && isMarks(facts.tombstones) ? [] : ['lifts no mark']
