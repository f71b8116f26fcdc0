import type { Memory } from '../../stack/memory-view.ts'
import type { Stack } from '../../stack/stack.ts'

const PAGE = 25
const LOOKED_AT_MAX = 500 // captures of other sessions may lie between

/** What was captured in a session, newest first, as far back as anybody looks. */
export async function* capturedIn(
  stack: Stack,
  session: string,
): AsyncGenerator<Memory<'raw'>, void, undefined> {
  for (let after: string | undefined, seen = 0; seen < LOOKED_AT_MAX; ) {
    const page = await stack.getRaw({ limit: PAGE, ...(after === undefined ? {} : { after }) })
    for (const raw of page) if (raw.provenance.session === session) yield raw
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
    seen += page.length
  }
}

/** The turn that is under way: that of whatever was captured last. */
export async function turnOf(stack: Stack, session: string): Promise<string | null> {
  for await (const { provenance } of capturedIn(stack, session)) return provenance.turn
  return null
}
