import type { RecordKind } from './kind-names.ts'
import type { KindPolicy, Policy } from './policy.ts'

/** A kind newer than the policy: no assertion, no needed source, no decay. */
const UNNAMED: KindPolicy = {
  asserts: false,
  decay: null,
  load: null,
  sources: { from: [], min: 0, revises: false },
}

/** A policy's rules for a kind. Stacks keep the policy of their birth, however old. */
export const kindPolicyOf = ({ kinds }: Pick<Policy, 'kinds'>, kind: RecordKind): KindPolicy =>
  Object.hasOwn(kinds, kind) ? kinds[kind] : UNNAMED
