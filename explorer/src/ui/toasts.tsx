import { useSyncExternalStore } from './external-store.ts'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone?: 'bad'
  readonly action?: { readonly label: string; readonly run: () => void }
}

const SHOWN_MS = 6_000

let toasts: readonly Toast[] = []
let made = 0
const listeners = new Set<() => void>()

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function dropToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id))
}

/** Says what happened, for a few seconds or until `dropToast`. */
export function say(toast: Omit<Toast, 'id'>, shownMs = SHOWN_MS): number {
  made += 1
  const id = made
  set([...toasts.slice(-2), { ...toast, id }])
  setTimeout(() => dropToast(id), shownMs)
  return id
}

export const sayError = (error: unknown): number =>
  say({ text: error instanceof Error ? error.message : String(error), tone: 'bad' })

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, tone, action }) => (
        <div key={id} class={`toast ${tone ?? ''}`}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                dropToast(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
