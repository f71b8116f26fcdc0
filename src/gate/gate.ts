import { MunimentError } from '../domain/errors.ts'
import type { MemoryState } from '../domain/state.ts'
import { RULE_NAMES, type RuleName } from '../domain/vocabulary.ts'
import type { Batch, Context, Needs } from '../domain/waist.ts'
import { type Outcome, UNREMARKED, type WriteResult } from '../domain/write.ts'
import { type Case, countRevised, openCase, type Rule, type Verdict } from './case.ts'
import { failed } from './change-entry.ts'
import { decideChange } from './commands/change.ts'
import { clockError, clockFault, isDated } from './commands/clock.ts'
import { decideCommand } from './commands/commands.ts'
import { decideDistrust } from './commands/distrust.ts'
import { decideErase } from './commands/erase.ts'
import { decideReceive } from './commands/receive.ts'
import { judgeConsequence, planConsequence, planSuccession } from './consequence.ts'
import { Desk, type DeskSetting } from './desk.ts'
import { type Proposal, timesOf } from './needs.ts'
import { planAdmission } from './plan.ts'
import { type BatchPlace, planCollapse, planRefusal } from './plan-other.ts'
import { appendState, prepare } from './preamble.ts'
import { planProposal } from './proposal.ts'
import { admit } from './rules/admit.ts'
import { authority } from './rules/authority.ts'
import { burst } from './rules/burst.ts'
import { coherence } from './rules/coherence.ts'
import { conflict } from './rules/conflict.ts'
import { distrust } from './rules/distrust.ts'
import { echo } from './rules/echo.ts'
import { lineage } from './rules/lineage.ts'
import { lint } from './rules/lint.ts'
import { origin } from './rules/origin.ts'
import { restate } from './rules/restate.ts'
import { shape } from './rules/shape.ts'
import { state } from './rules/state.ts'
import { tombstone } from './rules/tombstone.ts'
import type { Candidate } from './stamp.ts'

/** The gate, read aloud. The first rule to answer wins and signs its name. */
export const RULES: readonly Rule[] = [
  state, // a stack in maintenance takes no memories
  shape, // hashes, policy, certificate and id agree
  origin, // the door allows the label
  lineage, // parents exist, kinds allow it, no cycle
  tombstone, // erased or rejected content stays out
  burst, // the same words over and over are set aside
  authority, // a person decides on other fields for another author's words
  restate, // an author's own first-hand words again: a fresh date, nothing more
  echo, // the agent's own words coming back are not evidence
  coherence, // a claim's dates must not contradict each other
  lint, // noise is not a belief
  distrust, // a draft from a distrusted source is kept, and counts for nothing
  conflict, // disagreement is kept beside, never over
  admit, // total: always decides
]

interface Signed {
  readonly rule: RuleName
  readonly verdict: Verdict
}

export function decide(c: Case): Signed {
  for (const rule of RULES) {
    const verdict = rule.judge(c)
    if (verdict) return { rule: rule.name, verdict }
  }
  return { rule: admit.name, verdict: admit.judge(c) }
}

type Refusal = Extract<Verdict, { type: 'refuse' }>
type Acceptance = Exclude<Verdict, { type: 'refuse' } | { type: 'error' }>

export interface Gathered {
  readonly needs: Needs
  readonly context: Context
}

export interface GroupDecision {
  /** An outcome for each proposal, in order. */
  readonly outcomes: readonly Outcome[]
  /** The rows to commit; null when nothing changed. */
  readonly batch: Batch | null
}

/**
 * Decides a group in arrival order, each proposal against the gathered context plus the plans
 * before. Pure: the same input gives the same bytes, however the sequence was cut into groups.
 */
export function decideGroup(
  proposals: readonly Proposal[],
  { needs, context }: Gathered,
  setting: DeskSetting,
): GroupDecision {
  const reached = new Map(
    needs.reaches.map(({ to }, index) => [to, context.reached[index] === true] as const),
  )
  let desk = new Desk(setting, context, reached)
  const outcomes = proposals.map((proposal): Outcome => {
    const problem = enforcementError(desk) ?? clockProblem(proposal, desk)
    if (problem) return failed(problem)
    if (proposal.type === 'change') return decideChange(proposal, desk)
    if (proposal.type === 'erase') return decideErase(proposal, desk)
    if (proposal.type === 'distrust') return decideDistrust(proposal, desk)
    if (proposal.type === 'receive') return decideReceive(proposal, desk)
    if (proposal.type !== 'write') return decideCommand(proposal, desk)
    const [only, ...more] = proposal.candidates
    if (only !== undefined && more.length === 0) return decideOne(only, desk)
    const trial = decideBatch(proposal.candidates, desk)
    desk = trial.desk
    return trial.outcome
  })
  return { outcomes, batch: desk.batch() }
}

