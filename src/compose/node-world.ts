import { hash, randomFillSync } from 'node:crypto'
import { type Hash, type MemoryId, parseMemoryId } from '../domain/ids.ts'
import { uuid7 } from '../hash/chance.ts'
import type { Sha256 } from '../hash/sha256.ts'
import type { Clock, IdSource, Random } from '../ports/world.ts'

/** Hex, because asking node for a Buffer halves the rate. */
export const nodeSha256: Sha256 = (bytes) => hash('sha256', bytes, 'hex') as Hash // 64 hex digits

export const systemClock: Clock = { now: () => Date.now() }

const POOL_BYTES = 65_536

/** Draws from a pool: filling one large buffer costs far less than a call for each draft. */
export function pooledRandom(): Random {
  let pool = new Uint8Array(0)
  let used = 0
  return (length) => {
    if (used + length > pool.length) {
      pool = randomFillSync(new Uint8Array(Math.max(POOL_BYTES, length)))
      used = 0
    }
    used += length
    return pool.slice(used - length, used)
  }
}

/** UUIDv7, rising within one process even when many are made in one millisecond. */
export function risingIds(random: Random): IdSource {
  let last = ''
  return {
    next(timeMs): MemoryId {
      let id = uuid7(timeMs, random(10))
      // The same millisecond: keep the order of making by drawing until it rises, a few tries at most.
      for (let tries = 0; id <= last && id.slice(0, 13) === last.slice(0, 13); tries += 1) {
        id = tries < 8 ? uuid7(timeMs, random(10)) : uuid7(timeMs + 1, random(10))
      }
      last = id
      return parseMemoryId(id)
    },
  }
}
