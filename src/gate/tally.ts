import type { Door } from '../domain/doors.ts'
import type { StoredEntry } from '../domain/entry.ts'
import type { Hash, Ref } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import type { Burst, Tally } from '../domain/state.ts'
import { type Instant, laterOf, toMs } from '../domain/time.ts'
import type { RuleName } from '../domain/vocabulary.ts'

/** Repeats of a memory under a rule share a tally for the memory's life. */
export const collapseKey = (about: Ref, rule: RuleName): string =>
  JSON.stringify(['collapse', about, rule])

/** A proposal by an actor about a memory; equal fields make an equal proposal. */
export const proposalKey = (about: Ref, actor: string, fields: Hash | null): string =>
  JSON.stringify(['proposal', about, actor, ...(fields === null ? [] : [fields])])

export const isProposalKey = (key: string): boolean => key.startsWith('["proposal",')

/** Refusals of an actor at a door under a rule share a tally. */
export const refusalKey = (actor: string, door: Door, rule: RuleName): string =>
  JSON.stringify(['refusal', actor, door, rule])

/**
 * Noise kept as a rejected suggestion has a tally of its own, which counts repeats of the words.
 * The key holds the words only as a digest under the tombstone key, after the seq of their entry.
 */
export const noiseKey = (of: {
  readonly actor: string
  readonly door: Door
  readonly seq: number
  readonly mark: Hash
}): string =>
  JSON.stringify(['noise', of.actor, of.door, String(of.seq).padStart(SEQ_DIGITS, '0'), of.mark])

const SEQ_DIGITS = 16 // as many as a safe integer has, so that keys sort as entries do

export const isNoiseKey = (key: string): boolean => key.startsWith('["noise",')
export const isNoiseOf = (key: string, mark: Hash): boolean => key.endsWith(`,"${mark}"]`)

/** A tally about a memory names no actor, door or pseudonym. */
export type Opening = Pick<Tally, 'key' | 'rule' | 'about'> &
  Partial<Pick<Tally, 'actor' | 'door' | 'pseudonym'>> & { readonly stored: StoredEntry }

/** A tally without repeats: the entry records the first occurrence. */
export const openTally = ({ stored, ...rest }: Opening): Tally => ({
  ...{ actor: null, door: null, pseudonym: null },
  ...rest,
  entrySeq: stored.entry.seq,
  entryHash: stored.hash,
  count: 0,
  firstAt: null,
  lastAt: null,
})

export const countRepeat = (tally: Tally, time: Instant): Tally => ({
  ...tally,
  count: tally.count + 1,
  firstAt: tally.firstAt ?? time,
  lastAt: laterOf(tally.lastAt ?? time, time), // a clock set back does not reverse the span
})

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export type OpenTally = Tally & { readonly firstAt: Instant }

/** Tallies with repeats, the oldest first; tallies of equal time are sorted by key. */
export const byBeginning = (tallies: readonly Tally[]): readonly OpenTally[] =>
  tallies
    .filter((tally): tally is OpenTally => tally.firstAt !== null)
    .sort((a, b) => inOrder(a.firstAt, b.firstAt) || inOrder(a.key, b.key))

export const isBurst = (
  { times }: Pick<Burst, 'times'>,
  policy: Pick<Policy, 'numbers'>,
): boolean => isMoreThan(policy.numbers.quarantineBurstThreshold, times, policy)

/** Already true at half the threshold of a burst, with the write at `time` counted. */
export function isFloodAt(
  burst: Burst | undefined,
  { policy, time }: { readonly policy: Pick<Policy, 'numbers'>; readonly time: Instant },
): boolean {
  const half = Math.max(1, Math.floor(policy.numbers.quarantineBurstThreshold / 2))
  return isMoreThan(half, [...(burst?.times ?? []), time].slice(-half - 1), policy)
}

function isMoreThan(
  most: number,
  times: readonly Instant[],
  { numbers }: Pick<Policy, 'numbers'>,
): boolean {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || times.length <= most) return false
  return toMs(last) - toMs(first) <= numbers.burstWindowMs
}
