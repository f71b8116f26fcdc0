import type { Memory } from '../../engine/read/memory-view.ts'
import type { Stack } from '../../stack.ts'

const PAGE = 100

/** Captures of a kind in a session, newest first: all pages, whatever came in between. */
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

/** The current turn: each prompt begins a turn, even a prompt no person typed. */
export async function turnOf(stack: Stack, session: string): Promise<string | null> {
  const asked = { inSession: session, byPerson: true, limit: 1, includeSetAside: false } as const
  const [last] = await stack.list('raw', asked)
  if (last) return last.provenance.turn
  for await (const raw of keptIn(stack, 'raw', session)) {
    if (PROMPT_PATHS.has(raw.provenance.ingestionPath)) return raw.provenance.turn
  }
  return null
}

const PROMPT_PATHS: ReadonlySet<string> = new Set(['hook:user_prompt', 'hook:pasted'])
