/** A run that failed once. `npm test` repeats every row before the fixed seed. */
export interface FailingSeed {
  /** Test file, from the root of the project. */
  readonly file: string
  /** Full title of the test, as vitest prints the title: `describe > test`. */
  readonly test: string
  /** Position of the property among all properties of the test; 1 is the first. */
  readonly property: number
  readonly seed: number
  /** Path of the smallest failing case; a simulation has a seed alone. */
  readonly path?: string
}

/** Stands for the title where a hook runs the simulation before the tests. */
export const BEFORE_TESTS = '(before the tests)'

/** `npm run explore` prints new rows in this form. */
export const FAILING_SEEDS: readonly FailingSeed[] = [
  // No failure, but the example that shows the repetition itself.
  {
    file: 'tests/support/seeded-fast-check.test.ts',
    test: 'a case of the table comes before the fixed seed',
    property: 2,
    seed: 7,
    path: '3',
  },
  {
    file: 'tests/support/seeded-fast-check.test.ts',
    test: 'a path that fits no longer leaves the seed',
    property: 1,
    seed: 7,
    path: '0:99999:0',
  },
]
