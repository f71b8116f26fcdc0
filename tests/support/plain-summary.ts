import type { Reporter, TestModule } from 'vitest/node'

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/**
 * A file that fails before its first test, and an error that no test caught, count as failures:
 * a red run never reads "0 failed".
 */
export function tallyOf(modules: readonly TestModule[], strayErrors: number): Tally {
  const tally = { passed: 0, failed: strayErrors, skipped: 0 }
  for (const module of modules) {
    let failedHere = 0
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') tally.passed += 1
      else if (state === 'failed') failedHere += 1
      else tally.skipped += 1
    }
    tally.failed += failedHere === 0 && module.state() === 'failed' ? 1 : failedHere
  }
  return tally
}

export const lineOf = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/** One line that a person or a program can read without knowing vitest. */
export class PlainSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly unknown[]): void {
    process.stdout.write(`${lineOf(tallyOf(modules, strayErrors.length))}\n`)
  }
}
