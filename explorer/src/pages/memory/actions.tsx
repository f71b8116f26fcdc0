import { useState } from 'preact/hooks'
import type { Memory } from '../../../../src/engine/read/memory-view.ts'
import { useMayAct } from '../../state/stack.ts'
import { ACTIONS, type Action } from './action-list.ts'
import { EraseDialog } from './erase-dialog.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

/** What a person may do with a memory; each is asked about first and is one entry of the ledger. */
export function Actions({ memory }: { readonly memory: Memory }) {
  const mayAct = useMayAct()
  const [asked, setAsked] = useState<Action | 'erase' | null>(null)
  if (memory.erased) return null
  const close = (): void => setAsked(null)
  return (
    <div class="row actions">
      {ACTIONS.filter((action) => action.fits(memory)).map((action) => (
        <button
          key={action.name}
          type="button"
          class="btn"
          disabled={!mayAct}
          onClick={() => setAsked(action)}
        >
          {action.title}
        </button>
      ))}
      <button type="button" class="btn danger" disabled={!mayAct} onClick={() => setAsked('erase')}>
        Erase
      </button>
      {!mayAct && <span class="soft small">Sign in, and look at now, to act.</span>}
      {asked === 'erase' && <EraseDialog memory={memory} onClose={close} />}
      {asked !== null && asked !== 'erase' && (
        <ReasonDialog action={asked} memory={memory} onClose={close} />
      )}
    </div>
  )
}
