import { useEffect } from 'preact/hooks'
import { type Event, follow } from '../api/feed.ts'
import { useSyncExternalStore } from '../ui/external-store.ts'

/** What was written since the page was opened. */
export interface Live {
  /** The newest entry that was heard of; null until one was. */
  readonly seq: number | null
  /** Rises with every lot of news: what it stands on is asked for again. */
  readonly lot: number
}

const NOTHING: Live = { seq: null, lot: 0 }
const QUIET_MS = 400 // events within this time are one update

let live: Live = NOTHING
const listeners = new Set<() => void>()

function set(next: Live): void {
  live = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLive = (): Live => useSyncExternalStore(subscribe, () => live)

/** Something was done here: what stands on it is asked for again without waiting for the news. */
export const refresh = (): void => set({ ...live, lot: live.lot + 1 })

/** Follows the ledger of a stack while the page shows it. */
export function useFollowing(stack: string, isAllowed: boolean): void {
  useEffect(() => {
    set(NOTHING)
    if (stack === '' || !isAllowed) return
    const ending = new AbortController()
    let newest: number | null = null
    let timer: ReturnType<typeof setTimeout> | null = null
    const onEvent = ({ seq }: Event): void => {
      newest = seq
      timer ??= setTimeout(() => {
        timer = null
        set({ seq: newest, lot: live.lot + 1 })
      }, QUIET_MS)
    }
    void follow(stack, ending.signal, onEvent)
    return () => {
      ending.abort()
      if (timer !== null) clearTimeout(timer)
    }
  }, [stack, isAllowed])
}
