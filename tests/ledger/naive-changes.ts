// Section 4 of docs/ledger-format.md: what each change may say, and when.

import {
  hasExactly,
  isList,
  isObject,
  type Json,
  type JsonObject,
  same,
} from './naive-canonical.ts'
import { CLAIM_JUDGES } from './naive-claims.ts'
import { isDoubtBasis, restsOnDoubted } from './naive-distrust.ts'
import { ECHO_JUDGES } from './naive-echo.ts'
import { type Entry, isWhole } from './naive-entry.ts'
import { type Known, problemOfAnchors } from './naive-evidence.ts'
import { factsOf } from './naive-facts.ts'
import { childrenOf, codeOfFall } from './naive-follows.ts'
import {
  confidenceNow,
  isExternal,
  isLive,
  isSetAside,
  type Memory,
  r,
  strengthNow,
} from './naive-memory.ts'
import { verifiedRiseIs } from './naive-tier.ts'
import { lacksLeave, problemOfWish, tierOfLabel } from './naive-wishes.ts'

/** The entry, the memory it is about, and the entry before. */
type Change = { entry: Entry; memory: Memory; before: Entry | undefined }

type Judge = (change: Change, known: Known) => (string | false | null)[]

/** What is wrong with a change that was asked for, or that an admission brought about. */
export function problemsOfChange(change: Change, known: Known): string[] {
  const { entry, memory } = change
  const { rule, facts } = entry.decision
  const follows = ['belief.revised', 'memory.strengthened', 'claim.superseded'].includes(entry.op)
  const mayFollow = follows || entry.op === 'suggestion.resolved'
  if (rule === null && !mayFollow) return ['follows from nothing before it']
  const expected = entry.op === 'memory.proposed' ? 'authority' : 'admit'
  const found = JUDGES[entry.op]?.(change, known) ?? []
  return [
    rule !== null && (follows || rule !== expected) && 'is signed by a rule that does not judge it',
    lacksLeave(entry, memory, known) && 'takes without leave',
    tagsAbove(entry, memory) && 'has words read with what counts for more',
    countsForMore(entry) && 'tells a tier that is not below its label’s',
    !hasExactly(facts, factsOf(change, known)) && 'has other facts than its operation',
    ...found,
  ].filter((problem) => typeof problem === 'string')
}

const tagsAbove = ({ op, label, tier, decision: { facts } }: Entry, memory: Memory): boolean =>
  op === 'memory.described' &&
  facts.tags !== undefined &&
  !isExternal(label) &&
  tier !== null &&
  tier < memory.tier

const countsForMore = ({ tier, label }: Entry): boolean =>
  tier !== null && tier >= tierOfLabel(label)

const at = ({ entry, memory }: Change, { policy }: Known) => ({
  S: strengthNow(memory, policy, entry.time),
  C: confidenceNow(memory, policy, entry.time),
  n: (name: string): number => policy.numbers[name] as number, // policies name them all
  facts: entry.decision.facts,
})

const to = (from: number, x: number): JsonObject => ({ from, to: r(x) })
const up = (from: number, x: number): JsonObject => ({ from, to: Math.max(from, r(x)) })
const unless = (holds: boolean, otherwise: string): string | false => !holds && otherwise
const strengthIs = (facts: JsonObject, expected: JsonObject) =>
  unless(same(facts.strength, expected), 'says another strength than follows')
const confidenceIs = (facts: JsonObject, expected: JsonObject) =>
  unless(same(facts.confidence, expected), 'says another confidence than follows')
const isShare = (value: Json | undefined): value is number =>
  typeof value === 'number' && value >= 0 && value <= 1

const childrenAre = ({ memory }: Change, { memories }: Known, { children = 0 }: JsonObject) =>
  unless(childrenOf(memory.ref, memories).length === children, 'says another number of children')

/** A word on one memory: a person's or the host's, and only where it says something new. */
const turned = ({ label, decision: { facts } }: Entry, isNew: boolean) => [
  unless(isExternal(label), 'says what is believed without leave'),
  unless(isNew, 'says what was so already'),
  unless(facts.why === 'own' && isDoubtBasis(facts.basis), 'says for no reason what is believed'),
]

/** A model's protection binds no person. */
const isBound = ({ entry, memory }: Change): boolean =>
  memory.isProtected && !(memory.isModelProtected === true && entry.label?.kind === 'UserAsserted')

/** Evidence that moved the numbers before moves them no further. */
function gainOf({ entry, memory }: Change, gain: number): number {
  const { anchors } = entry.decision.facts
  const isOld = isList(anchors) && anchors.every((ref) => memory.unspent?.includes(String(ref)))
  return isOld ? 0 : gain
}

