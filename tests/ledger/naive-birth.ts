// Section 5 of docs/ledger-format.md: what a birth or a revision may say to have been let in.

import { authority } from './naive-authority.ts'
import { isList, isObject, type JsonObject, readCanonical, same } from './naive-canonical.ts'
import type { Entry } from './naive-entry.ts'
import { namesErased } from './naive-erased.ts'
import {
  asRecorded,
  confidenceNow,
  isExternal,
  isSetAside,
  type Memory,
  type Policy,
} from './naive-memory.ts'
import { quote } from './naive-quote.ts'
import { sourcesIn } from './naive-sealed.ts'
import type { Ledger, Past } from './naive-verifier.ts'

type Birth = {
  entry: Entry
  kind: string
  name: string
  provenance: JsonObject
  parents: Memory[]
  before: Memory | undefined
  policy: Policy
  past: Past
  sealed: Ledger['sealed']
  actorKeys: Ledger['actorKeys']
}

export type Test = (birth: Birth) => (string | false)[]

export function problemsOfBirth({ ledger, past }: { ledger: Ledger; past: Past }, entry: Entry) {
  if (namesErased(entry, past.erased)) return []
  const row = ledger.sealed.find(({ seq }) => seq === entry.seq)
  const policy = past.policies.get(past.policy ?? '')
  const sealed = row && readCanonical(row.bytes)
  if (policy === undefined || !isObject(sealed) || !isObject(sealed.provenance)) return []
  const { provenance } = sealed
  const ref = String(entry.ref)
  const birth = {
    entry,
    kind: ref.slice(0, ref.indexOf(':')),
    name: String(entry.label?.kind ?? entry.label?.type),
    provenance,
    parents: sourcesIn(provenance).flatMap((parent) => past.memories.get(String(parent)) ?? []),
    before: past.memories.get(ref),
    policy,
    past,
    sealed: ledger.sealed,
    actorKeys: ledger.actorKeys,
  }
  const asked = entry.op === 'memory.refused' ? [origin, door, tier, taken] : ALL
  return asked.flatMap((test) => test(birth)).filter((problem) => problem !== false)
}

export const unless = (holds: boolean, otherwise: string): string | false => !holds && otherwise

const isRelaxed = ({ decision: { facts } }: Entry): boolean =>
  isList(facts.relaxed) && facts.relaxed.length > 0

const isInferential = ({ name, provenance: { sourceType } }: Birth): boolean =>
  name === 'ModelDerived' || sourceType === 'inference' || sourceType === 'consolidation'

const isCapture = ({ provenance }: Birth): boolean => provenance.captured === true

const state: Test = ({ past, provenance }) => [
  unless(past.state !== 'MAINTENANCE', 'is let in during maintenance'),
  unless(past.state !== 'INITIALIZING' || provenance.sourceType === 'seed', 'is early and no seed'),
]

const TYPES: Record<string, string[]> = {
  UserAsserted: [],
  ExternalFirstHand: [],
  ModelDerived: ['seed'],
  RecallReEntry: ['seed', 'direct_experience', 'observation'],
}
const SOURCE_TYPES = [
  'direct_experience',
  'inference',
  'consolidation',
  'external',
  'seed',
  'observation',
]

const origin: Test = ({ name, provenance }) => {
  const type = String(provenance.sourceType)
  return [
    unless(SOURCE_TYPES.includes(type), 'is of no source type'),
    unless(!TYPES[name]?.includes(type), 'is of a type that its label cannot have'),
    unless((name === 'ModelDerived') === (provenance.llmModel !== null), 'names its model wrongly'),
  ]
}

/** Of a caller that is told its own ceiling; of another what anybody may have had there. */
function tiersAtDoor({ entry, name, policy }: Birth): number[] {
  const tables = policy.doors[String(entry.door)] ?? {}
  const { inputs } = entry.decision.facts
  if (!isObject(inputs)) return Object.values(tables).flatMap((table) => table[name] ?? [])
  const plain = tables[inputs.person === true ? 'person' : 'other']
  const { grant, tier } = inputs
  const most = (isObject(grant) ? (tables.granted ?? plain) : plain)?.[name]
  const granted = isObject(grant) ? grant[name] : most
  if (most === undefined || granted === undefined) return []
  return [Math.min(most, Number(granted), Number(tier ?? most))]
}

const door: Test = (birth) => [
  unless(tiersAtDoor(birth).length > 0, 'has a label that its door does not lend'),
]

const tier: Test = (birth) => {
  const { entry, parents, before } = birth
  const bounds = [
    Math.max(0, ...tiersAtDoor(birth)),
    ...(isInferential(birth) ? parents.map((parent) => asRecorded(parent).tier) : []),
    ...(before && !isExternal(entry.label) ? [before.tier] : []),
    ...(isRelaxed(entry) ? [0] : []),
  ]
  const most = Math.min(...bounds)
  if (entry.decision.facts.lift !== undefined) return [lifted(birth, most)]
  return [unless(Number(entry.tier) <= most, 'is of a higher tier than it may be')]
}

