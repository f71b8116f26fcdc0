import { KEPT_OUT } from '../../domain/claims.ts'
import { inputsIn } from '../../domain/decision-inputs.ts'
import { isBelieved } from '../../domain/distrust.ts'
import { type DoorRule, lowerTier, TIERS, type Tier, tierAtDoor } from '../../domain/doors.ts'
import type { Entry } from '../../domain/entry.ts'
import { type RecordKind, type Ref, splitRef } from '../../domain/ids.ts'
import {
  isFirstHand,
  isInferential,
  type LabelName,
  labelName,
  pairMakesSense,
} from '../../domain/labels.ts'
import { kindPolicyOf, likelyInFlood, type Policy } from '../../domain/policy.ts'
import { type Provenance, sourcesIn } from '../../domain/provenance.ts'
import { type MemoryState, parentsAtBirth } from '../../domain/state.ts'
import type { Disposition, RuleName } from '../../domain/vocabulary.ts'
import { asRecorded, confidenceAt, liftIn } from '../../fold/effective.ts'
import { depthOf, NO_DEPTH } from '../../fold/lineage.ts'
import { confidenceMaxOf, isWitness, liftBy } from '../../gate/quote.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { mayHaveRevised } from './authority.ts'
import { bornProblem } from './distrust.ts'
import type { Progress } from './progress.ts'

/** A birth or a revision with the facts for its checks. */
interface Born {
  readonly entry: Entry
  readonly kind: RecordKind
  readonly label: LabelName
  readonly provenance: Provenance
  readonly policy: Policy
  readonly parents: readonly MemoryState[]
  readonly before: MemoryState | undefined
  readonly stack: Progress['stack']
  /** The memory that this entry rewords, where that memory existed. */
  readonly repeated: MemoryState | undefined
  /** True if a source was erased since, so that the depth is unknown. */
  readonly isDepthLost: boolean
  /** True if the author of a revision may have had the authority over the memory. */
  readonly isAuthorised: boolean
}

/** Each check names a fact that no rule of the gate would have admitted. */
const CHECKS: readonly ((born: Born) => string | null)[] = [
  stateProblem,
  originProblem,
  tierProblem,
  signatureProblem,
  revisionProblem,
  birthLineageProblem,
  captureProblem,
  sourcesProblem,
  depthProblem,
  hedgeProblem,
  quoteProblem,
  redactedProblem,
  vouchedProblem,
]

/** The first fact that the gate would not have admitted; null where all may be admitted. */
export function birthProblem(
  progress: Progress,
  entry: Entry,
  provenance: Provenance,
): string | null {
  const { stack, policies, memories, hollow } = progress
  const policy = stack.policyHash === null ? undefined : policies.get(stack.policyHash)
  if (!policy || entry.ref === null) return null // reported elsewhere
  const { kind } = splitRef(entry.ref)
  if (!canJudge(policy, kind)) return `no policy was in force that knows a ${kind}`
  const parents = sourcesIn(provenance).flatMap((ref) => memories.get(ref) ?? [])
  const born = {
    entry,
    kind,
    label: labelName(provenance.label),
    provenance,
    policy,
    repeated: memories.get(entry.decision.facts.phrasingOf as Ref), // a lookup, safe for any value
    parents,
    before: memories.get(entry.ref),
    stack,
    isAuthorised: isAuthorised(progress, entry, policy),
    isDepthLost: parents.some(({ ref, captured }) => captured && hollow.has(ref)),
  }
  // A refused memory is saved as a suggestion of another kind and has no lineage of its own.
  const checks =
    entry.op === 'memory.refused' ? [originProblem, tierProblem, redactedProblem] : CHECKS
  for (const check of checks) {
    const problem = check(born)
    if (problem !== null) return problem
  }
  return bornProblem(progress, entry, provenance)
}

function isAuthorised(progress: Progress, entry: Entry, policy: Policy): boolean {
  const memory = entry.ref === null ? undefined : progress.memories.get(entry.ref)
  if (entry.op !== 'memory.revised' || !memory || entry.label === null) return true
  return mayHaveRevised(progress, { ...entry, label: entry.label }, { memory, policy })
}

/** A policy entry may hold any object, so each member is checked before use. */
const canJudge = ({ doors, kinds, notBelieved }: Partial<Policy>, kind: RecordKind): boolean =>
  typeof doors === 'object' &&
  typeof kinds === 'object' &&
  kinds !== null &&
  Array.isArray(kindPolicyOf({ kinds }, kind)?.sources?.from) &&
  Array.isArray(notBelieved)

