import { type Instant, toInstant } from '../domain/time.ts'
import type { Stack } from '../stack.ts'

/** The editor of a file, as far as anybody recorded it. */
export interface Editor {
  readonly who: string | null
  readonly from: string | null
}

const REPORT_MS_MAX = 120_000 // a hook reports an edit shortly after the file changed
const CAPTURES_MAX = 200
const EDIT = /^(?:Write|Edit|MultiEdit|NotebookEdit|apply_patch) /

interface Change {
  readonly file: string
  readonly changedMs: number
  /** The writing of the last kept version: a report before it told of that version. */
  readonly keptAt: Instant | null
}

/**
 * The client whose hook reported an edit of this file after the change. A report never names the
 * author of a later change: other programs edit the same file.
 */
export async function editorOf(stack: Stack, change: Change): Promise<Editor> {
  const { file, changedMs, keptAt } = change
  const changed = toInstant(Math.floor(changedMs))
  const captures = await stack.list('raw', {
    since: keptAt !== null && keptAt > changed ? keptAt : changed,
    until: toInstant(Math.floor(changedMs + REPORT_MS_MAX)),
    limit: CAPTURES_MAX,
  })
  const edit = captures.find(({ provenance: { document, ingestionPath } }) => {
    const isEdit = ingestionPath.startsWith('hook:') && document !== null && EDIT.test(document)
    return isEdit && document.replace(EDIT, '') === file
  })
  if (edit === undefined) return { who: null, from: null }
  const { sourceId, session, document } = edit.provenance
  const tool = document?.split(' ')[0] ?? 'a tool'
  return { who: sourceId, from: `${tool}, session ${session ?? 'unknown'}` }
}
