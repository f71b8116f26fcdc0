import { useState } from 'preact/hooks'
import type { Waiting } from '../../../../src/operations/review.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { spaced } from '../../ui/format.ts'

/** Rewords a suggestion before it is accepted; its texts alone, since they are what it says. */
export function EditDialog({
  item,
  onClose,
  onAccept,
}: {
  readonly item: Waiting
  readonly onClose: () => void
  readonly onAccept: (modifications: Readonly<Record<string, string>>) => void
}) {
  const { content } = item.memory.body as { readonly content: Readonly<Record<string, unknown>> } // of a suggestion
  const texts = Object.entries(content).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  const [values, setValues] = useState<Readonly<Record<string, string>>>(Object.fromEntries(texts))
  const changed = Object.fromEntries(
    texts.flatMap(([name, before]) =>
      values[name] === undefined || values[name] === before ? [] : [[name, values[name]]],
    ),
  )
  return (
    <Dialog title="In other words" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          onAccept(changed)
        }}
      >
        {texts.map(([name]) => (
          <label key={name} class="field">
            <span>{spaced(name)}</span>
            <textarea
              rows={3}
              value={values[name]}
              onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          </label>
        ))}
        <div class="row ends">
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn primary">
            Accept like this
          </button>
        </div>
      </form>
    </Dialog>
  )
}
