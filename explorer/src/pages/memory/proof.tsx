import { useState } from 'preact/hooks'
import type { ReceiptVerdict } from '../../../../src/ledger/verify/receipt.ts'
import { call } from '../../api/client.ts'
import { pinOf } from '../../state/pin.ts'
import { useStack } from '../../state/stack.ts'
import { exactly, plural, shortHash } from '../../ui/format.ts'
import { Card, Problem } from '../../ui/parts.tsx'

type Checked =
  | { readonly type: 'asking' }
  | {
      readonly type: 'checked'
      readonly verdict: ReceiptVerdict
      readonly receipt: object
      readonly steps: number
    }
  | { readonly type: 'failed'; readonly error: Error }

/** A receipt from the server, checked here: by the key that this browser pinned, not by the server's word. */
export function Proof({ of: ref }: { readonly of: string }) {
  const stack = useStack()
  const [checked, setChecked] = useState<Checked | null>(null)
  const check = async (): Promise<void> => {
    setChecked({ type: 'asking' })
    setChecked(await checkedReceipt(stack, ref))
  }
  return (
    <Card title="Proof">
      <p class="soft">
        Asks the server for a receipt and checks it in this browser: that the words are those that
        the entry committed to, that the entry is in the ledger, and that the ledger’s head is
        signed by the key that this browser knows.
      </p>
      <p>
        <button
          type="button"
          class="btn primary"
          disabled={checked?.type === 'asking'}
          onClick={() => void check()}
        >
          Check the proof here
        </button>
      </p>
      {checked?.type === 'failed' && <Problem error={checked.error} />}
      {checked?.type === 'checked' && <Verdict {...checked} />}
    </Card>
  )
}

async function checkedReceipt(stack: string, ref: string): Promise<Checked> {
  try {
    const { verifyReceipt } = await import('../../../../src/ledger/verify/index.ts')
    const receipt = await call(stack, 'prove', { ref })
    const key = pinOf(stack)?.key ?? (await call(stack, 'heads', {})).key
    const verdict = verifyReceipt(receipt, { keys: [key] })
    return { type: 'checked', verdict, receipt, steps: receipt.proof.length }
  } catch (error) {
    return { type: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
  }
}

function Verdict({
  verdict: { ok, codes, entry, checkpoint },
  receipt,
  steps,
}: Extract<Checked, { type: 'checked' }>) {
  const file = `data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`
  return (
    <div class="stack verdict" role="status">
      <p class={ok ? 'verdict-good' : 'verdict-bad'}>
        {ok ? '✓ Proved in this browser' : `✕ Not proved: ${codes.join(', ')}`}
      </p>
      {ok && codes.length > 0 && <p class="soft small">{codes.join(', ')}</p>}
      {entry && checkpoint && (
        <dl class="facts small">
          <dt>Entry</dt>
          <dd>
            {entry.seq}, {exactly(entry.time)}
          </dd>
          <dt>Path to the root</dt>
          <dd>{plural(steps, 'hash', 'hashes')}</dd>
          <dt>Head</dt>
          <dd>{plural(checkpoint.size, 'entry', 'entries')}</dd>
          <dt>Root</dt>
          <dd>
            <code>{shortHash(checkpoint.root)}</code>
          </dd>
        </dl>
      )}
      <p>
        <a class="btn" href={file} download="receipt.json">
          Keep the receipt
        </a>
      </p>
    </div>
  )
}
