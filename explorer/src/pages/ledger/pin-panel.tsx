import { useState } from 'preact/hooks'
import { checkPin, forgetPin, type Pin, useStanding } from '../../state/pin.ts'
import { useStack } from '../../state/stack.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { exactly, plural, shortHash } from '../../ui/format.ts'
import { Card } from '../../ui/parts.tsx'

/** The head that this browser keeps, and whether the server's ledger is still a continuation of it. */
export function PinPanel() {
  const stack = useStack()
  const standing = useStanding(stack)
  const [isAsking, setAsking] = useState(false)
  return (
    <Card title="Pinned here">
      {standing.type === 'checking' && <p role="status">Checking …</p>}
      {standing.type === 'unchecked' && <p class="verdict-bad">Not checked: {standing.words}</p>}
      {standing.type === 'sound' && (
        <p class="verdict-good">✓ The ledger is a continuation of what this browser saw.</p>
      )}
      {standing.type === 'broken' && <p class="verdict-bad">✕ {standing.words}</p>}
      {(standing.type === 'sound' || standing.type === 'broken') && <Facts pin={standing.pin} />}
      <p class="row">
        <button type="button" class="btn" onClick={() => void checkPin(stack)}>
          Check again
        </button>
        <button type="button" class="btn danger" onClick={() => setAsking(true)}>
          Forget the pin
        </button>
      </p>
      {isAsking && (
        <Dialog title="Forget the pinned head?" onClose={() => setAsking(false)}>
          <p>
            This browser then takes the ledger as the server shows it now. Do it only if you know
            why it is another one, as after restoring a backup.
          </p>
          <div class="row ends">
            <button type="button" class="btn" onClick={() => setAsking(false)}>
              Cancel
            </button>
            <button
              type="button"
              class="btn danger"
              onClick={() => {
                setAsking(false)
                forgetPin(stack)
                void checkPin(stack)
              }}
            >
              Forget it
            </button>
          </div>
        </Dialog>
      )}
    </Card>
  )
}

const Facts = ({ pin }: { readonly pin: Pin }) => (
  <dl class="facts small">
    <dt>Head</dt>
    <dd>{plural(pin.size, 'entry', 'entries')}</dd>
    <dt>Root</dt>
    <dd>
      <code>{shortHash(pin.root)}</code>
    </dd>
    <dt>Known since</dt>
    <dd>{exactly(pin.firstAt)}</dd>
    <dt>Last seen</dt>
    <dd>{exactly(pin.at)}</dd>
    <dt>Key</dt>
    <dd>
      <code>{pin.key.split('+').slice(0, 2).join('+')}…</code>
    </dd>
  </dl>
)
