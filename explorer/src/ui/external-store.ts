import { useEffect, useState } from 'preact/hooks'

/** Reads something that changes outside of components, and draws again when it did. */
export function useSyncExternalStore<T>(
  subscribe: (listener: () => void) => () => void,
  read: () => T,
): T {
  const value = read()
  const [, draw] = useState({})
  useEffect(() => {
    if (read() !== value) draw({})
    return subscribe(() => draw({}))
  }, [subscribe])
  return value
}
