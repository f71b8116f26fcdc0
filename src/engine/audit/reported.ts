import { type Change, isAnnotator, RESOLVED_STATUSES } from '../../domain/change.ts'
import { LINE_KINDS, VERDICTS } from '../../domain/claims.ts'
import type { ChangeOp, Facts } from '../../domain/entry.ts'
import { type Ref, ZERO_HASH } from '../../domain/ids.ts'
import { isInstant } from '../../domain/time.ts'

/** The change that an entry records; null where the facts describe no change. */
export function changeToldIn(op: ChangeOp, facts: Facts): Change | null {
  switch (op) {
    case 'memory.forgotten':
      return { type: 'forget' }
    case 'memory.recovered':
      return { type: 'recover' }
    case 'memory.protected':
    case 'memory.unprotected':
      return { type: 'protect', on: op === 'memory.protected' }
    case 'memory.accessed':
      return { type: 'access' }
    case 'memory.weakened':
      return isShare(facts.amount) ? { type: 'weaken', amount: facts.amount } : null
    case 'memory.described':
      return describedIn(facts)
    case 'memory.annotated':
      return isAnnotator(facts.by) ? { type: 'annotate', by: facts.by, fields: {} } : null
    case 'memory.processed':
      return { type: 'process', into: refsIn(facts.into) }
    case 'memory.verified':
      return { type: 'verify', evidence: refsIn(facts.evidence) }
    case 'memory.reinforced':
      return { type: 'reinforce', evidence: refsIn(facts.evidence) }
    case 'memory.attested':
      return attestedIn(facts)
    case 'memory.flagged':
      return flaggedIn(facts)
    case 'memory.cleared':
      return { type: 'clear' }
    case 'echo.overruled':
      return { type: 'overrule' }
    case 'belief.deactivated':
      return { type: 'deactivate' }
    case 'suggestion.resolved':
      return resolvedIn(facts)
    case 'claim.ended':
      return isInstant(facts.at) ? { type: 'end', at: facts.at } : null
    case 'claim.retracted':
      return { type: 'retract' }
    case 'claim.reopened':
      return { type: 'reopen' }
    case 'claim.adjudicated':
      return adjudicatedIn(facts)
    case 'claim.lapsed':
      return { type: 'lapse', line: ZERO_HASH }
    case 'claim.recast': {
      const cardinality = LINE_KINDS.find((each) => each === facts.to)
      return cardinality ? { type: 'recast', cardinality } : null
    }
    case 'echo.left':
    case 'claim.superseded':
    case 'memory.distrusted':
    case 'memory.trusted':
    case 'memory.strengthened':
    case 'memory.proposed':
    case 'belief.revised':
      return null
  }
}

/** Reads refs leniently: the computed move is compared with the facts later. */
export const refsIn = (fact: unknown): readonly Ref[] =>
  Array.isArray(fact) && fact.every((each) => typeof each === 'string') ? (fact as Ref[]) : []

const isShare = (fact: unknown): fact is number =>
  typeof fact === 'number' && fact >= 0 && fact <= 1

const TAGS_MAX = 10_000 // above any real number of tags, so a forged number allocates little

function describedIn({ confidence, tags }: Facts): Change | null {
  const to = confidence === undefined ? null : (confidence as { to?: unknown } | null)?.to
  if (to !== null && !isShare(to)) return null
  if (tags !== undefined && !(Number.isSafeInteger(tags) && Number(tags) >= 0)) return null
  const count = Math.min(Number(tags ?? 0), TAGS_MAX)
  const list = tags === undefined ? null : new Array<string>(count).fill('')
  return { type: 'describe', confidence: to, tags: list }
}

function attestedIn({ change, evidence, confidence }: Facts): Change | null {
  if (change === 'verify' || change === 'reinforce') {
    return { type: change, evidence: refsIn(evidence) }
  }
  if (change !== 'describe' || !isShare(confidence)) return null
  return { type: 'describe', confidence, tags: null }
}

function flaggedIn({ code, by }: Facts): Change | null {
  if (code === 'dormant') return { type: 'note_dormant' }
  if (code === 'contradicts' && typeof by === 'string') {
    return { type: 'note_contradiction', against: by as Ref } // looked up by the audit
  }
  return code === 'asked' ? { type: 'ask_review' } : null
}

function resolvedIn({ status, into }: Facts): Change | null {
  const known = RESOLVED_STATUSES.find((each) => each === status)
  if (!known || (into !== null && typeof into !== 'string')) return null
  return { type: 'resolve', status: known, into: into as Ref | null }
}

function adjudicatedIn({ verdict, evidence }: Facts): Change | null {
  const known = VERDICTS.find((each) => each === verdict)
  if (!known || !Array.isArray(evidence)) return null
  return { type: 'adjudicate', verdict: known, evidence: refsIn(evidence), line: ZERO_HASH }
}

/** The change that a proposal requests; null where other facts are present. */
export function wishToldIn(facts: Facts): Change | null {
  const { change, amount, confidence, into, ...more } = facts
  const isBare = amount === undefined && confidence === undefined && into === undefined
  if (isBare && change === 'end' && Object.keys(more).join() === 'at' && isInstant(more.at)) {
    return { type: 'end', at: more.at }
  }
  const names = Object.keys(more).sort().join()
  if (isBare && change === 'overrule' && (names === '' || names === 'of')) {
    return { type: 'overrule' }
  }
  if (isBare && change === 'adjudicate' && names === 'evidence,verdict') return adjudicatedIn(more)
  if (isBare && change === 'protect' && names === 'on') {
    return more.on === true ? { type: 'protect', on: true } : null
  }
  if (isBare && (change === 'verify' || change === 'reinforce') && names === 'evidence') {
    return Array.isArray(more.evidence) ? { type: change, evidence: refsIn(more.evidence) } : null
  }
  if (isBare && change === 'recast' && names === 'to') {
    const cardinality = LINE_KINDS.find((each) => each === more.to)
    return cardinality ? { type: 'recast', cardinality } : null
  }
  if (names !== '') return null
  switch (change) {
    case 'forget':
    case 'recover':
    case 'deactivate':
    case 'retract':
    case 'reopen':
      return isBare ? { type: change } : null
    case 'process':
      return Object.keys(facts).length === 2 && Array.isArray(into)
        ? { type: 'process', into: refsIn(into) }
        : null
    case 'supersede':
      return isBare ? { type: 'deactivate' } : null
    case 'protect':
      return isBare ? { type: 'protect', on: false } : null
    case 'weaken':
      return Object.keys(facts).length === 2 && isShare(amount) ? { type: 'weaken', amount } : null
    case 'describe': {
      if (amount !== undefined || into !== undefined) return null
      if (confidence !== undefined && !isShare(confidence)) return null
      return { type: 'describe', confidence: confidence ?? null, tags: null }
    }
    default:
      return null
  }
}
