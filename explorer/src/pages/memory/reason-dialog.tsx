import { useState } from 'preact/hooks'
import type { Memory } from '../../../../src/engine/read/memory-view.ts'
import { refresh } from '../../state/live.ts'
import { useStack } from '../../state/stack.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { spoken } from '../../ui/format.ts'
import { Problem } from '../../ui/parts.tsx'
import { say } from '../../ui/toasts.tsx'
import type { Action } from './action-list.ts'

export function ReasonDialog({
  action,
  memory,
  onClose,
}: {
  readonly action: Action
  readonly memory: Memory
  readonly onClose: () => void
}) {
  const stack = useStack()
  const [reason, setReason] = useState('')
  const [evidence, setEvidence] = useState('')
  const [error, setError] = useState<Error | null>(null)
  const run = async (): Promise<void> => {
    const refs = evidence.split(/[\s,]+/).filter((ref) => ref !== '')
    const words = reason.trim() === '' ? undefined : reason.trim()
    try {
      const done = await action.run({ stack, ref: memory.ref, reason: words, evidence: refs })
      const { changed, reason: why } = done
      say({
        text: changed ? `${action.title}: done.` : `Nothing moved: ${spoken(why ?? 'as it was')}.`,
      })
      refresh()
      onClose()
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    }
  }
  return (
    <Dialog title={`${action.title}?`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <p class="soft">{action.words}</p>
        <blockquote class="words clip">{memory.text}</blockquote>
        {action.takesEvidence && (
          <label class="field">
            <span>Evidence: refs of memories, one or several</span>
            <input
              type="text"
              value={evidence}
              placeholder="raw:4a7c …"
              onInput={(event) => setEvidence(event.currentTarget.value)}
            />
          </label>
        )}
        <label class="field">
          <span>Why, in words; kept with the change</span>
          <input
            type="text"
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        {error && <Problem error={error} />}
        <div class="row ends">
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn primary">
            {action.title}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
