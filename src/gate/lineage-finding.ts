import { type Ref, splitRef } from '../domain/ids.ts'
import { isFirstHand, labelName, type SourceType } from '../domain/labels.ts'
import { kindPolicyOf } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Origin } from '../domain/write.ts'
import { type Depth, type DepthParent, depthOf, NO_DEPTH } from '../fold/lineage.ts'
import type { Desk } from './desk.ts'
import { lineageOf } from './evidence.ts'
import type { Candidate, Stamped } from './stamp.ts'

/** A problem with a draft's sources. */
export interface LineageProblem {
  readonly code:
    | 'source_needed'
    | 'parent_missing'
    | 'parent_kind'
    | 'parent_quarantined'
    | 'parent_rejected'
    | 'parent_erased'
    | 'parent_distrusted'
    | 'parent_alone'
    | 'evidence_missing'
    | 'cycle'
  readonly ref: Ref | null
}

export interface LineageFinding {
  /** Parents older than this draft. */
  readonly parents: readonly MemoryState[]
  readonly depth: Depth
  readonly captureDepths: readonly Depth[]
  /** The cited memories that exist, recorded as sources (LINE-REAL). */
  readonly derivedFrom: readonly Ref[]
  readonly sourceEpisodes: readonly Ref[]
  /** The cited memories that do not exist; only while enforcement is off. */
  readonly dropped: readonly Ref[]
  /** Problems that the lineage rule refuses. */
  readonly problems: readonly LineageProblem[]
  /** Problems that only enforcement would refuse; without enforcement they lower the tier to 0. */
  readonly relaxed: readonly LineageProblem[]
}

/** Cycles are refused whatever the setting: a lineage that loops explains nothing. */
const ALWAYS: ReadonlySet<LineageProblem['code']> = new Set(['cycle'])

export function examineLineage(candidate: Candidate, desk: Desk): LineageFinding {
  const found = problemsOf(candidate, desk)
  const { wanted: enforcing } = desk.setting.enforcement
  const problems = found.filter(({ code }) => enforcing || ALWAYS.has(code))
  const relaxed = enforcing ? [] : found.filter(({ code }) => !ALWAYS.has(code))
  const depths = depthsOf(candidate, desk)
  const { main, captures, draft } = candidate
  const isThere = (ref: Ref): boolean =>
    desk.memory(ref) !== undefined || captures.some((capture) => capture.ref === ref)
  return {
    parents: [main, ...captures].flatMap(({ derivedFrom }) =>
      derivedFrom.flatMap((ref) => desk.memory(ref) ?? []),
    ),
    depth: relaxed.length > 0 ? NO_DEPTH : depths.main,
    captureDepths: depths.captures,
    derivedFrom: main.derivedFrom.filter(isThere),
    sourceEpisodes: draft.sourceEpisodes.filter(isThere),
    dropped: [...main.derivedFrom, ...draft.sourceEpisodes].filter((ref) => !isThere(ref)),
    problems,
    relaxed,
  }
}

/** The words captured for a draft were experienced, even when the draft itself was reasoned. */
export function captureSourceType({ label, sourceType }: Origin): SourceType {
  const isReasoned = sourceType === 'inference' || sourceType === 'consolidation'
  return isFirstHand(label) && isReasoned ? 'direct_experience' : sourceType
}

function depthsOf(candidate: Candidate, desk: Desk) {
  const { origin } = candidate.draft
  const label = labelName(origin.label)
  const known = new Map<Ref, DepthParent>()
  const parentsOf = (refs: readonly Ref[]): readonly DepthParent[] =>
    refs.flatMap((ref) => desk.memory(ref) ?? known.get(ref) ?? [])
  const sourceType = captureSourceType(origin)
  const captures = candidate.captures.map(({ ref, kind, derivedFrom }) => {
    const depth = depthOf({ kind, label, sourceType, revises: false }, parentsOf(derivedFrom))
    known.set(ref, { kind, ...depth })
    return depth
  })
  const { kind, derivedFrom } = candidate.main
  const { revises } = kindPolicyOf(desk.policy, kind).sources
  const about = { kind, label, sourceType: origin.sourceType, revises }
  const main = depthOf(about, parentsOf(derivedFrom))
  return { main, captures }
}

/**
 * A revision keeps all sources of its memory and adds its own. So no revision can hide a source,
 * and the lowest tier among all of them holds.
 */
