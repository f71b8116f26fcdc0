import { DOORS, type Door } from './doors.ts'
import type { Ref } from './ids.ts'
import type { Policy } from './policy.ts'
import type { Disposition } from './vocabulary.ts'

/** Kinds of origin whose memories can be distrusted all at once. */
export const ORIGIN_KINDS = ['actor', 'door', 'session'] as const
export type OriginKind = (typeof ORIGIN_KINDS)[number]

/** Target of distrust: everything from an origin, or a single memory. */
export type Doubted =
  | { readonly type: OriginKind; readonly name: string }
  | { readonly type: 'memory'; readonly ref: Ref }

/** Targets with all their descendants, and every source of the descendants. */
export type DescentOf = Doubted | { readonly type: 'memories'; readonly refs: readonly Ref[] }

/** Reasons for distrust, as codes that may stay in the ledger. */
export const DISTRUST_BASES = [
  'compromised', // another party speaks in this name
  'poisoned', // fed with lies
  'mistaken', // honest, and wrong
  'other',
] as const
export type DistrustBasis = (typeof DISTRUST_BASES)[number]

/** Not part of a policy, since no decision about a single memory uses these limits. */
export const DISTRUST_LIMITS = {
  distrustedOriginsMax: 256, // origins distrusted at the same time
  distrustVisitMax: 100_000, // memories of an origin with all descendants, all or none
} as const

/** A distrusted origin: its memories are kept and count for nothing. */
export interface StandingDistrust {
  readonly origin: OriginKind
  /** The door, or the pseudonym of the actor or the session in entries. */
  readonly of: string
  readonly seq: number
}

/** Reasons for a memory's distrust, and the disposition before. */
export interface DistrustMark {
  readonly was: Disposition
  readonly origins: readonly number[]
  /** True if the memory itself was distrusted. Without `own` and `origins`, all its grounds are. */
  readonly own: boolean
}

/** Reasons why an entry takes or restores belief. */
export const DISTRUST_WHYS = ['origin', 'own', 'ground'] as const
export type DistrustWhy = (typeof DISTRUST_WHYS)[number]

/** Name of the key behind an origin's pseudonym; doors have no key. */
export const keyNameOf = (origin: Exclude<OriginKind, 'door'>, name: string): string =>
  origin === 'actor' ? name : `session:${name}`

export const isDoor = (name: string): name is Door => DOORS.some((door) => door === name)

/** No policy believes a distrusted memory. */
export const isBelieved = (
  disposition: Disposition,
  { notBelieved }: Pick<Policy, 'notBelieved'>,
): boolean => disposition !== 'Distrusted' && !notBelieved.includes(disposition)

/** Every disposition under which nobody believes a memory. */
export const unbelieved = ({ notBelieved }: Pick<Policy, 'notBelieved'>): readonly Disposition[] =>
  notBelieved.includes('Distrusted') ? notBelieved : [...notBelieved, 'Distrusted']