/** Only seeds are written before the stack is active, and maintenance admits no writes. */
function stateProblem({ stack, provenance }: Born): string | null {
  if (stack.state === 'MAINTENANCE') return 'is let in during maintenance'
  const isEarly = stack.state === 'INITIALIZING' && provenance.sourceType !== 'seed'
  return isEarly ? 'is no seed, and the stack was not active' : null
}

function originProblem({ entry, label, provenance, policy }: Born): string | null {
  const { sourceType, llmModel } = provenance
  if (!pairMakesSense(label, sourceType)) return `${sourceType} makes no sense with ${label}`
  if ((label === 'ModelDerived') !== (llmModel !== null)) return 'names a model, or none, wrongly'
  const inputs = inputsIn(entry.decision.facts)
  if (inputs === undefined) return 'says inputs that no gate writes'
  if (ceilingAt({ policy, entry, label }) === null) {
    return `${label} may not be claimed at the door ${entry.door}`
  }
  return null
}

/**
 * The ceiling of the recorded caller. A capture has the inputs of its memory, and an entry of an
 * older version has none: then the highest tier of the label at the door counts.
 */
function ceilingAt({ policy, entry, label }: Pick<Born, 'policy' | 'entry' | 'label'>) {
  const { doors }: Partial<Policy> = policy
  const rule: Partial<DoorRule> | undefined = entry.door === null ? undefined : doors?.[entry.door]
  const inputs = inputsIn(entry.decision.facts)
  if (!rule || !inputs) {
    const tiers = [rule?.person, rule?.other, rule?.granted].flatMap((each) => each?.[label] ?? [])
    return TIERS.findLast((tier) => tiers.includes(tier)) ?? null
  }
  const { person = {}, other = {} } = rule
  const tier = tierAtDoor({ ...rule, person, other }, inputs, label)
  return tier === undefined ? null : lowerTier(tier, inputs.tier ?? tier)
}

function tierProblem(born: Born): string | null {
  const { entry, label, provenance, parents, before } = born
  let most = ceilingAt(born) ?? 0
  if (isInferential(label, provenance.sourceType)) {
    for (const parent of parents) most = lowerTier(most, asRecorded(parent).tier)
  }
  if (before && !isFirstHand(label)) most = lowerTier(most, before.tier)
  if (isRelaxed(entry)) most = 0
  if (entry.decision.facts.lift !== undefined) return liftProblem(born, most)
  return provenance.trustTier > most ? `claims a tier above ${most}` : null
}

/** A lift starts from the tier without the quote, and ends at most at the tier of the source. */
function liftProblem({ entry, provenance, policy, parents }: Born, most: Tier): string | null {
  const lift = liftIn(entry.decision.facts)
  const source = parents.find(({ ref }) => ref === provenance.quote?.of)
  const highest = source && !isRelaxed(entry) ? (liftBy(asRecorded(source), policy) ?? 0) : 0
  const isTold =
    lift !== null && lift.from <= most && lift.from < lift.to && lift.to === provenance.trustTier
  return isTold && lift.to <= highest ? null : `lifts a tier above ${highest} by a quote`
}

const isRelaxed = ({ decision: { facts } }: Entry): boolean =>
  Array.isArray(facts.relaxed) && facts.relaxed.length > 0

/** Possible dispositions of each rule for first-hand and other labels. */
const WORDS: Partial<
  Record<
    RuleName,
    { readonly firstHand: readonly Disposition[]; readonly other: readonly Disposition[] }
  >
> = {
  admit: { firstHand: ['CommittedCheap'], other: ['CommittedInferred'] },
  echo: { firstHand: [], other: ['CommittedInferred'] },
  burst: { firstHand: ['Quarantined'], other: ['Quarantined'] },
  coherence: { firstHand: ['Quarantined'], other: ['Quarantined'] },
  distrust: { firstHand: ['Distrusted'], other: ['Distrusted'] },
  conflict: {
    firstHand: [
      'CommittedCheap',
      'Contested',
      'QueuedForAdjudication',
      'PendingConflict',
      'PendingLowConfidence',
    ],
    other: ['CommittedInferred', 'Contested', 'PendingConflict', 'PendingLowConfidence'],
  },
}

