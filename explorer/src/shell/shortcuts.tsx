import { useEffect, useState } from 'preact/hooks'
import { go, hrefOf, usePlace } from '../state/router.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useKeys } from '../ui/keys.ts'

/** Keys and their effect, by page. */
const SHORTCUTS: readonly {
  readonly page: string
  readonly keys: readonly (readonly [keys: readonly string[], effect: string])[]
}[] = [
  {
    page: 'Every page',
    keys: [
      [['/', 'Ctrl K'], 'open the search'],
      [['?'], 'show these shortcuts'],
      [['Esc'], 'close a dialog'],
    ],
  },
  {
    page: 'Browse',
    keys: [
      [['j', '↓'], 'next memory'],
      [['k', '↑'], 'previous memory'],
      [['Enter'], 'open the memory'],
    ],
  },
  {
    page: 'Review',
    keys: [
      [['j', 'k'], 'next and previous item'],
      [['1', '2', '3'], 'answer'],
      [['e'], 'reword'],
      [['o'], 'open the memory'],
      [['u'], 'take the answer back'],
    ],
  },
]

/** Keys of every page: the search, and the list of shortcuts. */
export function Shortcuts() {
  const { stack, page } = usePlace()
  const [isOpen, setOpen] = useState(false)
  const openSearch = (): void => {
    if (page === 'search') document.getElementById('q')?.focus()
    else if (stack !== '') go(hrefOf(stack, 'search'))
  }
  useKeys({ '/': openSearch, '?': () => setOpen(true) })
  useEffect(() => {
    // Also from a text field, where the single keys are typed.
    const onKey = (event: KeyboardEvent): void => {
      const isSearch = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!isSearch || event.altKey || event.shiftKey) return
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      openSearch()
    }
    globalThis.addEventListener('keydown', onKey)
    return () => globalThis.removeEventListener('keydown', onKey)
  }, [stack, page])
  return (
    <>
      <button type="button" class="btn plain shortcuts" onClick={() => setOpen(true)}>
        Shortcuts <kbd>?</kbd>
      </button>
      {isOpen && (
        <Dialog title="Keyboard shortcuts" onClose={() => setOpen(false)}>
          {SHORTCUTS.map(({ page: title, keys }) => (
            <section key={title} class="list-title">
              <h3>{title}</h3>
              <dl class="facts">
                {keys.map(([names, effect]) => (
                  <Shortcut key={effect} names={names} effect={effect} />
                ))}
              </dl>
            </section>
          ))}
          <div class="row ends">
            <button type="button" class="btn" onClick={() => setOpen(false)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

const Shortcut = ({
  names,
  effect,
}: {
  readonly names: readonly string[]
  readonly effect: string
}) => (
  <>
    <dt class="row">
      {names.map((name) => (
        <kbd key={name}>{name}</kbd>
      ))}
    </dt>
    <dd>{effect}</dd>
  </>
)
