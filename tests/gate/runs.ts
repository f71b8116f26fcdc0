const TIME_LIMIT_MS = 20_000 // what it takes to shrink a failure must not outlast the test's own time

export const runs = (numRuns: number) => ({ numRuns, interruptAfterTimeLimit: TIME_LIMIT_MS })
