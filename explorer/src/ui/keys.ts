import { useLayoutEffect, useRef } from 'preact/hooks'

type Keys = Readonly<Record<string, () => unknown>>

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** Single keys that do something, except where somebody writes or a dialog asks. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  // With what is shown, not after it: whoever sees an item may answer it at once.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('dialog[open]')) return
      const run = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (!run) return
      event.preventDefault()
      run()
    }
    globalThis.addEventListener('keydown', onKey)
    return () => globalThis.removeEventListener('keydown', onKey)
  }, [])
}
