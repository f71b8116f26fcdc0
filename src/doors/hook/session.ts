import type { Memory } from '../../stack/memory-view.ts'
import type { Stack } from '../../stack/stack.ts'

const PAGE = 100

/** What was kept of a kind in a session, newest first: all of it, whatever else came in between. */
export async function* keptIn<K extends 'raw' | 'note'>(
  stack: Stack,
  kind: K,
  session: string,
): AsyncGenerator<Memory<K>, void, undefined> {
  const asked = { inSession: session, limit: PAGE, includeSetAside: false }
  for (let after: string | undefined; ; ) {
    const from = after === undefined ? {} : { after }
    const page: readonly Memory<K>[] = await stack.list(kind, { ...asked, ...from })
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}

/** The turn that is under way: each prompt of the person begins one. */
export async function turnOf(stack: Stack, session: string): Promise<string | null> {
  const asked = { inSession: session, byPerson: true, limit: 1, includeSetAside: false } as const
  const [last] = await stack.list('raw', asked)
  return last?.provenance.turn ?? null
}
