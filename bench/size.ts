const VARIABLE = 'MUNIMENT_BENCH_TINY'

// A part starts programs of its own, which read the size from their environment.
if (process.argv.includes('--tiny')) process.env[VARIABLE] = '1'

/** `--tiny` shows that a part runs to its end, from the source; its figures say nothing. */
export const isTiny = process.env[VARIABLE] === '1'

export const sized = (full: number, tiny: number): number => (isTiny ? tiny : full)

/** Notes that one program of `writer.ts` writes. */
export const WRITER_NOTES = sized(500, 16)

/** Sizes of a stack at which a figure is taken while the stack grows. */
export const sizesTo = (memories: number): readonly number[] =>
  isTiny ? [memories] : [1_000, 10_000, 100_000].filter((each) => each <= memories)
