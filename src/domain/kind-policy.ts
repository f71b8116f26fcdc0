import type { RecordKind } from './kind-names.ts'
import type { KindPolicy, Policy } from './policy.ts'

/** A kind that came after a policy was written: it asserts nothing, needs no source, and never fades. */
const UNNAMED: KindPolicy = {
  asserts: false,
  decay: null,
  load: null,
  sources: { from: [], min: 0, revises: false },
}

/** What a policy says of a kind. Stacks go on under the policy they were made with, however old. */
export const kindPolicyOf = ({ kinds }: Pick<Policy, 'kinds'>, kind: RecordKind): KindPolicy =>
  Object.hasOwn(kinds, kind) ? kinds[kind] : UNNAMED
