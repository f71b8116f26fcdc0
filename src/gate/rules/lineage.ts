import type { Facts } from '../../domain/entry.ts'
import { kindPolicyOf } from '../../domain/policy.ts'
import type { Case, Rule } from '../case.ts'
import type { LineageProblem } from '../lineage-finding.ts'

/** Parents exist in this stack, their kinds may be cited, and nothing descends from itself. */
export const lineage: Rule = {
  name: 'lineage',
  judge: (c) => {
    const { problems } = c.lineage
    if (problems.length === 0) return undefined
    return {
      type: 'refuse',
      reasons: [...new Set(problems.map(({ code }) => code))],
      facts: factsOf(c),
      message: sentences(c).join(' '),
      hint: hintFor(c),
    }
  },
}

/** Names the refs that exist and counts the others: an unknown ref may spell anything. */
function factsOf({ lineage: { problems }, desk }: Case): Facts {
  const named = [...new Set(problems.flatMap(({ ref }) => ref ?? []))]
  const parents = named.filter((ref) => desk.memory(ref) !== undefined)
  return { parents, missing: named.length - parents.length }
}

const SAYS: Readonly<Record<LineageProblem['code'], (ref: string) => string>> = {
  source_needed: () => 'It cites no source.',
  parent_missing: (ref) => `${ref} does not exist in this stack.`,
  parent_kind: (ref) => `${ref} is not of a kind it may cite.`,
  parent_quarantined: (ref) => `${ref} is quarantined.`,
  parent_rejected: (ref) => `${ref} was rejected.`,
  parent_erased: (ref) => `${ref} was erased.`,
  parent_distrusted: (ref) => `${ref} is distrusted.`,
  parent_alone: (ref) => `${ref} is what it revises; it needs a source beside it.`,
  evidence_missing: (ref) => `${ref}, given as evidence, does not exist in this stack.`,
  cycle: (ref) => `${ref} would descend from itself.`,
}

const SENTENCES_MAX = 5 // a message is for reading; the facts name every parent

function sentences({ candidate, lineage: { problems } }: Case): readonly string[] {
  const said = problems.slice(0, SENTENCES_MAX).map(({ code, ref }) => SAYS[code](ref ?? ''))
  const more = problems.length - said.length
  const start = `A ${candidate.main.kind} cannot be saved like this:`
  return more > 0 ? [start, ...said, `And ${more} more.`] : [start, ...said]
}

function hintFor({ candidate, policy }: Case): string {
  const { kind } = candidate.main
  const { from } = kindPolicyOf(policy, kind).sources
  const may = `A ${kind} may cite: ${from.join(', ')}.`
  return kind === 'belief'
    ? `${may} Or give the reason in words: because: "…" keeps it as a note and cites that.`
    : may
}
