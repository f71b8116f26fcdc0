/** MUNIMENT_RUNS=10 makes every property ten times as thorough; MUNIMENT_SEED repeats one run. */
const times = Math.max(1, Number(process.env.MUNIMENT_RUNS || 1))

const TIME_LIMIT_MS = 20_000 // what it takes to shrink a failure must not outlast the test's own time

export function runs(numRuns: number) {
  const seed = process.env.MUNIMENT_SEED
  return {
    numRuns: numRuns * times,
    interruptAfterTimeLimit: TIME_LIMIT_MS * times,
    // fast-check prints seed and path of every failure; the seed is fresh unless one is asked for.
    ...(seed ? { seed: Number(seed) } : {}),
  }
}
