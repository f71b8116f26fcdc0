import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { OperationName, ResultOf } from '../../../src/operations/operations.ts'
import { call, type Given } from '../api/client.ts'
import { useLive } from './live.ts'
import { Pace } from './pace.ts'
import { useStack } from './stack.ts'

/** What was asked for, as far as it is known. */
export interface Asked<T> {
  readonly value: T | null
  readonly error: Error | null
  readonly isLoading: boolean
}

const KEPT_MAX = 200
const kept = new Map<string, unknown>()

function keep(key: string, value: unknown): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
}

let callers = 0

/** What belongs to one caller is not shown to the next. */
export function forgetAnswers(): void {
  callers += 1
  kept.clear()
}

/** What a page shows, which it goes on showing when so much was asked that the answer is not kept. */
interface Showing<T> {
  readonly key: string
  readonly caller: number
  readonly value: T
}

interface Asking {
  /** What is asked for does not change as the ledger grows. */
  readonly still?: boolean
  /**
   * The question changes faster than answers come, as while somebody types: one is asked at a time, and of
   * those that come meanwhile the last.
   */
  readonly isPaced?: boolean
}

/**
 * Asks again whenever the question changes or the ledger grew. Meanwhile the last answer to the same
 * question stays on the page, so that nothing flickers and going back is instant.
 */
export function useOperation<N extends OperationName>(
  name: N,
  input: Given<N> | null,
  options: Asking = {},
): Asked<ResultOf<N>> {
  const stack = useStack()
  const { lot } = useLive()
  const key = input === null ? null : JSON.stringify([stack, name, input])
  const work = (signal: AbortSignal) => call(stack, name, input as Given<N>, signal) // key is set
  return useAnswer(key, options.still ? 0 : lot, work, options)
}

/** The same for anything that takes time. */
export function useAnswer<T>(
  key: string | null,
  lot: number,
  work: (signal: AbortSignal) => Promise<T>,
  { isPaced = false }: Pick<Asking, 'isPaced'> = {},
): Asked<T> {
  const [status, setStatus] = useState<{
    key: string | null
    error: Error | null
    isLoading: boolean
  }>({
    key: null,
    error: null,
    isLoading: true,
  })
  const before = useRef<Showing<T> | null>(null)
  const [pace] = useState(() => new Pace())
  useEffect(() => () => pace.end(), [])
  // Before anything is painted: what is asked a frame earlier is there a frame earlier.
  useLayoutEffect(() => {
    if (key === null) return
    const ending = new AbortController()
    const { signal } = ending
    setStatus({ key, error: null, isLoading: true })
    const asked = (calling: AbortSignal): Promise<void> =>
      work(calling).then(
        (value) => {
          if (signal.aborted) return
          keep(key, value)
          setStatus({ key, error: null, isLoading: false })
        },
        (error: Error) => {
          if (!signal.aborted) setStatus({ key, error, isLoading: false })
        },
      )
    // Calling off would not stop the server, which would then work on two.
    if (isPaced) pace.ask(() => !signal.aborted, asked)
    else void asked(signal)
    return () => ending.abort()
  }, [key, lot])
  if (key === null) return { value: null, error: null, isLoading: false }
  const last = before.current
  const shown = last?.key === key && last.caller === callers ? last.value : null
  const value = kept.has(key) ? (kept.get(key) as T) : shown // kept under this very question
  if (value !== null) before.current = { key, caller: callers, value }
  const isOurs = status.key === key
  return {
    value: value ?? (isOurs && !status.isLoading ? null : (last?.value ?? null)),
    error: isOurs ? status.error : null,
    isLoading: isOurs ? status.isLoading : true,
  }
}
