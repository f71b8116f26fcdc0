import type { Ref } from '../domain/ids.ts'
import type { Instant } from '../domain/time.ts'

/** The place that an erased claim keeps on its line, as far as it is known without its words. */
export interface ErasedPlace {
  /** From when on it spoke over what was said before; null where only its words would tell. */
  readonly from: Instant | null
  /** By when it was over, as far as entries tell. */
  readonly until: Instant | null
  /** What had taken its place. */
  readonly by: Ref | null
  /** It was taken back, set aside or forgotten: its place is nobody's. */
  readonly isSilent: boolean
}

export type ErasedClaims = ReadonlyMap<Ref, ErasedPlace>

/**
 * An erased successor keeps its place: where it spoke, the answer is unknown and never the older
 * value (18.7). Its own dates went with its words, so the place is never narrower than they were.
 */
export const spokeThen = ({ from, until, isSilent }: ErasedPlace, validAt: Instant): boolean =>
  !isSilent && (from === null || from <= validAt) && (until === null || validAt < until)
