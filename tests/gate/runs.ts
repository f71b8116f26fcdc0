// Shrinking a failure must end within the time of its test (120 s). A busy machine must not reach the limit before all
// runs are made: many tests look at what their runs have met.
const TIME_LIMIT_MS = 60_000

export const runs = (numRuns: number) => ({ numRuns, interruptAfterTimeLimit: TIME_LIMIT_MS })
