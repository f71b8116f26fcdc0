import type { Disposition } from './dispositions.ts'
import { DOORS, type Door } from './doors.ts'
import type { Ref } from './ids.ts'
import type { Policy } from './policy.ts'

/** Where memories come from that may be believed no longer, all at once. */
export const ORIGIN_KINDS = ['actor', 'door', 'session'] as const
export type OriginKind = (typeof ORIGIN_KINDS)[number]

/** What is not to be believed: everything of an origin, or one memory. */
export type Doubted =
  | { readonly type: OriginKind; readonly name: string }
  | { readonly type: 'memory'; readonly ref: Ref }

/** Memories that are wanted with all their descendants, and every source of these. */
export type DescentOf = Doubted | { readonly type: 'memories'; readonly refs: readonly Ref[] }

/** Why, as a code that may stay in the ledger. */
export const DISTRUST_BASES = [
  'compromised', // somebody else speaks in its name
  'poisoned', // it was fed lies
  'mistaken', // it means well and is wrong
  'other',
] as const
export type DistrustBasis = (typeof DISTRUST_BASES)[number]

/** No part of a policy, since no decision about a single memory uses them. */
export const DISTRUST_LIMITS = {
  distrustedOriginsMax: 256, // origins that are not believed at the same time
  distrustVisitMax: 100_000, // memories of an origin, and what was made from them, all or none
} as const

/** An origin that is not believed: what comes from it is kept, and counts for nothing. */
export interface StandingDistrust {
  readonly origin: OriginKind
  /** The door, or what entries call the actor or the session. */
  readonly of: string
  /** The entry that says so. */
  readonly seq: number
}

/** Why a memory is not believed, and what it was before. */
export interface DistrustMark {
  readonly was: Disposition
  /** The entries that distrusted an origin of it. */
  readonly origins: readonly number[]
  /** Whether it was itself said to be wrong; with neither, all that it rests on is distrusted. */
  readonly own: boolean
}

/** Why one entry takes a memory's belief, or gives it back. */
export const DISTRUST_WHYS = ['origin', 'own', 'ground'] as const
export type DistrustWhy = (typeof DISTRUST_WHYS)[number]

/** Under which name the key lies that makes the pseudonym of an origin; doors have none. */
export const keyNameOf = (origin: Exclude<OriginKind, 'door'>, name: string): string =>
  origin === 'actor' ? name : `session:${name}`

export const isDoor = (name: string): name is Door => DOORS.some((door) => door === name)

/** What is distrusted is believed under no policy. */
export const isBelieved = (
  disposition: Disposition,
  { notBelieved }: Pick<Policy, 'notBelieved'>,
): boolean => disposition !== 'Distrusted' && !notBelieved.includes(disposition)

/** Every word under which a memory is believed by nobody. */
export const unbelieved = ({ notBelieved }: Pick<Policy, 'notBelieved'>): readonly Disposition[] =>
  notBelieved.includes('Distrusted') ? notBelieved : [...notBelieved, 'Distrusted']