const STATUSES = ['promoted', 'modified', 'dismissed', 'rejected', 'expired']

const JUDGES: Record<string, Judge> = {
  ...CLAIM_JUDGES,
  ...ECHO_JUDGES,
  'memory.forgotten': (change, known) => {
    const { S, facts } = at(change, known)
    const { strength } = change.memory
    return [
      unless(!isBound(change) && strength.value !== 0, 'forgets what is protected or forgotten'),
      strengthIs(facts, to(S, 0)),
      childrenAre(change, known, facts),
    ]
  },
  'memory.recovered': (change, known) => {
    const { S, n, facts } = at(change, known)
    return [
      unless(S === 0, 'recovers what is not forgotten'),
      strengthIs(facts, to(0, n('strengthRecovered'))),
    ]
  },
  'memory.protected': (change, known) => {
    const { S, facts } = at(change, known)
    return [unless(!change.memory.isProtected, 'was protected'), strengthIs(facts, to(S, S))]
  },
  'memory.unprotected': (change, known) => {
    const { S, facts } = at(change, known)
    return [unless(change.memory.isProtected, 'was unprotected'), strengthIs(facts, to(S, S))]
  },
  'memory.accessed': (change, known) => {
    const { S, n, facts } = at(change, known)
    const { accesses } = change.memory
    const gain = n('accessGain') / (1 + accesses / n('accessDamping'))
    return [
      unless(isLive(change.memory, known.policy), 'calls to mind what is set aside'),
      unless(facts.accesses === accesses + 1, 'counts another number of accesses'),
      strengthIs(facts, up(S, Math.min(1, S + gain))),
    ]
  },
  'memory.weakened': (change, known) => {
    const { S, facts } = at(change, known)
    if (!isShare(facts.amount) || facts.amount === 0) return ['weakens by no share']
    return [
      unless(!isBound(change) && S !== 0, 'weakens what is protected or has no strength'),
      strengthIs(facts, to(S, Math.max(0, S - facts.amount))),
      ...(codeOfFall(change.entry, known.policy) === null
        ? []
        : [childrenAre(change, known, facts)]),
    ]
  },
  'memory.described': (change, known) => {
    const { C, facts } = at(change, known)
    const { tags, confidence } = facts
    const isPerson = change.entry.label?.kind === 'UserAsserted'
    const given = isObject(confidence) ? confidence.to : undefined
    return [
      unless(tags !== undefined || confidence !== undefined, 'describes nothing'),
      unless(tags === undefined || isWhole(tags, 0), 'has no number of tags'),
      confidence !== undefined && unless(isShare(given), 'has a confidence that is none'),
      isShare(given) && confidenceIs(facts, { from: C, to: given }),
      isShare(given) && unless(isPerson || given < C, 'raises confidence on no person’s word'),
    ]
  },
  'memory.annotated': ({ entry }) => [
    unless(/^[a-z][a-z0-9_-]{0,63}$/.test(String(entry.decision.facts.by)), 'names no component'),
  ],
  'memory.processed': ({ entry, memory }, { memories }) => {
    const { into } = entry.decision.facts
    return [
      unless(memory.kind === 'raw', 'processes what is no raw'),
      unless(isList(into) && into.every((ref) => memories.has(String(ref))), 'came to nothing'),
    ]
  },
  'memory.verified': (change, known) => {
    const { C, n, facts } = at(change, known)
    return [
      ...counted(change, known),
      unless(facts.verifications === change.memory.verifications + 1, 'counts another number'),
      confidenceIs(facts, up(C, Math.min(1, C + gainOf(change, n('verifyGain'))))),
      verifiedRiseIs(change, known),
    ]
  },
  'memory.reinforced': (change, known) => {
    const { C, n, facts } = at(change, known)
    const t = change.memory.reinforcements + 1
    const gain =
      ((n('reinforceCeiling') - C) * gainOf(change, n('reinforceGain'))) /
      (1 + n('reinforceDamping') * t)
    return [
      ...counted(change, known),
      unless(facts.times === t, 'counts another number of times'),
      confidenceIs(facts, up(C, C + gain)),
    ]
  },
  'memory.attested': (change, known) => {
    const { C, facts } = at(change, known)
    if (facts.change === 'describe') {
      const isPerson = change.entry.label?.kind === 'UserAsserted'
      const isMore = isShare(facts.confidence) && facts.confidence > C
      return [
        unless(isMore && !isPerson, 'attests a confidence that could be had'),
        memoryTakes(change),
      ]
    }
    const isSaid = facts.change === 'verify' || facts.change === 'reinforce'
    return [
      unless(isSaid, 'attests an unknown change'),
      unless(!isSetAside(change.memory, known.policy), 'attests to what is set aside'),
      problemOfAnchors(change.memory, change.entry, known),
    ]
  },
  'memory.proposed': ({ entry, memory }, known) => [problemOfWish(entry, memory, known)],
  'memory.flagged': (change, known) => {
    const { S, n, facts } = at(change, known)
    const { flags, strength } = change.memory
    const isLow = S < n('strengthDormantBelow') && strength.value !== 0
    if (facts.code === 'contradicts') {
      const other = known.memories.get(String(facts.by))
      return [
        unless(other !== undefined && facts.by !== change.memory.ref, 'contradicts nothing there'),
        unless(!isSetAside(change.memory, known.policy), 'flags what is set aside'),
        unless(
          !flags.some(({ code, by }) => code === facts.code && by === facts.by),
          'flags a second time',
        ),
      ]
    }
    return [
      unless(facts.code === 'asked' || (facts.code === 'dormant' && isLow), 'flags for no reason'),
      unless(!flags.some(({ code }) => code === facts.code), 'flags a second time'),
      unless(facts.by === null, 'flags because of something else'),
      facts.code === 'dormant' && childrenAre(change, known, facts),
    ]
  },
  'memory.cleared': ({ entry, memory }) => {
    const of = memory.flags.filter(({ code }) => code !== 'dormant').map(({ seq }) => seq)
    return [
      unless(isExternal(entry.label), 'takes down flags without leave'),
      unless(of.length > 0 && same(entry.decision.facts.of, of), 'takes down other flags'),
    ]
  },
  'memory.distrusted': ({ entry, memory }) => turned(entry, memory.doubt?.own !== true),
  'memory.trusted': ({ entry, memory }, { memories }) => [
    ...turned(entry, memory.doubt?.own === true),
    unless(
      entry.decision.facts.back ===
        (memory.doubt?.origins.length === 0 && !restsOnDoubted(memory, memories)),
      'says wrongly whether it is believed',
    ),
  ],
  'memory.strengthened': () => ['follows from nothing before it'],
  'belief.revised': (change, known) => {
    const old = known.memories.get(String(change.entry.decision.facts.of))
    const isOld = old?.kind === 'belief' && !isSetAside(old, known.policy)
    const mayTake = !old?.isFirstHand || isExternal(change.entry.label)
    return [
      unless(change.memory.kind === 'belief', 'takes a place as no belief'),
      unless(isOld && old.ref !== change.memory.ref, 'takes the place of nothing that is believed'),
      unless(mayTake, 'takes a place without leave'),
      admitted(change, known, change.memory.ref),
    ]
  },
  'belief.deactivated': ({ entry, memory }, { policy }) => [
    unless(entry.decision.facts.by === null, 'is deactivated by something before it'),
    unless(memory.kind === 'belief' && !isSetAside(memory, policy), 'deactivates no belief'),
  ],
  'suggestion.resolved': (change, known) => {
    const { status, into } = change.entry.decision.facts
    const { kind, status: before } = change.memory
    return [
      unless(kind === 'suggestion' && before === 'pending', 'answers no open suggestion'),
      unless(STATUSES.includes(String(status)), 'ends in an unknown status'),
      unless(into === null || known.memories.has(String(into)), 'became what does not exist'),
      change.entry.decision.rule === null && admitted(change, known, String(into)),
    ]
  },
}

const memoryTakes = ({ entry, memory }: Change) =>
  memory.isFirstHand && !isExternal(entry.label) && 'takes without leave'

function counted(change: Change, known: Known): (string | false | null)[] {
  const { anchors } = change.entry.decision.facts
  return [
    unless(!isSetAside(change.memory, known.policy), 'verifies what is set aside'),
    unless(isList(anchors) && anchors.length > 0, 'counts no anchor'),
    problemOfAnchors(change.memory, change.entry, known),
  ]
}

/** An admission brought it about: the birth before it, or another telling of a live memory. */
function admitted({ entry, before }: Change, { memories, policy }: Known, ref: string) {
  const made = memories.get(ref)
  if (made === undefined || !isLive(made, policy)) return 'follows from what was not admitted'
  if (entry.unit === entry.seq) return false
  const isBirth = ['memory.saved', 'memory.revised'].includes(before?.op ?? '')
  const isSame =
    before?.ref === ref &&
    before.unit === entry.unit &&
    before.actor === entry.actor &&
    before.door === entry.door &&
    before.time === entry.time
  return unless(isBirth && isSame, 'follows from another birth')
}
