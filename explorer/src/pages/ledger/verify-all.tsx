import { useEffect, useRef, useState } from 'preact/hooks'
import { pathOf } from '../../api/client.ts'
import { sessionToken } from '../../api/session.ts'
import { pinOf } from '../../state/pin.ts'
import { useStack } from '../../state/stack.ts'
import { count, plural, shortHash } from '../../ui/format.ts'
import { Card } from '../../ui/parts.tsx'
import type { Order, Report } from './verify-messages.ts'

/** What each finding means to somebody who never heard of it. */
const FAULTS: Readonly<Record<Extract<Report, { type: 'fault' }>['code'], string>> = {
  'entry.unreadable': 'is not an entry any more',
  'entry.misplaced': 'is missing, or not the one that comes next',
  'hash.mismatch': 'does not have the hash that is recorded for it: it was edited',
  'chain.broken': 'does not name the entry before it: something was taken out or put in',
  'root.mismatch': 'leads to another root than this browser pinned: the ledger was rewritten',
  'head.rollback': 'is where it ends, before the head that this browser pinned: entries are gone',
}

/** Recomputes every hash from the first entry on, here, and holds the root against the pinned one. */
export function VerifyAll({ head }: { readonly head: number }) {
  const stack = useStack()
  const worker = useRef<Worker | null>(null)
  const [report, setReport] = useState<Report | null>(null)
  const stop = (): void => {
    worker.current?.terminate()
    worker.current = null
  }
  useEffect(() => {
    setReport(null)
    return stop
  }, [stack])
  const start = (): void => {
    stop()
    setReport({ type: 'progress', checked: 0, total: Math.max(1, head + 1) })
    const pin = pinOf(stack)
    const made = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' })
    worker.current = made
    made.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      setReport(data)
      if (data.type !== 'progress') stop()
    })
    const order: Order = {
      path: pathOf(stack, '').replace(/\/$/, ''),
      token: sessionToken(),
      pin: pin && { size: pin.size, root: pin.root, key: pin.key },
    }
    made.postMessage(order)
  }
  const isRunning = report?.type === 'progress'
  return (
    <Card title="Verify everything">
      <p class="soft">
        Fetches every entry and recomputes the whole chain and its root in this browser. The
        server’s word is not asked for.
      </p>
      <p class="row">
        <button type="button" class="btn primary" disabled={isRunning} onClick={start}>
          Verify {plural(head + 1, 'entry', 'entries')}
        </button>
        {isRunning && (
          <button
            type="button"
            class="btn"
            onClick={() => {
              stop()
              setReport(null)
            }}
          >
            Stop
          </button>
        )}
      </p>
      {report && <Findings report={report} />}
    </Card>
  )
}

function Findings({ report }: { readonly report: Report }) {
  switch (report.type) {
    case 'progress':
      return (
        <label class="field">
          <span>
            {count(report.checked)} of {count(report.total)}
          </span>
          <progress max={report.total} value={report.checked} />
        </label>
      )
    case 'failed':
      return (
        <p class="verdict-bad" role="alert">
          ✕ It could not be checked: {report.words}
        </p>
      )
    case 'fault':
      return (
        <p class="verdict-bad" role="alert" data-verdict="broken">
          ✕ Entry {report.seq} {FAULTS[report.code]}.
        </p>
      )
    case 'done':
      return (
        <div class="stack" role="status" data-verdict="sound">
          <p class="verdict-good">
            ✓ {plural(report.size, 'entry', 'entries')} sound, in {(report.ms / 1000).toFixed(1)} s
          </p>
          <p class="small soft">
            Root <code>{shortHash(report.root)}</code>
            {report.signed === 'ok' ? ', signed by the key that this browser knows' : ''}
          </p>
          {report.signed !== 'ok' && report.signed !== 'grown' && (
            <p class="verdict-bad">✕ The server signs another head: {report.signed}</p>
          )}
        </div>
      )
  }
}
