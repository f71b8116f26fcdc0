import type { RecordKind } from '../domain/ids.ts'
import { kindPolicyOf, type Policy } from '../domain/policy.ts'
import type { StrengthTier } from '../fold/effective.ts'

export interface Loadable {
  readonly kind: RecordKind
  /** Scope of a summary; null for other kinds. */
  readonly subtype: string | null
  /** Value of the field that `policy.kinds[kind].load.bonus.from` names. */
  readonly weight: number | null
  readonly strengthTier: StrengthTier
}

/** Priority for loading; null for a kind, or a strength, that is never loaded. */
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
