// Section 3 of docs/ledger-format.md: what each operation may carry.

import {
  hasExactly,
  isList,
  isObject,
  type Json,
  type JsonObject,
  same,
} from './naive-canonical.ts'
import { type Entry, isHash, isId32, isText, isTime, isWhole } from './naive-entry.ts'
import {
  problemsOfErasure,
  problemsOfKeeping,
  problemsOfLifting,
  problemsOfShredding,
} from './naive-erased.ts'
import { CHANGES } from './naive-facts.ts'
import { hashOfJson } from './naive-hash.ts'

const STATES = ['INITIALIZING', 'ACTIVE', 'MAINTENANCE']

/** Entries about the stack itself: no memory, nothing sealed, nobody's draft. */
const STACK = [
  'genesis',
  'policy',
  'state',
  'replica.started',
  'enforcement.off',
  'enforcement.on',
  'clock.corrected',
  'tombstone.kept',
  'tombstone.lifted',
  'origin.distrusted',
  'origin.trusted',
]

export function problemsOfOperation(entry: Entry): string[] {
  if (isChange(entry)) return problemsOfPlace(entry).concat(problemsOfChangeMembers(entry))
  const facts = FACTS[entry.op]
  if (facts === undefined) return [`records ${entry.op}, which is no known operation`]
  return [...problemsOfPlace(entry), ...problemsOfSubject(entry), ...facts(entry)]
}

function problemsOfPlace(entry: Entry): string[] {
  const problems: string[] = []
  if ((entry.op === 'genesis') !== (entry.seq === 0)) problems.push('genesis is entry 0, once')
  if (entry.seq === 1 && entry.op !== 'policy') problems.push('entry 1 is not a policy')
  return problems
}

export const isChange = ({ op }: Entry): boolean => CHANGES.includes(op)

/** Changes whose caller needed a tier; of others only the words that they seal have one. */
const TELLING =
  'memory.forgotten memory.recovered memory.protected memory.unprotected memory.weakened ' +
  'memory.described memory.processed memory.verified memory.reinforced memory.proposed ' +
  'belief.revised belief.deactivated claim.ended claim.retracted claim.reopened claim.recast ' +
  'claim.adjudicated echo.overruled'

/** Section 4 says what its facts are; here is only which members a change fills. */
function problemsOfChangeMembers(entry: Entry): string[] {
  const { ref, actor, door, label, revision, tier, parents, decision } = entry
  const filled = [ref, actor, door, label].every((member) => member !== null)
  const empty = [revision, decision.disposition].every((member) => member === null)
  const isBare = parents.length === 0 && decision.reasons.length === 0
  const mayTell =
    tier === null || entry.commitment !== null || TELLING.split(' ').includes(entry.op)
  return filled && empty && isBare && mayTell ? [] : ['fills other members than a change does']
}

function problemsOfSubject(entry: Entry): string[] {
  const problems: string[] = []
  const seals = sealsContent(entry)
  if (!keepsWords(entry) && seals !== (entry.commitment !== null))
    problems.push('seals content, or not, against its op')
  if (seals !== (entry.revision !== null)) problems.push('has a revision, or not, against its op')
  if (STACK.includes(entry.op)) problems.push(...problemsOfStackEntry(entry))
  if (entry.op === 'memory.refused' && (entry.ref !== null) !== seals) {
    problems.push('is a refusal whose ref is not that of what it keeps')
  }
  const aboutMemory = [
    'memory.saved',
    'memory.revised',
    'memory.collapsed',
    'quarantine.rejected',
    'quarantine.released',
    'memory.erased',
  ]
  if (aboutMemory.includes(entry.op) && entry.ref === null) problems.push('names no memory')
  return problems
}

function problemsOfStackEntry(entry: Entry): string[] {
  const problems: string[] = []
  if (entry.ref !== null) problems.push('is about the stack but names a memory')
  if (entry.label !== null) problems.push('is about the stack but has a label')
  if (entry.tier !== null) problems.push('is about the stack but has a tier')
  if (entry.parents.length > 0) problems.push('is about the stack but has parents')
  if (entry.unit !== entry.seq) problems.push('is about the stack but not its own unit')
  return problems
}

/** A rewording that was folded away may keep its words; what it then seals is a note. */
export const keepsWords = ({ op, decision: { rule, reasons } }: Entry): boolean =>
  op === 'memory.collapsed' && rule === 'echo' && reasons[0] === 'echo_reworded'

export function sealsContent(entry: Entry): boolean {
  const { rule, facts } = entry.decision
  if (entry.op === 'memory.refused') return rule === 'lint' && facts.notKept === undefined
  return entry.op === 'memory.saved' || entry.op === 'memory.revised'
}

