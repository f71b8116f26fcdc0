import { type Caller, isTier, type Tier } from '../../domain/doors.ts'
import { DEFAULT_FUSION, type Fusion } from '../../domain/fusion.ts'
import type { Ref } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import { DEFAULT_USES, USES, type Use } from '../../domain/use.ts'
import type { Beside } from '../write/annotations.ts'
import { oneOf, wrong } from '../write/arguments.ts'
import type { Memory } from './memory-view.ts'

/** What bounds the tier of what is read. */
export interface UseOptions {
  /** What it is read for; acting takes a higher tier than talking. */
  readonly for?: Use
  /** Only this tier or a higher; where both are given, the higher of the two. */
  readonly minTier?: number
  /** The connection that reads; the host may have fixed a least use for the connection. */
  readonly caller?: Caller
}

/** What is there and may not be read for a use. */
export interface Withheld {
  /** The lowest tier that is taken. */
  readonly tierMin: Tier
  readonly count: number
  readonly refs: readonly Ref[]
  /** There may be more of them: this many were looked at. */
  readonly hasMore: boolean
}

export const WITHHELD_MAX = 200 // named; behind them the store leaves out the rest unseen

// A policy that was told before it named these goes on as it always was read.
type Told = Partial<Pick<Policy, 'uses' | 'recall'>>

export const fusionOf = ({ recall }: Told): Fusion =>
  recall === undefined
    ? DEFAULT_FUSION
    : { ...recall, weights: { ...DEFAULT_FUSION.weights, ...recall.weights } }

export const tierFor = ({ uses }: Told, use: Use): Tier => (uses ?? DEFAULT_USES)[use]

/** The lowest tier that may be read, for a use, by a number, or else as usual. */
export function tierMinOf(policy: Told, options: UseOptions, usual: Tier): Tier {
  const { minTier } = options
  if (minTier !== undefined && !isTier(minTier)) throw wrong('minTier', '0, 1, 2 or 3')
  const { use } = options.caller ?? {}
  const fixed = use === undefined ? 0 : tierFor(policy, use)
  if (options.for === undefined) return higherTier(minTier ?? usual, fixed)
  const needed = tierFor(policy, oneOf('for', options.for, USES))
  return higherTier(higherTier(needed, minTier ?? 0), fixed)
}

const higherTier = (a: Tier, b: Tier): Tier => (a >= b ? a : b)

/** Whether a reading is bounded by a use or a tier, its own or the connection's. */
export const isBounded = ({ for: use, minTier, caller }: UseOptions): boolean =>
  use !== undefined || minTier !== undefined || (caller?.use ?? 'chat') !== 'chat'

/** What stands in the place of words that a use may not read. */
export const WITHHELD_TEXT = '(withheld)'

/**
 * A memory that is asked for by its name, or is on the way to another, is not left out where a use
 * takes a higher tier: its papers are shown, and say that and why its words are not.
 */
export function gated<K extends Memory['kind']>(
  memory: Memory<K>,
  policy: Told,
  options: UseOptions,
): Memory<K> {
  const needed = tierMinOf(policy, options, 0)
  const told = memory.confidenceHistory
  if (memory.tier >= needed) {
    const isOpen = !told.some((each) => isBelow(each, needed))
    return isOpen ? memory : { ...memory, confidenceHistory: gatedWords(told, needed) }
  }
  const body = {} as Memory<K>['body'] // words that are withheld have no members of any kind
  const confidenceHistory = withoutWords(told)
  const provenance = { ...memory.provenance, sourceEntity: null, document: null } // free words too
  const words = { body, text: WITHHELD_TEXT, tags: [], annotations: {}, confidenceHistory }
  return { ...memory, ...words, provenance, withheld: needed }
}

const isBelow = ({ tier }: Beside, needed: Tier): boolean => tier !== null && tier < needed

/** Words beside a memory are shown to a use by their own tier, not by the memory's. */
const gatedWords = <T extends Beside>(told: readonly T[], needed: Tier): readonly T[] =>
  told.map((each) => (isBelow(each, needed) ? { ...each, text: null } : each))

/** Words given for changes of a memory, as far as a use may read both the memory and those words. */
export const wordsFor = <T extends Beside>(
  told: readonly T[],
  { tier }: Pick<Memory, 'tier'>,
  needed: Tier,
): readonly T[] => (tier < needed ? withoutWords(told) : gatedWords(told, needed))

/** Reasons that were given for changes speak of what it says. */
const withoutWords = <T extends Beside>(told: readonly T[]): readonly T[] =>
  told.map((each) => ({ ...each, text: null }))

/** What was shown, and so may come back. */
export const unwithheld = (memories: readonly Memory[]): readonly Memory[] =>
  memories.filter(({ withheld }) => withheld === undefined)
