import type { RuleName } from '../domain/vocabulary.ts'
import type { Case, Rule, Verdict } from './case.ts'
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

export interface Signed {
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
