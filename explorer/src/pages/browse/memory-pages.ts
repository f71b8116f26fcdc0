import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Memory } from '../../../../src/engine/read/memory-view.ts'
import { call, type Given } from '../../api/client.ts'
import { useLive } from '../../state/live.ts'

const PAGE = 200 // memories fetched at a time

interface Pages {
  readonly memories: readonly Memory[]
  readonly hasMore: boolean
  readonly isLoading: boolean
  readonly error: Error | null
}

const NONE: Pages = { memories: [], hasMore: true, isLoading: true, error: null }

/** Newest memories first, page by page as `more` is called; new memories join at the front. */
export function useMemoryPages(
  stack: string,
  input: Given<'list'> | null,
): Pages & { readonly more: () => void } {
  const { lot } = useLive()
  const [pages, setPages] = useState<Pages>(NONE)
  const key = input === null ? null : JSON.stringify([stack, input])
  const current = useRef(key)
  current.current = key
  const isBusy = useRef(false)
  const fetchPage = async (known: readonly Memory[]): Promise<void> => {
    isBusy.current = true
    const before = known.at(-1)?.entry.seq
    try {
      const next = { ...input, limit: PAGE, ...(before === undefined ? {} : { before }) }
      const found = await call(stack, 'list', next)
      if (current.current !== key) return
      const hasMore = found.length === PAGE
      setPages({ memories: [...known, ...found], hasMore, isLoading: false, error: null })
    } catch (error) {
      if (current.current !== key) return
      const failure = error instanceof Error ? error : new Error(String(error))
      setPages({ memories: known, hasMore: false, isLoading: false, error: failure })
    } finally {
      if (current.current === key) isBusy.current = false
    }
  }
  useEffect(() => {
    setPages(NONE)
    if (key !== null) void fetchPage([])
  }, [key])
  useEffect(() => {
    if (key === null || lot === 0) return
    const asked = { ...input, limit: PAGE }
    call(stack, 'list', asked).then(
      (newest) => {
        if (current.current === key) setPages((old) => joined(newest, old))
      },
      () => undefined, // the next news asks again
    )
  }, [lot])
  const more = useCallback((): void => {
    if (isBusy.current || !pages.hasMore || pages.memories.length === 0) return
    setPages({ ...pages, isLoading: true })
    void fetchPage(pages.memories)
  }, [pages, key])
  return { ...pages, more }
}

/** Newest memories in front of the fetched memories; without an overlap the pages begin anew. */
function joined(newest: readonly Memory[], old: Pages): Pages {
  const fresh = new Set(newest.map(({ ref }) => ref))
  const rest = old.memories.filter(({ ref }) => !fresh.has(ref))
  if (rest.length === old.memories.length && old.memories.length > 0) {
    return { ...old, memories: newest, hasMore: newest.length === PAGE }
  }
  return { ...old, memories: [...newest, ...rest] }
}