/** A quote lifts to the tier of what it quotes at most, and the policy says how far at all. */
function lifted({ entry, provenance, parents, policy }: Birth, most: number): string | false {
  const { from, to } = { ...(entry.decision.facts.lift as { from?: number; to?: number }) }
  const source = parents.find(
    ({ ref }) => isObject(provenance.quote) && ref === provenance.quote.of,
  )
  const highest = Math.min(
    (source && asRecorded(source).tier) ?? 0,
    Number(policy.numbers.tierByQuoteMax ?? 0),
  )
  const isRight =
    Number(from) <= most &&
    Number(from) < Number(to) &&
    Number(to) === entry.tier &&
    Number(to) <= highest &&
    Number(to) > 1 &&
    !isRelaxed(entry)
  return unless(isRight, 'is lifted by a quote further than it may be')
}

/** It names what it says in other words, and how near it is. */
const isPhrasing = ({ entry, policy, past }: Parameters<Test>[0]): boolean => {
  const { phrasingOf, score, elsewhere } = entry.decision.facts
  if (typeof phrasingOf !== 'string' || !past.memories.has(phrasingOf)) return false
  const bar = Number(policy.numbers.echoLikelyFrom)
  return elsewhere !== undefined || Number(score) >= Math.floor((1_000 + bar) / 2)
}

const word: Test = (birth) => {
  const { entry, kind, name, policy } = birth
  const isFirst = isExternal(entry.label)
  const asserts = policy.kinds[kind]?.asserts === true
  const isOutranked = entry.decision.reasons.includes('higher_tier_disagrees')
  const table: Record<string, { words: string[]; judges: boolean }> = {
    admit: { words: [isFirst ? 'CommittedCheap' : 'CommittedInferred'], judges: true },
    echo: {
      words: isFirst ? [] : ['CommittedInferred'],
      judges: (name === 'RecallReEntry' || isPhrasing(birth)) && asserts && !isCapture(birth),
    },
    burst: {
      words: ['Quarantined'],
      judges: name !== 'RecallReEntry' && (asserts || isCapture(birth)),
    },
    distrust: { words: ['Distrusted'], judges: true },
    coherence: { words: ['Quarantined'], judges: kind === 'claim' || isCapture(birth) },
    conflict: {
      words: isFirst
        ? [
            ...(entry.decision.facts.succeeds === undefined ? [] : ['CommittedCheap']),
            ...(isOutranked ? ['CommittedCheap', 'PendingConflict'] : []),
            'Contested',
            'QueuedForAdjudication',
            'PendingLowConfidence',
          ]
        : [
            ...(entry.decision.facts.quote === undefined ? [] : ['Contested']),
            'CommittedInferred',
            'PendingConflict',
            'PendingLowConfidence',
          ],
      judges: kind === 'claim' && !isCapture(birth),
    },
  }
  const row = table[String(entry.decision.rule)]
  const isSpoken = row?.words.includes(String(entry.decision.disposition)) === true
  const isLinked = entry.decision.facts.phrasingOf !== undefined
  return [
    unless(isSpoken && row.judges, 'bears a word that its rule has not'),
    unless(!isLinked || (!isFirst && isPhrasing(birth)), 'is linked to what it is not near'),
  ]
}

const revision: Test = ({ entry, before, policy, name, provenance }) => {
  if (entry.op !== 'memory.revised' || before === undefined) {
    return [unless(provenance.revisedFrom === undefined, 'is born with sources of a revision')]
  }
  const isAdding = provenance.revisedFrom !== undefined
  const isGrown = same(sourcesIn(provenance).slice(0, before.parents.length), before.parents)
  const from = confidenceNow(before, policy, entry.time)
  const to = Number(provenance.confidence)
  const told = entry.decision.facts.confidence
  return [
    unless(
      !isAdding || (same(provenance.derivedFrom, before.bornFrom) && isGrown),
      'swaps a source',
    ),
    unless(name === 'UserAsserted' || to <= from, 'is surer on no person’s word'),
    unless(from === to ? told === undefined : same(told, { from, to }), 'moves confidence unsaid'),
    unless(!isSetAside(before, policy), 'revises what is set aside'),
    unless(!before.isFirstHand || isExternal(entry.label), 'revises without leave'),
  ]
}

