// Section 4 of docs/ledger-format.md: what falls when something is distrusted, and what comes back.

import { hasExactly, isList, type Json, type JsonObject } from './naive-canonical.ts'
import { type Entry, isHash, isWhole } from './naive-entry.ts'
import type { Due } from './naive-follows.ts'
import { pseudonymOf } from './naive-hash.ts'
import type { Memory } from './naive-memory.ts'

/** Why a memory is not believed, and what it was. */
export type Doubt = { was: string | null; origins: number[]; own: boolean }
export type Standing = { origin: string; of: string; seq: number }
type Key = { actor: string; key: string }
type Reading = { memories: ReadonlyMap<string, Memory>; keys: readonly Key[] }

const BASES: readonly Json[] = ['compromised', 'poisoned', 'mistaken', 'other']
const DOORS = ['lib', 'cli', 'explorer', 'hook', 'mcp', 'http', 'import', 'sync']

export const isDoubtBasis = (value: Json | undefined): boolean =>
  value !== undefined && BASES.includes(value)

/** A word on an origin, by itself and against those that stand. */
export function problemsOfOrigin(entry: Entry, standing: readonly Standing[]): string[] {
  const { facts } = entry.decision
  const on = entry.op === 'origin.distrusted'
  const names = ['flagged', 'memories', 'of', 'origin', on ? 'basis' : 'lifts']
  if (!hasExactly(facts, names)) return ['says other facts of an origin']
  const isNamed =
    facts.origin === 'door'
      ? DOORS.includes(String(facts.of))
      : ['actor', 'session'].includes(String(facts.origin)) && isHash(facts.of)
  const known = standing.find(({ origin, of }) => origin === facts.origin && of === facts.of)
  const isTold = on
    ? isDoubtBasis(facts.basis) && known === undefined && standing.length < 256
    : known !== undefined && known.seq === facts.lifts
  const isCounted = isWhole(facts.memories, 0) && isWhole(facts.flagged, 0)
  return isNamed && isTold && isCounted ? [] : ['says of an origin what cannot be so']
}

export function standingAfter(standing: readonly Standing[], entry: Entry): readonly Standing[] {
  const { origin, of, lifts } = entry.decision.facts
  if (entry.op === 'origin.distrusted') {
    return [...standing, { origin: String(origin), of: String(of), seq: entry.seq }]
  }
  if (entry.op !== 'origin.trusted') return standing
  return standing.filter(({ seq }) => seq !== lifts)
}

const marks = new Map<string, string>()

/** Thousands of ledgers with the same keys are verified: each name is worked out once. */
function markOf(key: string, actor: string): string {
  const known = marks.get(`${key} ${actor}`) ?? pseudonymOf(key, actor)
  marks.set(`${key} ${actor}`, known)
  return known
}

export function isFrom(
  memory: Memory,
  { origin, of }: Omit<Standing, 'seq'>,
  keys: readonly Key[],
) {
  if (origin === 'door') return memory.door === of
  const name = origin === 'actor' ? memory.sourceId : `session:${memory.session}`
  if (origin === 'session' && memory.session === null) return false
  return keys.some(({ actor, key }) => actor === name && markOf(key, actor) === of)
}

const isThere = ({ isErased }: Memory): boolean => !isErased

const byAge = (a: Memory, b: Memory): number => a.born - b.born

function childrenOf(ref: string, { memories }: Reading): Memory[] {
  return [...memories.values()]
    .filter((memory) => isThere(memory) && memory.parents.includes(ref))
    .sort(byAge)
}

const isReasoned = ({ isModel, sourceType }: Memory): boolean =>
  isModel || sourceType === 'inference' || sourceType === 'consolidation'

/** Whether everything it was reasoned from is among these. */
function restsOn(memory: Memory, fallen: ReadonlySet<string>, { memories }: Reading): boolean {
  const sources = memory.parents.flatMap((ref) => memories.get(ref) ?? []).filter(isThere)
  return isReasoned(memory) && sources.length > 0 && sources.every(({ ref }) => fallen.has(ref))
}

/** The same, of all that is distrusted. */
export function restsOnDoubted(memory: Memory, memories: ReadonlyMap<string, Memory>): boolean {
  const fallen = [...memories.values()].filter(({ doubt }) => doubt !== null)
  return restsOn(memory, new Set(fallen.map(({ ref }) => ref)), { memories, keys: [] })
}

const isFlagged = ({ flags }: Memory, by: string): boolean =>
  flags.some((flag) => flag.code === 'source_distrusted' && flag.by === by)