export function withInherited(candidate: Candidate, desk: Desk): Candidate {
  const { main } = candidate
  const inherited = inheritedBy(candidate, desk)
  if (inherited.length === 0) return candidate
  const derivedFrom = [...new Set([...inherited, ...main.derivedFrom])]
  return { ...candidate, main: { ...main, derivedFrom } }
}

const inheritedBy = ({ main, draft }: Candidate, desk: Desk): readonly Ref[] =>
  draft.revises === null ? [] : (desk.memory(main.ref)?.parents ?? [])

function problemsOf(candidate: Candidate, desk: Desk): readonly LineageProblem[] {
  const { main, draft } = candidate
  const inherited = new Set(inheritedBy(candidate, desk))
  const { sources } = kindPolicyOf(desk.policy, main.kind)
  const problems: LineageProblem[] = []
  const isSeed = draft.origin.sourceType === 'seed' && desk.stack.state === 'INITIALIZING'
  if (main.derivedFrom.length < sources.min && !isSeed) {
    problems.push({ code: 'source_needed', ref: null })
  }
  for (const ref of main.derivedFrom) {
    // A source stays a source, whatever became of the memory since.
    if (!inherited.has(ref)) problems.push(...problemsOfParent(candidate, desk, ref))
  }
  for (const capture of candidate.captures)
    problems.push(...problemsOfCapture(capture, candidate, desk))
  const own = main.derivedFrom.filter((ref) => isRevisionParent(candidate, desk, ref))
  if (own.length > 0 && own.length === main.derivedFrom.length) {
    problems.push({ code: 'parent_alone', ref: own[0] ?? null })
  }
  for (const ref of draft.sourceEpisodes) {
    const evidence = desk.memory(ref)
    if (!evidence) problems.push({ code: 'evidence_missing', ref })
    else if (evidence.erased !== null) problems.push({ code: 'parent_erased', ref })
  }
  if (draft.revises && descends(main.derivedFrom, main.ref, desk)) {
    problems.push({ code: 'cycle', ref: main.ref })
  }
  return problems
}

/** Without an answer of the store, all ancestors were gathered, and this walk visits them. */
function descends(from: readonly Ref[], to: Ref, desk: Desk): boolean {
  const reached = desk.reached(to)
  if (reached !== undefined) return reached || from.includes(to)
  return lineageOf(from, desk).has(to)
}

/** A capture may cite a memory that exists, as the kind of the capture allows. */
function problemsOfCapture(
  { kind, derivedFrom }: Stamped,
  { captures }: Candidate,
  desk: Desk,
): readonly LineageProblem[] {
  const isOwn = (ref: Ref): boolean => captures.some((capture) => capture.ref === ref)
  const { from } = kindPolicyOf(desk.policy, kind).sources
  return derivedFrom
    .filter((ref) => !isOwn(ref))
    .flatMap((ref) => {
      const isAllowed = from.some((allowed) => allowed === splitRef(ref).kind)
      return isAllowed ? problemsOfStanding(desk, ref) : [{ code: 'parent_kind', ref } as const]
    })
}

function problemsOfStanding(desk: Desk, ref: Ref): readonly LineageProblem[] {
  const parent = desk.memory(ref)
  if (!parent) return [{ code: 'parent_missing', ref }]
  if (parent.erased !== null) return [{ code: 'parent_erased', ref }]
  if (parent.disposition === 'Quarantined') return [{ code: 'parent_quarantined', ref }]
  if (parent.disposition === 'Rejected') return [{ code: 'parent_rejected', ref }]
  if (parent.disposition === 'Distrusted') return [{ code: 'parent_distrusted', ref }]
  return []
}

function problemsOfParent(candidate: Candidate, desk: Desk, ref: Ref): readonly LineageProblem[] {
  const { main, captures } = candidate
  if (ref === main.ref) return [{ code: 'cycle', ref }]
  const { from } = kindPolicyOf(desk.policy, main.kind).sources
  const { kind } = splitRef(ref)
  const isAllowed = from.some((allowed) => allowed === kind)
  if (!isAllowed && !isRevisionParent(candidate, desk, ref)) return [{ code: 'parent_kind', ref }]
  if (captures.some((capture) => capture.ref === ref)) return []
  return problemsOfStanding(desk, ref)
}

/** A parent of the same kind; allowed only together with a parent from the kind's list. */
function isRevisionParent(candidate: Candidate, desk: Desk, ref: Ref): boolean {
  const { from, revises } = kindPolicyOf(desk.policy, candidate.main.kind).sources
  if (!revises) return false
  const { kind } = splitRef(ref)
  return kind === candidate.main.kind && !from.some((allowed) => allowed === kind)
}