const FACTS: Record<string, (entry: Entry) => string[]> = {
  genesis: (entry) =>
    expectFacts(entry, ['format', 'uid', 'replica'], (facts) => [
      [facts.format === 'muniment/ledger/1', 'is not of format muniment/ledger/1'],
      [isId32(facts.uid), 'has a uid that is not 32 hex digits'],
      [facts.replica === entry.replica, 'names another replica than its own'],
    ]),
  policy: (entry) =>
    expectFacts(entry, ['hash', 'policy'], (facts) => [
      [isObject(facts.policy), 'brings a policy that is no object'],
      [hashOfJson(facts.policy ?? null) === facts.hash, 'brings a policy of another hash'],
    ]),
  state: (entry) =>
    expectFacts(entry, ['from', 'to'], (facts) => [
      [STATES.some((state) => state === facts.from), 'leaves an unknown state'],
      [STATES.some((state) => state === facts.to), 'enters an unknown state'],
    ]),
  'replica.started': (entry) =>
    expectFacts(entry, ['from', 'head', 'replica'], (facts) => [
      [isId32(facts.from) && facts.from !== entry.replica, 'does not come from another replica'],
      [same(facts.head, { hash: entry.prevHash, seq: entry.seq - 1 }), 'starts at another head'],
      [facts.replica === entry.replica, 'names another replica than its own'],
    ]),
  'enforcement.off': (entry) => expectFacts(entry, [], () => []),
  'enforcement.on': (entry) => expectFacts(entry, [], () => []),
  'clock.corrected': (entry) =>
    expectFacts(entry, ['from'], (facts) => [
      [isTime(facts.from), 'corrects from what is no time'],
    ]),
  'memory.saved': problemsOfSavedFacts,
  'memory.revised': problemsOfSavedFacts,
  'memory.refused': problemsOfRefusedFacts,
  'memory.collapsed': (entry) =>
    keepsWords(entry)
      ? expectFacts(entry, ['match', 'score'], (facts) => [
          [facts.match === entry.ref, 'is recognised as another memory'],
          [isWhole(facts.score, 0), 'is recognised by no score'],
        ])
      : [],
  'memory.erased': problemsOfErasure,
  'actor.erased': problemsOfShredding,
  'tombstone.kept': problemsOfKeeping,
  'tombstone.lifted': problemsOfLifting,
  // Against those that stand, they are looked at where those are known.
  'origin.distrusted': () => [],
  'origin.trusted': () => [],
  tally: (entry) =>
    expectFacts(entry, ['of', 'count', 'first', 'last'], (facts) => [
      [isWhole(facts.of, 0) && facts.of < entry.seq, 'tallies an entry that is not earlier'],
      [isWhole(facts.count, 1), 'counts no repeat'],
      [isTime(facts.first) && isTime(facts.last), 'has a first or last that is no time'],
      [String(facts.first) <= String(facts.last), 'has its last repeat before its first'],
      [String(facts.last) <= entry.time, 'counts a repeat of later'],
    ]),
  'quarantine.released': ({ decision: { rule, reasons } }) =>
    reasons.join() === 'person_said_yes' &&
    ['echo', 'distrust', 'conflict', 'admit'].includes(String(rule))
      ? []
      : ['is released on nobody’s word'],
  'quarantine.rejected': (entry) =>
    expectFacts(entry, ['tombstone'], (facts) => [
      [isHash(facts.tombstone), 'has a tombstone that is no mark'],
    ]),
}

function problemsOfSavedFacts(entry: Entry): string[] {
  const { depth, relaxed } = entry.decision.facts
  const problems: string[] = []
  if (depth !== undefined && !isDepth(depth)) problems.push('has a depth of another shape')
  if (relaxed !== undefined && !(isList(relaxed) && relaxed.every(isText))) {
    problems.push('has relaxed codes of another shape')
  }
  return problems
}

/** Hops to the nearest and the farthest first-hand memory; null is farther than any number. */
function isDepth(value: Json): boolean {
  if (!hasExactly(value, ['farthest', 'nearest']) || !isObject(value)) return false
  const { nearest, farthest } = value
  if (farthest === null) return nearest === null || isWhole(nearest, 0)
  return isWhole(nearest, 0) && isWhole(farthest, nearest)
}

function problemsOfRefusedFacts(entry: Entry): string[] {
  const { index, drafts } = entry.decision.facts
  if (index === undefined && drafts === undefined) return []
  if (isWhole(index, 0) && isWhole(drafts, 1) && index < drafts) return []
  return ['has an index that is not among the drafts of its batch']
}

type Expected = readonly (readonly [holds: boolean, otherwise: string])[]

function expectFacts(
  entry: Entry,
  members: readonly string[],
  expected: (facts: JsonObject) => Expected,
): string[] {
  const { facts } = entry.decision
  if (!hasExactly(facts, members)) return [`has other facts than ${members.join(', ') || 'none'}`]
  return expected(facts)
    .filter(([holds]) => !holds)
    .map(([, otherwise]) => otherwise)
}
