import type { Context } from 'hono'
import { MunimentError } from '../../domain/errors.ts'
import type { Stack } from '../../stack.ts'
import type { Metrics } from './metrics.ts'
import type { OpenStack } from './stacks.ts'

const HEARTBEAT_MS = 15_000
const PAGE = 200
export const STREAMS_MAX = 256
export const STREAMS_OF_ONE_MAX = 32 // leaves room for other readers
const RETRY_MS = 1_000

export interface ChangesParts {
  readonly metrics: Metrics
  /** Called once, at the end of the stream. */
  readonly onOver: () => void
  /** Ends every stream when the server stops. */
  readonly stopping: AbortSignal
  /** Checked during the stream: a token can expire or be revoked meanwhile. */
  readonly mayRead: () => Promise<boolean>
}

interface Said {
  readonly seq: number
  readonly op: string
  readonly ref: string | null
  readonly time: string
}

/** Streams an event for every ledger entry, from the reader's position or from now on. */
export async function changes(
  c: Context,
  { held, release }: { readonly held: OpenStack; readonly release: () => void },
  parts: ChangesParts,
): Promise<Response> {
  const first = await firstOf(c, held.stack)
  const ending = AbortSignal.any([c.req.raw.signal, parts.stopping])
  const events = eventsFrom(first, held, { signal: ending, mayRead: parts.mayRead })
  const encoder = new TextEncoder()
  parts.metrics.streams += 1
  let isOver = false
  const over = (): void => {
    if (isOver) return
    isOver = true
    parts.metrics.streams -= 1
    parts.onOver()
    release()
  }
  ending.addEventListener('abort', over)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next().catch((error) => {
        over()
        throw error
      })
      if (value !== undefined) controller.enqueue(encoder.encode(value))
      if (!done) return
      over()
      controller.close()
    },
    async cancel() {
      over()
      await events.return(undefined)
    },
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  })
}

/** After the reader's last event, from the requested entry, or from now on. */
async function firstOf(c: Context, stack: Stack): Promise<number> {
  const last = c.req.header('last-event-id') ?? c.req.query('lastEventId')
  const from = c.req.query('from')
  if (last === undefined && from === undefined) return (await stack.ledger.head()).seq + 1
  const number = Number(last ?? from)
  if (!/^\d{1,15}$/.test(String(last ?? from))) {
    throw new MunimentError('invalid_input', 'An event is named by the number of its entry.')
  }
  return last === undefined ? number : number + 1
}

async function* eventsFrom(
  first: number,
  { stack, feed }: OpenStack,
  { signal, mayRead }: { readonly signal: AbortSignal } & Pick<ChangesParts, 'mayRead'>,
): AsyncGenerator<string, undefined> {
  let next = first
  yield `retry: ${RETRY_MS}\n\n`
  while (!signal.aborted && (await mayRead())) {
    const { entries, head } = await stack.ledger.entries({ from: next, limit: PAGE })
    for (const { entry } of entries) {
      const { seq, op, ref, time } = JSON.parse(entry) as Said // canonical, written by the stack
      yield `id: ${seq}\nevent: entry\ndata: ${JSON.stringify({ seq, op, ref, at: time })}\n\n`
      next = seq + 1
    }
    if (entries.length > 0 && head.seq >= next) continue
    await feed.grown(next - 1, { timeoutMs: HEARTBEAT_MS, signal })
    yield ': still here\n\n'
  }
  return undefined
}
