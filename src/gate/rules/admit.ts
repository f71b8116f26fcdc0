import { isFirstHand } from '../../domain/labels.ts'
import type { Case, Rule, Verdict } from '../case.ts'

/** Total: whatever reaches it is let in, under the word its label earns. */
export const admit = {
  name: 'admit',
  judge: ({ candidate }: Case): Verdict => ({
    type: 'admit',
    disposition: isFirstHand(candidate.draft.origin.label) ? 'CommittedCheap' : 'CommittedInferred',
    reasons: [],
    facts: {},
  }),
} satisfies Rule
