import type { RecordKind } from '../domain/kind-names.ts'
import { kindPolicyOf } from '../domain/kind-policy.ts'
import type { Policy } from '../domain/policy.ts'
import type { StrengthTier } from '../fold/effective.ts'

export interface Loadable {
  readonly kind: RecordKind
  /** The scope of a summary; other kinds have none that counts here. */
  readonly subtype: string | null
  /** The value of the field that `policy.kinds[kind].load.bonus.from` names. */
  readonly weight: number | null
  readonly strengthTier: StrengthTier
}

/** How soon a memory is loaded; null when its kind, or a memory so faint, is not loaded at all. */
export function priorityOf(
  { kind, subtype, weight, strengthTier }: Loadable,
  policy: Pick<Policy, 'kinds'>,
): number | null {
  const { load } = kindPolicyOf(policy, kind)
  if (load === null || (strengthTier !== 'strong' && strengthTier !== 'fading')) return null
  const scopes = load.baseByScope ?? {}
  const scoped = subtype !== null && Object.hasOwn(scopes, subtype) ? scopes[subtype] : undefined
  const bonus = load.bonus === undefined ? 0 : (weight ?? 0) / load.bonus.divisor
  const full = (scoped ?? load.base) + bonus
  return strengthTier === 'fading' ? full / 2 : full
}
