// Time, chance and identity for the tests of this folder: nothing here is drawn or measured, so
// that equal calls give equal bytes on every machine and in every year.

import { createHash } from 'node:crypto'
import { type Hash, parseRef } from '../../src/domain/ids.ts'
import type { Stack } from '../../src/index.ts'
import type { IdSource, Keyring, KnownErasure, Random, StackKeys } from '../../src/ports/world.ts'

export type World = {
  clock: { now: () => number; advance: (ms: number) => void }
  ids: IdSource
  random: Random
}

const START = '2026-01-02T03:04:05.006Z'

export function countingWorld(): World {
  let now = Date.parse(START)
  let ids = 0
  let draws = 0
  return {
    clock: {
      now: () => now,
      advance: (ms) => {
        now += ms
      },
    },
    ids: {
      next: () => {
        ids += 1
        const tail = ids.toString(16).padStart(12, '0')
        return `00000000-0000-7000-8000-${tail}` as ReturnType<IdSource['next']> // a UUID by shape
      },
    },
    random: (length) => {
      draws += 1
      return bytesOf(`draw ${draws}`, length)
    },
  }
}

function bytesOf(seed: string, length: number): Uint8Array {
  const parts: Buffer[] = []
  for (let block = 0; block * 32 < length; block += 1) {
    parts.push(createHash('sha256').update(`${seed} block ${block}`).digest())
  }
  return Uint8Array.from(Buffer.concat(parts).subarray(0, length))
}

/** Keys of one place, kept for as long as the test holds on to them. */
export function mapKeyring(): Keyring {
  const kept = new Map<string, StackKeys>()
  const erased = new Map<string, readonly KnownErasure[]>()
  return {
    find: (uid) => kept.get(uid) ?? null,
    keep: (uid, keys) => {
      if (!kept.has(uid)) kept.set(uid, keys)
      return kept.get(uid) ?? keys
    },
    erasures: (uid) => erased.get(uid) ?? [],
    noteErasures: (uid, more) => {
      erased.set(uid, [...(erased.get(uid) ?? []), ...more])
    },
  }
}

const hashOf = (text: string): Hash => createHash('sha256').update(text).digest('hex') as Hash // 64 hex digits

/** What an opening does where the keys know of an erasure that the ledger never heard of. */
export async function keepOut(stack: Stack, keyring: Keyring): Promise<void> {
  const erasure: KnownErasure = {
    seq: 1_000_000,
    hash: hashOf('an entry of later'),
    basis: 'consent_withdrawn',
    ref: parseRef('raw:00000000-0000-7000-8000-ffffffffffff'),
    of: null,
    tombstones: [hashOf('a mark')],
  }
  keyring.noteErasures(String(stack.ledger.uid), [erasure])
  await stack.erasure.resume()
}
