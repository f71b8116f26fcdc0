import type { Arrival } from '../domain/draft.ts'
import { toInstant } from '../domain/time.ts'
import type { Hasher, Sha256 } from '../ledger/sha256.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { Clock, IdSource, Random, Timer } from '../ports/world.ts'

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

const ARRIVAL_BYTES = 32

/** One clock reading and 32 random bytes for each draft; a retry uses the same values. */
export const arrive = ({ clock, random }: World): Arrival => ({
  time: toInstant(clock.now()),
  bytes: random(ARRIVAL_BYTES),
})
