/** How readily a memory comes to mind, in words. */
export type StrengthTier = 'strong' | 'fading' | 'weak' | 'dormant' | 'forgotten'

const STRONG_FROM = 0.8
const FADING_FROM = 0.5
const WEAK_FROM = 0.2

export function tierOfStrength(value: number): StrengthTier {
  if (value >= STRONG_FROM) return 'strong'
  if (value >= FADING_FROM) return 'fading'
  if (value >= WEAK_FROM) return 'weak'
  return value > 0 ? 'dormant' : 'forgotten'
}