/** Some rules judge only one kind, and some dispositions need a declared echo. */
function signatureProblem({
  entry,
  kind,
  label,
  provenance,
  policy,
  repeated,
}: Born): string | null {
  const { rule, disposition } = entry.decision
  const words = rule === null ? undefined : WORDS[rule]
  const spoken = words?.[isFirstHand(label) ? 'firstHand' : 'other'] ?? []
  const isSpoken = spoken.some((word) => word === disposition)
  const { succeeds, against } = entry.decision.facts
  if (rule === 'conflict' && disposition === 'CommittedCheap' && !succeeds && !against) {
    return 'is let in as a later word, and succeeds nothing'
  }
  const { phrasingOf, quote } = entry.decision.facts
  if (disposition === 'Contested' && !isFirstHand(label) && quote === undefined) {
    return 'contests what was said first-hand without anybody’s words'
  }
  const isPhrasing = phrasingOf !== undefined
  if (isPhrasing && (isFirstHand(label) || !repeated || !isNear(entry, policy))) {
    return 'says in other words what was not there, or is not near it'
  }
  return isSpoken && mayJudge({ rule, kind, label, provenance, policy, isPhrasing })
    ? null
    : `${rule} has no such word here: ${disposition}`
}

const reaches = (value: unknown, from: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= from

/** The score must reach the policy's bar for a burst. Older links across sessions had another. */
const isNear = ({ decision: { facts } }: Entry, policy: Policy): boolean =>
  reaches(facts.score, facts.elsewhere === undefined ? likelyInFlood(policy) : 0)

interface Judged extends Pick<Born, 'kind' | 'label' | 'provenance' | 'policy'> {
  readonly rule: RuleName | null
  readonly isPhrasing: boolean
}

function mayJudge({
  rule,
  kind,
  label,
  provenance: { captured },
  policy,
  isPhrasing,
}: Judged): boolean {
  switch (rule) {
    case 'echo':
      return (
        !captured && kindPolicyOf(policy, kind).asserts && (label === 'RecallReEntry' || isPhrasing)
      )
    case 'conflict':
      return kind === 'claim' && !captured
    case 'coherence': // a capture is quarantined together with its claim
      return kind === 'claim' || captured
    case 'burst':
      return label !== 'RecallReEntry' && (captured || kindPolicyOf(policy, kind).asserts)
    default:
      return true
  }
}

function revisionProblem(born: Born): string | null {
  const { entry, before, label, policy, provenance } = born
  if (entry.op !== 'memory.revised' || !before) return null
  if (!isBelieved(before.disposition, policy)) return 'rewords what is set aside'
  const isOverreach = isFirstHand(before.label) && !isFirstHand(label)
  if (isOverreach) return 'lets a model reword what was said first-hand'
  if (!born.isAuthorised) return 'rewords a memory without the authority'
  return confidenceProblem({ entry, before, label, policy, provenance })
}

/** Only a person's rewording may raise confidence, and every move must be recorded. */
function confidenceProblem({
  entry,
  before,
  label,
  policy,
  provenance: { confidence: to },
}: Pick<Born, 'entry' | 'label' | 'policy' | 'provenance'> & { before: MemoryState }) {
  const from = confidenceAt(before, policy, entry.time)
  if (label !== 'UserAsserted' && to > from) return 'is surer than before on no person’s word'
  const told = entry.decision.facts.confidence ?? null
  const isTold = canonicalize(told) === canonicalize(from === to ? null : { from, to })
  return isTold ? null : 'says another confidence than it had or has'
}

/**
 * A birth has no added sources, and a revision that adds some keeps every source there was. Ledgers
 * from before `revisedFrom` hold revisions that named their sources anew; these are taken as
 * written.
 */
function birthLineageProblem({ entry, before, provenance }: Born): string | null {
  if (provenance.revisedFrom === undefined) return null
  if (entry.op !== 'memory.revised' || !before) return 'is born with sources of a revision'
  const isKept = parentsAtBirth(before).join() === provenance.derivedFrom.join()
  const all = sourcesIn(provenance)
  const isGrown = before.parents.every((ref, at) => ref === all[at])
  return isKept && isGrown ? null : 'has other sources than it had before'
}

const CAPTURED: ReadonlySet<RecordKind> = new Set(['raw', 'note', 'episode'])

function captureProblem({ entry, kind, provenance: { captured } }: Born): string | null {
  if (!captured) return null
  return entry.op === 'memory.saved' && CAPTURED.has(kind) ? null : `a ${kind} is not captured`
}

/** The sources must be allowed for the kind, unless the stack did not enforce sources. */
function sourcesProblem(born: Born): string | null {
  const { entry, kind, provenance, policy, parents, stack } = born
  if (entry.decision.facts.relaxed !== undefined || !stack.enforcing) {
    if (stack.enforcing) return 'is relaxed while sources are asked for'
    if (isRelaxed(entry) || provenance.captured) return null
  }
  const { min, from, revises } = kindPolicyOf(policy, kind).sources
  const isSeed = provenance.sourceType === 'seed' && stack.state === 'INITIALIZING'
  const isBare = sourcesIn(provenance).length < min && !isSeed
  if (isBare && !provenance.captured) return `a ${kind} cites no source`
  const isInherited = ({ ref }: MemoryState): boolean => born.before?.parents.includes(ref) ?? false
  const cited = parents.filter((parent) => !(provenance.captured && parent.captured))
  const isListed = (parent: MemoryState): boolean => from.some((each) => each === parent.kind)
  const isOld = (parent: MemoryState): boolean =>
    revises && !provenance.captured && parent.kind === kind && !isListed(parent)
  const wrong = cited.find((parent) => !isListed(parent) && !isOld(parent))
  if (wrong) return `a ${kind} may not cite ${wrong.ref}`
  if (cited.length > 0 && cited.every(isOld)) return 'cites nothing beside what it revises'
  const aside = parents.find(
    (parent) => isAside(parent) && !isInherited(parent) && !isBrought(parent, born),
  )
  return aside ? `cites what is ${aside.disposition}` : null
}

const isAside = ({ disposition }: MemoryState): boolean => KEPT_OUT.includes(disposition)

/** A capture for this draft, or for an earlier revision of this memory. */
const isBrought = (parent: MemoryState, { entry, provenance }: Born): boolean =>
  parent.captured &&
  (parent.unit === entry.unit || entry.op === 'memory.revised' || provenance.captured)

function depthProblem(born: Born): string | null {
  const { entry, kind, label, provenance, policy, parents } = born
  if (born.isDepthLost) return null
  const { sourceType, captured, depthNearest, depthFarthest } = provenance
  const revises = !captured && kindPolicyOf(policy, kind).sources.revises
  const depth = isRelaxed(entry) ? NO_DEPTH : depthOf({ kind, label, sourceType, revises }, parents)
  const isSame = depth.depthNearest === depthNearest && depth.depthFarthest === depthFarthest
  return isSame ? null : 'says another depth than its sources give'
}

/** An overconfident memory may have at most the confidence allowed for its sources. */
function hedgeProblem({ entry: { decision }, provenance, policy }: Born): string | null {
  const { hedge } = decision.facts
  const isSaid = decision.reasons.includes('hedge_dropped')
  // A quarantined capture repeats the reasons of its memory, without the hedge.
  if (hedge === undefined && (!isSaid || provenance.captured)) return null
  const { of, said, source } = { ...(hedge as object) } as Readonly<Record<string, unknown>> // any JSON
  const isTold = isSaid && typeof of === 'string' && Number(source) > Number(said)
  if (!isTold) return 'drops a hedge that it does not name, or names one that it does not drop'
  const most = confidenceMaxOf(Number(source), policy.numbers)
  return provenance.confidence <= most ? null : 'is surer than what it rests on'
}

/** A quote must name a cited source that the author read or captured independently. */
function quoteProblem({ entry, kind, label, provenance, policy, parents }: Born): string | null {
  const { quote, captured, sourceId } = provenance
  const told = entry.decision.facts.quote ?? null
  if (canonicalize(told) !== canonicalize(quote)) return 'quotes something else than it says'
  if (quote === null) return null
  const source = parents.find(({ ref }) => ref === quote.of)
  const isSpan =
    Number.isSafeInteger(quote.start) &&
    Number.isSafeInteger(quote.end) &&
    quote.start >= 0 &&
    quote.end > quote.start
  const mayQuote = label === 'ModelDerived' && (kind === 'claim' || kind === 'belief') && !captured
  const isWitnessed = source !== undefined && isWitness(source, sourceId, policy)
  return isSpan && mayQuote && isWitnessed ? null : 'quotes words of nobody who could witness it'
}

/** Only a hook's capture of a tool can be vouched for. */
function vouchedProblem({ entry: { door, decision }, label }: Born): string | null {
  const { vouched } = decision.facts
  if (vouched === undefined) return null
  const isCapture = door === 'hook' && label === 'ExternalFirstHand'
  return vouched === true && isCapture ? null : 'says wrongly that a person vouches for a capture'
}

/** A count of redactions is at least 1; without redactions the fact is absent. */
function redactedProblem({ entry: { decision } }: Born): string | null {
  const { redacted } = decision.facts
  if (redacted === undefined || reaches(redacted, 1)) return null
  return 'says that something was taken out of it, and not how much'
}
