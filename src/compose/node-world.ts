import { createHash, hash, randomFillSync } from 'node:crypto'
import { uptime } from 'node:os'
import { type Hash, type MemoryId, parseMemoryId } from '../domain/ids.ts'
import { uuid7 } from '../ledger/chance.ts'
import type { Hasher, Sha256 } from '../ledger/sha256.ts'
import type { Clock, IdSource, Random, Timer } from '../ports/world.ts'

/** Hex, because asking node for a Buffer halves the rate. */
export const nodeSha256: Sha256 = (bytes) => hash('sha256', bytes, 'hex') as Hash // 64 hex digits

export function nodeHasher(): Hasher {
  const digest = createHash('sha256')
  return {
    update: (text) => void digest.update(text),
    digest: () => digest.digest('hex') as Hash, // 64 hex digits
  }
}

const SECOND_MS = 1_000

/** The time since the machine started counts sleep, which `performance.now()` does not everywhere. */
export const systemClock: Clock = { now: () => Date.now(), steady: () => uptime() * SECOND_MS }

export const systemTimer: Timer = (ms, run) => {
  const timeout = setTimeout(run, ms)
  return () => clearTimeout(timeout)
}

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

const ID_BYTES = 10

/** UUIDv7, increasing within a process: within a millisecond the random part counts up by 1. */
export function risingIds(random: Random): IdSource {
  let lastMs = -1
  let tail = new Uint8Array(ID_BYTES)
  return {
    next(timeMs): MemoryId {
      if (timeMs > lastMs) {
        lastMs = timeMs
        tail = new Uint8Array(random(ID_BYTES))
      } else countUp(tail)
      return parseMemoryId(uuid7(lastMs, tail))
    },
  }
}

function countUp(bytes: Uint8Array): void {
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    const sum = ((bytes[at] ?? 0) + 1) & 0xff
    bytes[at] = sum
    if (sum !== 0) return
  }
}
