import {
  chosenSeed,
  exploration,
  failingSeedsAt,
  freshSeeds,
  nextPlace,
  reportFailure,
} from './exploration.ts'

/**
 * Runs a simulation with every seed that ever failed, then with the seeds 1 to `count`, and returns
 * the number of runs. An exploration takes fresh seeds instead, until its time slice has passed.
 */
export async function forEachSeed(
  count: number,
  run: (seed: number) => Promise<void>,
): Promise<number> {
  const place = nextPlace()
  let runs = 0
  const attempt = async (seed: number): Promise<void> => {
    runs += 1
    try {
      await run(seed)
    } catch (error) {
      reportFailure(place, { seed, error })
      throw error
    }
  }
  if (chosenSeed !== null) {
    await attempt(chosenSeed)
  } else if (exploration === null) {
    for (const { seed } of failingSeedsAt(place)) await attempt(seed)
    for (let seed = 1; seed <= count; seed += 1) await attempt(seed)
  } else {
    for (const seed of freshSeeds(exploration)) await attempt(seed)
  }
  return runs
}
