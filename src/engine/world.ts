import type { Policy } from '../domain/policy.ts'
import { type Instant, toInstant } from '../domain/time.ts'
import type { Arrival } from '../domain/write.ts'
import type { Hasher, Sha256 } from '../ledger/sha256.ts'
import type { Answer, ReadQuery } from '../ports/store.ts'
import type { Clock, IdSource, Keyring, Random, Timer } from '../ports/world.ts'

/**
 * Time, chance and identity, passed in: code below never reads the clock or randomness directly.
 */
export interface World {
  readonly clock: Clock
  readonly timer: Timer
  readonly ids: IdSource
  readonly random: Random
  readonly sha256: Sha256
  readonly hasher: () => Hasher
  readonly keyring: Keyring
}

/** The policy in force and the time: both decide the numbers of a memory. */
export interface Moment {
  readonly policy: Policy
  readonly now: Instant
  /** The stack holds entries of other replicas: lists and answers follow the time of origin. */
  readonly byOrigin?: boolean
}

/** Reads rows of a stack. */
export type Read = <Q extends ReadQuery>(query: Q) => Promise<Answer<Q>>

const ARRIVAL_BYTES = 32

/** One clock reading and 32 random bytes for each draft; a retry uses the same values. */
export const arrive = ({ clock, random }: World): Arrival => ({
  time: toInstant(clock.now()),
  bytes: random(ARRIVAL_BYTES),
})

export const eventLoopYield = (timer: Timer) => (): Promise<void> =>
  new Promise((resolve) => void timer(0, resolve))
