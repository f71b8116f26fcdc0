import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for work up to `ms`: a hanging call does not keep a server from ending. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = new AbortController()
  const limit = sleep(ms, undefined, { signal: late.signal }).catch(() => undefined)
  await Promise.race([work, limit])
  late.abort()
}

export const STOP_MS = 10_000 // for running calls when a server is told to stop
