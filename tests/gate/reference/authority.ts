import type { Tier } from '../../../src/domain/doors.ts'
import type { GateDraft } from '../steps.ts'
import { doubtsOf } from './doubt.ts'
import { tierByTrust } from './lineage.ts'
import { doorTier, isExternal, TIER } from './tables.ts'
import type { Book, Remembered } from './words.ts'

// "No change without the authority", rule 5 of the firewall, from its text alone.

export type Acting = Pick<GateDraft, 'actor' | 'door' | 'person' | 'grant' | 'label'>

/** The least of what the door, the grant, and the assessment leave; distrust leaves none. */
export function standing(book: Book, who: Acting): Tier {
  if (doubtsOf(book, who).length > 0) return 0
  return Math.min(doorTier(who) ?? 0, tierByTrust(book, who.actor)) as Tier // the least of tiers is one
}

/** An entry names the tier of its caller only where the label would say more. */
export function toldStanding(book: Book, who: Acting): Tier | null {
  const tier = standing(book, who)
  return tier < TIER[who.label] ? tier : null
}

export function hasAuthority(book: Book, who: Acting, memory: Remembered): boolean {
  // Nobody stands between the host and a file that is imported here.
  const isHost = (who.door === 'lib' && who.grant === null) || who.door === 'import'
  const isPerson = who.person && who.label === 'UserAsserted' && standing(book, who) === 3
  if (isExternal(memory.label) && !isExternal(who.label)) return false
  const recorded = memory.lift?.from ?? memory.recordedTier ?? memory.tier
  if (standing(book, who) < recorded) return false
  return who.actor === memory.actor || isHost || isPerson
}