/** Everything that has to follow from a word on what is believed, in its order. */
export function dueAfterDoubt(lead: Entry, reading: Reading): Due[] {
  const { op, ref, decision } = lead
  const { facts } = decision
  const all = [...reading.memories.values()].filter(isThere).sort(byAge)
  const told = (each: string, name: string, more: JsonObject): Due => {
    return { op: name, ref: each, facts: more, lead }
  }
  const doubted = new Set(all.filter(({ doubt }) => doubt !== null).map((each) => each.ref))
  if (op === 'origin.distrusted' || op === 'memory.distrusted') {
    const meant = { origin: String(facts.origin), of: String(facts.of) }
    const direct = ref === null ? all.filter((memory) => isFrom(memory, meant, reading.keys)) : []
    const fallen = new Set(doubted)
    const falling = [...direct.map((each) => each.ref), ...(ref === null ? [] : [ref])].filter(
      (each) => !fallen.has(each),
    )
    for (const each of falling) fallen.add(each)
    const due = direct.map((each) =>
      told(each.ref, 'memory.distrusted', { why: 'origin', of: lead.seq }),
    )
    for (const each of falling) {
      for (const child of childrenOf(each, reading)) {
        if (fallen.has(child.ref) || !restsOn(child, fallen, reading)) continue
        fallen.add(child.ref)
        falling.push(child.ref)
        due.push(told(child.ref, 'memory.distrusted', { why: 'ground' }))
      }
    }
    for (const by of falling) {
      for (const child of childrenOf(by, reading)) {
        if (fallen.has(child.ref) || isFlagged(child, by)) continue
        due.push(told(child.ref, 'memory.flagged', { code: 'source_distrusted', by }))
      }
    }
    return due
  }
  return dueAfterTrust(lead, { reading, all, doubted, told })
}

interface Returning {
  reading: Reading
  all: Memory[]
  doubted: ReadonlySet<string>
  told: (ref: string, op: string, facts: JsonObject) => Due
}

function dueAfterTrust(lead: Entry, { reading, all, doubted, told }: Returning): Due[] {
  const { lifts } = lead.decision.facts
  const isLifted = ({ ref, doubt }: Memory): boolean =>
    doubt !== null && (lead.ref === null ? doubt.origins.includes(Number(lifts)) : ref === lead.ref)
  const isHeld = (memory: Memory): boolean => {
    if (memory.doubt === null) return false
    const { own, origins } = memory.doubt
    if (lead.ref === null) return own || origins.some((seq) => seq !== lifts)
    return origins.length > 0 || (own && memory.ref !== lead.ref)
  }
  const direct = all.filter(isLifted)
  const order = sourcesFirst(direct, reading)
  const fallen = new Set(doubted)
  for (const memory of order) {
    if (memory.doubt === null || isHeld(memory)) continue
    if (!restsOn(memory, fallen, reading)) fallen.delete(memory.ref)
  }
  const isBack = (ref: string): boolean => doubted.has(ref) && !fallen.has(ref)
  const first = lead.ref === null ? direct : []
  const names = new Set(direct.map(({ ref }) => ref))
  const due = first.map(({ ref }) =>
    told(ref, 'memory.trusted', { why: 'origin', of: Number(lifts), back: isBack(ref) }),
  )
  for (const { ref } of order) {
    if (!names.has(ref) && isBack(ref)) {
      due.push(told(ref, 'memory.trusted', { why: 'ground', back: true }))
    }
  }
  for (const { ref, flags } of order) {
    const of = flags
      .filter(({ code, by }) => code === 'source_distrusted' && by !== null && isBack(by))
      .map(({ seq }) => seq)
    if (of.length > 0) due.push(told(ref, 'memory.cleared', { of }))
  }
  for (const memory of order) {
    if (!isBack(memory.ref)) continue
    for (const by of new Set(memory.parents)) {
      if (!fallen.has(by) || isFlagged(memory, by)) continue
      due.push(told(memory.ref, 'memory.flagged', { code: 'source_distrusted', by }))
    }
  }
  return due
}

/** These and what descends from them; one is taken when every source among them was. */
function sourcesFirst(from: Memory[], reading: Reading): Memory[] {
  const touched = new Map(from.map((memory) => [memory.ref, memory]))
  for (const { ref } of touched.values()) {
    for (const child of childrenOf(ref, reading)) touched.set(child.ref, child)
  }
  const order: Memory[] = []
  const isReady = (memory: Memory): boolean =>
    memory.parents.every((ref) => !touched.has(ref) || order.some((each) => each.ref === ref))
  order.push(...[...touched.values()].filter(isReady).sort(byAge))
  for (const { ref } of order) {
    for (const child of childrenOf(ref, reading)) {
      if (!order.includes(child) && isReady(child)) order.push(child)
    }
  }
  return order
}

/** A memory after it was distrusted or trusted. */
export function doubtedAfter(memory: Memory, { op, decision: { facts } }: Entry): Partial<Memory> {
  if (op === 'memory.distrusted') {
    const { was, origins, own } = memory.doubt ?? { was: memory.standing, origins: [], own: false }
    const more = facts.why === 'origin' ? [Number(facts.of)] : []
    const doubt = { was, origins: [...origins, ...more], own: own || facts.why === 'own' }
    return { standing: 'Distrusted', doubt }
  }
  if (op !== 'memory.trusted' || memory.doubt === null) return {}
  const { was, origins, own } = memory.doubt
  if (facts.back === true) return { standing: was, doubt: null }
  const left = origins.filter((seq) => facts.why !== 'origin' || seq !== facts.of)
  return { doubt: { was, origins: left, own: own && facts.why !== 'own' } }
}

/** What a birth from where nothing is believed starts with. */
export function doubtAtBirth(entry: Entry, isFirstHand: boolean): Doubt | null {
  if (entry.decision.disposition !== 'Distrusted') return null
  const { distrusted } = entry.decision.facts
  const origins = isList(distrusted) ? distrusted.map(Number) : []
  return { was: isFirstHand ? 'CommittedCheap' : 'CommittedInferred', origins, own: false }
}
