/** One measurement: how many cases of a set went wrong, what else was counted, and which cases. */
export interface Figure {
  readonly bad: number
  readonly of: number
  /** Other counts of the same run, in words. */
  readonly counts?: string
  readonly misses: readonly string[]
}

export const figureOf = (
  misses: readonly string[],
  of: number,
  counts: string | undefined = undefined,
): Figure => ({ bad: misses.length, of, misses, ...(counts !== undefined && { counts }) })

/** Every nth case of a set, so that each part of the set is in the sample. */
export const sampleOf = <T>(all: readonly T[], count: number): readonly T[] =>
  count >= all.length
    ? all
    : Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)] as T) // in range
