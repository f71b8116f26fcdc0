import { lowerTier, TIERS, type Tier } from '../domain/doors.ts'
import { type Fact, type Facts, guardWith, tierAtBirth } from '../domain/entry.ts'
import type { Policy } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'

type Witness = Pick<MemoryState, 'sourceId' | 'door' | 'tier'>

/**
 * What two first-hand captures lift a memory to: the lower of their tiers, where they come from
 * different actors through different doors. One actor at two doors, or two at one, may be one voice.
 */
export function tierByAnchors(anchors: readonly Witness[], { numbers }: Partial<Policy>): Tier {
  // A policy that names no such number was told before tiers rose at all.
  const tierByAnchorsMax = numbers?.tierByAnchorsMax
  if (tierByAnchorsMax === undefined) return 0
  let most: Tier = 0
  for (const one of anchors) {
    for (const other of anchors) {
      if (one.sourceId === other.sourceId || one.door === other.door) continue
      const both = lowerTier(one.tier, other.tier)
      if (both > most && both <= tierByAnchorsMax) most = both
    }
  }
  return most
}

/** What a person's verdict lifts a claim to. */
export const tierByVerdict = ({ numbers }: Partial<Policy>): Tier =>
  TIERS.find((tier) => tier === numbers?.tierOfVerdict) ?? 0

/** The fact of a tier that rises; nothing where it is as high already. */
export const risenTo = ({ tier: from }: Pick<MemoryState, 'tier'>, to: Tier): Facts =>
  to > from ? { tier: { from, to } } : {}

/** The tier that an entry leaves a memory with. */
export function tierAfter({ tier }: Pick<MemoryState, 'tier'>, { tier: told }: Facts): Tier {
  const to = isRise(told) ? TIERS.find((each) => each === told.to) : undefined
  return to ?? tier
}

/** A memory with the tier that an entry leaves it with; who may change it goes by the tier before. */
export function risenBy<State extends Pick<MemoryState, 'tier' | 'guard'>>(
  state: State,
  facts: Facts,
): State {
  const tier = tierAfter(state, facts)
  if (tier === state.tier) return state
  const members = { tierAtBirth: tierAtBirth(state), quoted: undefined } // the quote lifts no more
  return { ...state, tier, guard: guardWith(state.guard, members) }
}

const isRise = (fact: Fact | undefined): fact is { readonly to: Fact } =>
  typeof fact === 'object' && fact !== null && 'to' in fact
