import { isFirstHand } from '../../domain/labels.ts'
import type { Case, Rule, Verdict } from '../case.ts'

/** Total: admits every draft that reaches this rule, with the disposition that its label gives. */
export const admit = {
  name: 'admit',
  judge: ({ candidate }: Case): Verdict => ({
    type: 'admit',
    disposition: isFirstHand(candidate.draft.origin.label) ? 'CommittedCheap' : 'CommittedInferred',
    reasons: [],
    facts: {},
  }),
} satisfies Rule
