import type { Rule } from '../case.ts'
import { judgeProposal } from '../proposal.ts'

/** Fields that their author may not revise wait for a person to decide. */
export const authority: Rule = {
  name: 'authority',
  judge: (c) => (c.restated?.type === 'proposal' ? judgeProposal(c, c.restated) : undefined),
}
