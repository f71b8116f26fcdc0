import { type Caller, DEFAULT_USES, isTier, type Tier, USES, type Use } from '../../domain/doors.ts'
import type { Ref } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import { DEFAULT_FUSION, type Fusion } from '../../domain/words/search.ts'
import type { Engine } from '../engine.ts'
import { given, oneOf, wrong } from '../write/arguments.ts'
import type { Annotation, Memory } from './memory-view.ts'
import type { ReadBy } from './served.ts'

export interface UseOptions {
  /** Purpose of the read; acting needs a higher tier than talking. */
  readonly for?: Use
  /** Lowest tier; with both limits, the higher one counts. */
  readonly minTier?: number
  /** The reading connection; the host may have fixed a use for the connection. */
  readonly caller?: Caller
}

/** Memories that exist but are withheld from the use. */
export interface Withheld {
  /** The lowest readable tier. */
  readonly tierMin: Tier
  readonly count: number
  readonly refs: readonly Ref[]
  /** True when the list of refs reached its limit. */
  readonly hasMore: boolean
}

export const WITHHELD_MAX = 200 // refs recorded; beyond this number the store filters withheld memories unseen

// Policies older than these fields have the default values.
type UsePolicy = Partial<Pick<Policy, 'uses' | 'recall'>>

export const fusionOf = ({ recall }: UsePolicy): Fusion =>
  recall === undefined
    ? DEFAULT_FUSION
    : { ...recall, weights: { ...DEFAULT_FUSION.weights, ...recall.weights } }

export const tierFor = ({ uses }: UsePolicy, use: Use): Tier => (uses ?? DEFAULT_USES)[use]

/** The lowest readable tier: by the use, by a number, or else the default. */
export function tierMinOf(policy: UsePolicy, options: UseOptions, usual: Tier): Tier {
  const { minTier } = options
  if (minTier !== undefined && !isTier(minTier)) throw wrong('minTier', '0, 1, 2 or 3')
  const { use } = options.caller ?? {}
  const fixed = use === undefined ? 0 : tierFor(policy, use)
  if (options.for === undefined) return higherTier(minTier ?? usual, fixed)
  const needed = tierFor(policy, oneOf('for', options.for, USES))
  return higherTier(higherTier(needed, minTier ?? 0), fixed)
}

const higherTier = (a: Tier, b: Tier): Tier => (a >= b ? a : b)

/** True for a read bounded by a use or tier, its own or the connection's. */
export const isBounded = ({ for: use, minTier, caller }: UseOptions): boolean =>
  use !== undefined || minTier !== undefined || (caller?.use ?? 'chat') !== 'chat'

export const WITHHELD_TEXT = '(withheld)'

/**
 * A memory that was requested by ref, or that lies on the way to another, is not dropped below the
 * use's tier. The provenance stays visible, and shows that and why the words are withheld.
 */
export function gated<K extends Memory['kind']>(
  memory: Memory<K>,
  policy: UsePolicy,
  options: UseOptions,
): Memory<K> {
  const needed = tierMinOf(policy, options, 0)
  const told = memory.confidenceHistory
  if (memory.tier >= needed) {
    const isOpen = !told.some((each) => isBelow(each, needed))
    return isOpen ? memory : { ...memory, confidenceHistory: gatedWords(told, needed) }
  }
  const body = {} as Memory<K>['body'] // a withheld body has no members of any kind
  const confidenceHistory = withoutWords(told)
  const provenance = { ...memory.provenance, sourceEntity: null, document: null } // free words too
  const words = { body, text: WITHHELD_TEXT, tags: [], annotations: {}, confidenceHistory }
  return { ...memory, ...words, provenance, withheld: needed }
}

const isBelow = ({ tier }: Annotation, needed: Tier): boolean => tier !== null && tier < needed

/** An annotation is shown by its own tier, not by the tier of the memory. */
const gatedWords = <T extends Annotation>(told: readonly T[], needed: Tier): readonly T[] =>
  told.map((each) => (isBelow(each, needed) ? { ...each, text: null } : each))

/** Annotations of a memory, as far as a use may read both the memory and the annotation. */
export const wordsFor = <T extends Annotation>(
  told: readonly T[],
  { tier }: Pick<Memory, 'tier'>,
  needed: Tier,
): readonly T[] => (tier < needed ? withoutWords(told) : gatedWords(told, needed))

/** Reasons of changes tell about the memory's words, so withheld memories show no reasons. */
const withoutWords = <T extends Annotation>(told: readonly T[]): readonly T[] =>
  told.map((each) => ({ ...each, text: null }))

/** Memories whose words were shown. */
export const unwithheld = (memories: readonly Memory[]): readonly Memory[] =>
  memories.filter(({ withheld }) => withheld === undefined)

/** Memories as a connection may read them: words below the use that the host fixed are withheld. */
export async function gatedAll<M extends Memory>(
  engine: Engine,
  memories: readonly M[],
  reader: ReadBy | null | undefined,
): Promise<readonly M[]> {
  const { caller } = given(reader)
  if (caller?.use === undefined) return memories
  const { policy } = await engine.moment()
  return memories.map((memory) => gated(memory, policy, { caller }) as M) // of the memory's kind
}

/** Results with memories, as a connection may read them. */
export async function gatedIn<T extends { readonly memory: Memory }>(
  engine: Engine,
  results: readonly T[],
  reader: ReadBy | null | undefined,
): Promise<readonly T[]> {
  const memories = await gatedAll(engine, memoriesIn(results), reader)
  return results.map((each, at) => ({ ...each, memory: memories[at] ?? each.memory }))
}

export const memoriesIn = (results: readonly { readonly memory: Memory }[]): readonly Memory[] =>
  results.map(({ memory }) => memory)