const sources: Test = (birth) => {
  const { entry, kind, provenance, parents, policy, past } = birth
  const capture = isCapture(birth)
  if (entry.decision.facts.relaxed !== undefined && past.enforced) return ['is relaxed unasked']
  if (!past.enforced && (capture || isRelaxed(entry))) return []
  const { min = 0, from = [], revises = false } = policy.kinds[kind]?.sources ?? {}
  const isSeed = provenance.sourceType === 'seed' && past.state === 'INITIALIZING'
  const asked = parents.filter((parent) => !(capture && parent.isCaptured))
  const listed = asked.filter((parent) => from.includes(parent.kind))
  const ofOwn = asked.filter(
    (parent) => revises && !capture && parent.kind === kind && !from.includes(kind),
  )
  const isBrought = (parent: Memory): boolean =>
    parent.isCaptured && (parent.unit === entry.unit || entry.op === 'memory.revised' || capture)
  const aside = parents.filter(
    (parent) =>
      ['Quarantined', 'Rejected', 'Distrusted'].includes(String(parent.standing)) &&
      !birth.before?.parents.includes(parent.ref) &&
      !isBrought(parent),
  )
  return [
    unless(capture || isSeed || entry.parents.length >= min, 'has no source'),
    unless(listed.length + ofOwn.length === asked.length, 'has a source of the wrong kind'),
    unless(ofOwn.length === 0 || listed.length > 0, 'has no source beside what it revises'),
    unless(aside.length === 0, 'has a source that was set aside'),
  ]
}

const depth: Test = (birth) => {
  const { entry, kind, provenance, policy, parents } = birth
  const [nearest, farthest] = ((): [number | null, number | null] => {
    if (isRelaxed(entry)) return [null, null]
    if (isExternal(entry.label) && !isInferential(birth)) return [0, 0]
    if (parents.length === 0) return [null, null]
    const restates = policy.kinds[kind]?.sources.revises === true && !isCapture(birth)
    const hop = (parent: Memory): number =>
      isInferential(birth) && !(restates && parent.kind === kind) ? 1 : 0
    const near = parents.flatMap((each) => (each.nearest === null ? [] : each.nearest + hop(each)))
    const far = parents.flatMap((each) => (each.farthest === null ? [] : each.farthest + hop(each)))
    const isFar = far.length < parents.length
    return [near.length === 0 ? null : Math.min(...near), isFar ? null : Math.max(...far)]
  })()
  const isSame = nearest === provenance.depthNearest && farthest === provenance.depthFarthest
  return [unless(isSame, 'is of another depth than its sources give')]
}

const capture: Test = (birth) => {
  const isKind = ['raw', 'note', 'episode'].includes(birth.kind)
  const isBorn = birth.entry.op === 'memory.saved'
  return [unless(!isCapture(birth) || (isKind && isBorn), 'is captured but no capture')]
}

const hedge: Test = ({ entry: { decision }, provenance, policy }) => {
  const isSaid = decision.reasons.includes('hedge_dropped')
  const told = decision.facts.hedge
  if (!isObject(told))
    return [unless(!isSaid || provenance.captured === true, 'drops a hedge unsaid')]
  const { hedgeOpenConfidenceMax, hedgeThoughtConfidenceMax } = policy.numbers
  const most = told.source === 2 ? hedgeOpenConfidenceMax : hedgeThoughtConfidenceMax
  return [
    unless(isSaid && Number(told.source) > Number(told.said), 'says a hedge that it kept'),
    unless(Number(provenance.confidence) <= Number(most), 'is surer than its ground'),
  ]
}

const taken: Test = ({ entry }) => {
  const { redacted } = entry.decision.facts
  const isTold = redacted === undefined || (Number.isInteger(redacted) && Number(redacted) >= 1)
  return [unless(isTold, 'was taken from, and says not how much')]
}

const vouched: Test = ({ entry, name }) => {
  const told = entry.decision.facts.vouched
  const isCapture = entry.door === 'hook' && name === 'ExternalFirstHand'
  return [unless(told === undefined || (told === true && isCapture), 'is vouched for wrongly')]
}

const ALL: Test[] = [
  state,
  authority,
  origin,
  door,
  tier,
  word,
  revision,
  sources,
  depth,
  capture,
  hedge,
  quote,
  taken,
  vouched,
]

/** What stands behind a capture is the memory it was made for, or the next capture. */
export function problemsAfterCapture({ past }: { past: Past }, entry: Entry | undefined): string[] {
  const before = past.entries.at(-1)
  const made = before?.op === 'memory.saved' ? past.memories.get(String(before.ref)) : undefined
  if (before === undefined || made?.isCaptured !== true) return []
  const isBirth = entry?.op === 'memory.saved' || entry?.op === 'memory.revised'
  const isSame =
    entry?.unit === before.unit &&
    entry.actor === before.actor &&
    entry.door === before.door &&
    JSON.stringify(entry.label) === JSON.stringify(before.label) &&
    entry.tier === before.tier &&
    entry.time === before.time
  return isBirth && isSame ? [] : ['stands where what was captured for should']
}
