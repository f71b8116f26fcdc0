import { LedgerWalk, openCheckpoint, type Waymark } from '../../../../src/ledger/verify/index.ts'
import type { Order, Report } from './verify-messages.ts'

const PAGE = 1_000

/** Walks the whole ledger beside the page, so that the page stays quick. */
globalThis.addEventListener('message', ({ data }: MessageEvent<Order>) => {
  walk(data).then(
    (report) => postMessage(report),
    (error: unknown) => {
      const words = error instanceof Error ? error.message : String(error)
      postMessage({ type: 'failed', words } satisfies Report)
    },
  )
})

async function walk({ path, token, pin }: Order): Promise<Report> {
  const started = performance.now()
  const ask = async <T>(operation: string, body: object): Promise<T> => {
    const answer = await fetch(`${path}/${operation}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    const told = await answer.json()
    if (!answer.ok) throw new Error(told.detail ?? 'The server did not answer.')
    return told as T // as the table of operations has it
  }
  const { head } = await ask<{ readonly head: { readonly seq: number } }>('entries', { limit: 0 })
  const total = head.seq + 1
  const marks: Waymark[] = pin === null ? [] : [pin]
  const ledger = new LedgerWalk(marks)
  while (ledger.size < total) {
    const { entries } = await ask<{ readonly entries: Parameters<LedgerWalk['take']>[0] }>(
      'entries',
      {
        from: ledger.size,
        limit: Math.min(PAGE, total - ledger.size),
      },
    )
    const fault = entries.length === 0 ? missing(ledger.size) : ledger.take(entries)
    if (fault !== null) return { type: 'fault', ...fault, checked: ledger.size }
    postMessage({ type: 'progress', checked: ledger.size, total } satisfies Report)
  }
  if (pin !== null && pin.size > total) {
    return { type: 'fault', seq: total, code: 'head.rollback', checked: total }
  }
  const signed = await signedBy(ask, pin?.key ?? null, ledger)
  return { type: 'done', size: total, root: ledger.root, signed, ms: performance.now() - started }
}

const missing = (seq: number) => ({ seq, code: 'entry.misplaced' as const })

/** Whether the head that the server signs is the one that was just worked out. */
async function signedBy(
  ask: <T>(operation: string, body: object) => Promise<T>,
  key: string | null,
  ledger: LedgerWalk,
): Promise<string> {
  const told = await ask<{ readonly note: string; readonly key: string }>('checkpoint', {})
  const head = openCheckpoint(told.note, [key ?? told.key])
  if (typeof head === 'string') return head
  if (head.size !== ledger.size) return 'grown' // while it was walked: the next walk sees it
  return head.root === ledger.root ? 'ok' : 'root.mismatch'
}
