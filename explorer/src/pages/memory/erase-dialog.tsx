import { useState } from 'preact/hooks'
import type { Memory } from '../../../../src/engine/read/memory-view.ts'
import { call } from '../../api/client.ts'
import { refresh } from '../../state/live.ts'
import { useOperation } from '../../state/query.ts'
import { useStack } from '../../state/stack.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { plural, shortRef } from '../../ui/format.ts'
import { Problem, Shown } from '../../ui/parts.tsx'
import { say } from '../../ui/toasts.tsx'

type Derived = 'list' | 'erase' | 'keep'

/** Destroys words for good: what would go is shown first, and a word has to be typed. */
export function EraseDialog({
  memory,
  onClose,
}: {
  readonly memory: Memory
  readonly onClose: () => void
}) {
  const stack = useStack()
  const [derived, setDerived] = useState<Derived>('keep')
  const [word, setWord] = useState('')
  const [error, setError] = useState<Error | null>(null)
  const [isErasing, setErasing] = useState(false)
  const plan = useOperation('erase', { ref: memory.ref, derived })
  const run = async (): Promise<void> => {
    setErasing(true)
    try {
      await call(stack, 'erase', { ref: memory.ref, derived, yes: true })
      say({ text: 'Erased. The ledger still verifies, and says that it was.' })
      refresh()
      onClose()
    } catch (failure) {
      setErasing(false)
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    }
  }
  return (
    <Dialog title="Erase for good?" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <p>
          Its words are destroyed in every file, and kept out if they come again. Nothing brings
          them back. The ledger keeps the entry, and verifies.
        </p>
        <Shown asked={plan}>
          {(answer) =>
            'words' in answer && (
              <>
                <Going title="Goes" refs={answer.refs} words={answer.words} />
                <Going title="Was made from it" refs={answer.derived} words={answer.words} />
              </>
            )
          }
        </Shown>
        <label class="field">
          <span>What was made from it</span>
          <select
            value={derived}
            onChange={(event) => setDerived(event.currentTarget.value as Derived)}
          >
            <option value="keep">stays</option>
            <option value="erase">goes too</option>
          </select>
        </label>
        <label class="field">
          <span>
            Type <strong>erase</strong> to go on
          </span>
          <input
            type="text"
            autocomplete="off"
            value={word}
            onInput={(event) => setWord(event.currentTarget.value)}
          />
        </label>
        {isErasing && (
          <p role="status">Every file is cleaned, which takes a while where much is remembered …</p>
        )}
        {error && <Problem error={error} />}
        <div class="row ends">
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn danger" disabled={isErasing || word.trim() !== 'erase'}>
            Erase
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const SHOWN_MAX = 5

const Going = ({
  title,
  refs,
  words,
}: {
  readonly title: string
  readonly refs: readonly string[]
  readonly words: Readonly<Record<string, string>>
}) =>
  refs.length === 0 ? null : (
    <div>
      <h3>
        {title}: {plural(refs.length, 'memory', 'memories')}
      </h3>
      <ul class="bullets small">
        {refs.slice(0, SHOWN_MAX).map((ref) => (
          <li key={ref}>
            {shortRef(ref)} <span class="soft words clip">{words[ref]}</span>
          </li>
        ))}
      </ul>
    </div>
  )
