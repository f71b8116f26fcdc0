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

/** `npm run explore` prints new rows in this form. */
export const FAILING_SEEDS: readonly FailingSeed[] = [
  {
    file: 'tests/firewall/distrust-properties.test.ts',
    test: '[FIREWALL-WHATIF] what whatIf says is what distrusting does: to memories, to flags and to every answer',
    property: 1,
    seed: -171501587,
    path: '35:3:1:2:5:6:8:13:12:12:13:13:14:17:17:14:14:14:14:14',
  },
  {
    file: 'tests/firewall/distrust-properties.test.ts',
    test: '[FIREWALL-DISTRUST] after any history, what is distrusted and trusted again leaves every row, answer, belief and load as it was',
    property: 1,
    seed: -171501587,
    path: '35:3:1:2:5:6:8:13:12:12:13:13:14:17:17:14:14:14:14:14',
  },
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
