import { parseMemoryId } from '../domain/ids.ts'
import { DAY_MS } from '../domain/time.ts'
import type { Clock, IdSource, Random } from '../ports/world.ts'

/** A stretch of time; the parts add up, and negative ones turn the clock back. */
export interface Stretch {
  readonly days?: number
  readonly minutes?: number
  readonly ms?: number
}

/** A clock that moves only on demand. */
export interface FakeClock extends Clock {
  advance(by: Stretch): void
}

const MINUTE_MS = 60_000
const START = '2026-01-01T00:00:00.000Z'

export function fakeClock(start: string = START): FakeClock {
  let ms = Date.parse(start)
  return {
    now: () => ms,
    advance: (by) => {
      ms += (by.days ?? 0) * DAY_MS + (by.minutes ?? 0) * MINUTE_MS + (by.ms ?? 0)
    },
  }
}

/** Ids that count upwards. Two sources with different series never share an id. */
export function countingIds(series = 0): IdSource {
  let made = 0
  return {
    next: () => {
      made += 1
      const head = series.toString(16).padStart(8, '0').slice(-8)
      return parseMemoryId(`${head}-0000-7000-8000-${made.toString(16).padStart(12, '0')}`)
    },
  }
}

/** Pseudorandom numbers, equal for equal seeds (mulberry32). */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

/** Pseudorandom bytes, equal for equal seeds. Never for a real stack. */
export function seededRandom(seed: number): Random {
  const next = seededNumbers(seed)
  return (length) => Uint8Array.from({ length }, () => next() & 0xff)
}

/** Random draws for a history, all from one seed. */
export interface Dice {
  /** A whole number from 0 up to, not including, `sides`. */
  roll(sides: number): number
  /** True this often, from 0 to 1. */
  isLucky(share: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  pickAny<Item>(items: readonly Item[]): Item | undefined
}

const TWO_TO_32 = 0x1_0000_0000

export function seededDice(seed: number): Dice {
  const next = seededNumbers(seed)
  const roll = (sides: number): number => Math.floor((next() / TWO_TO_32) * sides)
  return {
    roll,
    isLucky: (share) => next() / TWO_TO_32 < share,
    pick: (items) => items[roll(items.length)] ?? items[0],
    pickAny: (items) => items[roll(items.length)],
  }
}

/** All inputs `openStack` otherwise takes from the machine; equal seeds give equal histories. */
export const fakeWorld = (seed = 1) => ({
  clock: fakeClock(),
  ids: countingIds(seed),
  random: seededRandom(seed),
})