/** Another process switched enforcement since the stack was opened: no write may miss the switch. */
function enforcementError({ setting, stack }: Desk): MunimentError | null {
  const { wanted, seen } = setting.enforcement
  if (stack.enforcing === wanted || stack.enforcing === seen) return null
  return new MunimentError(
    'enforcement_changed',
    `Enforcement of provenance was switched ${stack.enforcing ? 'on' : 'off'} by another process.`,
    { hint: 'Open the stack again with the setting you mean.' },
  )
}

/** The gate dates nothing by a clock far from the last entry until a person says which is right. */
function clockProblem(proposal: Proposal, { time }: Desk): MunimentError | null {
  if (time === null || !isDated(proposal.type)) return null
  for (const reading of timesOf(proposal)) {
    const fault = clockFault(reading, time)
    if (fault !== null) return clockError(fault, reading, time)
  }
  return null
}

function decideOne(candidate: Candidate, desk: Desk): Outcome {
  const c = openCase(candidate, desk)
  const kept = judgeConsequence(c)
  if (kept) return kept
  const { rule, verdict } = decide(c)
  if (verdict.type === 'error') return verdict
  if (verdict.type === 'refuse') {
    return { type: 'refused', index: 0, result: refuse(c, rule, { verdict, place: null }) }
  }
  return { type: 'written', results: [accept(c, rule, verdict)] }
}

/**
 * All or nothing: the first draft refused refuses the batch, and the entry names its index. Drafts
 * are decided on a trial desk. A refusal or proposal is recorded on the desk as before the batch:
 * nothing else of the batch remains.
 */
function decideBatch(
  candidates: readonly Candidate[],
  desk: Desk,
): { readonly outcome: Outcome; readonly desk: Desk } {
  const trial = desk.fork()
  const results: WriteResult[] = []
  for (const [index, candidate] of candidates.entries()) {
    const c = openCase(candidate, trial)
    const kept = judgeConsequence(c)
    if (kept?.type === 'error') return { outcome: failed(atIndex(kept.error, index)), desk }
    if (kept) return { outcome: judgeConsequence(openCase(candidate, desk)) ?? kept, desk }
    const { rule, verdict } = decide(c)
    if (verdict.type === 'error') return { outcome: failed(atIndex(verdict.error, index)), desk }
    if (verdict.type === 'refuse') {
      const place = { index, drafts: candidates.length }
      const result = refuse(openCase(candidate, desk), rule, { verdict, place })
      return { outcome: { type: 'refused', index, result }, desk }
    }
    results.push(accept(c, rule, verdict))
  }
  return { outcome: { type: 'written', results }, desk: trial }
}

function atIndex(error: MunimentError, index: number): MunimentError {
  error.message = `Item ${index} of the batch: ${error.message}`
  return error
}

function refuse(
  c: Case,
  rule: RuleName,
  { verdict, place }: { readonly verdict: Refusal; readonly place: BatchPlace | null },
): WriteResult {
  // No burst is counted: refused words must not stay behind as a digest, and the tally counts the
  // refusal anyway.
  prepare(c.desk, c.time, c.candidate.chance)
  return planRefusal(c, rule, { verdict, place })
}

function accept(c: Case, rule: RuleName, verdict: Acceptance): WriteResult {
  if (verdict.type === 'present') return presentResult(verdict.memory, rule)
  prepare(c.desk, c.time, c.candidate.chance)
  countBurst(c, rule, verdict)
  const { desk, candidate } = c
  const revised = countRevised(c)
  if (revised) desk.beginBurst(revised)
  if (verdict.type === 'collapse') {
    const result = planCollapse(c, rule, verdict)
    if (verdict.disposition !== 'Quarantined') planConsequence(c, result, desk.nextSeq)
    return result
  }
  if (verdict.type === 'propose') return planProposal(c, verdict)
  const isSeed = candidate.draft.origin.sourceType === 'seed'
  if (desk.stack.state === 'INITIALIZING' && !isSeed) appendState(desk, c.time, 'ACTIVE')
  const unit = desk.nextSeq
  const result = planAdmission(c, rule, verdict)
  planSuccession(c, verdict, unit)
  planConsequence(c, result, unit)
  return result
}

/** Counts a write that reached the burst rule, whatever later rule admitted the write. */
function countBurst(c: Case, rule: RuleName, { type }: Acceptance): void {
  const { desk, burst, candidate, rewordingOf } = c
  const order: readonly RuleName[] = RULE_NAMES
  if (burst === null || order.indexOf(rule) < order.indexOf('burst')) return
  const isBorn = type === 'admit' && candidate.draft.revises === null
  const isCountedByItself = isBorn && burst.times.length === 1
  if (!isCountedByItself || rewordingOf !== null) desk.putBurst(burst)
}

const presentResult = (memory: MemoryState, rule: RuleName): WriteResult => ({
  ...UNREMARKED,
  ...{ ref: memory.ref, id: memory.id, disposition: memory.disposition, tier: memory.tier },
  ...{ rule, reasons: ['already_saved'] },
  entry: { seq: memory.revisionSeq, hash: memory.entryHash },
})
