import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for work, and no longer than this: one call that hangs does not keep a server from ending. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = new AbortController()
  const limit = sleep(ms, undefined, { signal: late.signal }).catch(() => undefined)
  await Promise.race([work, limit])
  late.abort()
}

export const STOP_MS = 10_000 // for what is under way when a server is told to stop
