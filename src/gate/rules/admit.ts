import { labelName } from '../../domain/labels.ts'
import { admitted } from '../../fold/fold-change.ts'
import { admitAs, type Case, type Rule, type Verdict } from '../case.ts'

/** Total: admits every draft that reaches this rule, with the disposition that its label gives. */
export const admit = {
  name: 'admit',
  judge: ({ candidate }: Case): Verdict =>
    admitAs(admitted(labelName(candidate.draft.origin.label))),
} satisfies Rule
