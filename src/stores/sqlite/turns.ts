import { isBusy } from './faults.ts'

/** Settles once the event loop has come round. */
export const nextRound = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

const DELAY_MS_MAX = 8 // longest pause between two tries; a commit takes about as long

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** Tries again while another process holds the lock. The wait leaves the event loop free. */
export async function patiently<T>(waitMsMax: number, work: () => T): Promise<T> {
  let waitedMs = 0
  for (let delayMs = 1; ; delayMs = Math.min(delayMs + 1, DELAY_MS_MAX)) {
    try {
      return work()
    } catch (cause) {
      if (!isBusy(cause) || waitedMs >= waitMsMax) throw cause
      await pause(delayMs)
      waitedMs += delayMs
    }
  }
}
