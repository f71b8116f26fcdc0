import { toInstant } from '../domain/time.ts'
import type { Stack } from '../stack.ts'

/** The editor of a file, as far as anybody recorded it. */
export interface Editor {
  readonly who: string | null
  readonly from: string | null
}

const BEFORE_MS = 120_000 // a hook reports an edit shortly after the file changed
const AFTER_MS = 30_000
const CAPTURES_MAX = 200
const EDIT = /^(?:Write|Edit|MultiEdit|NotebookEdit|apply_patch) /

/** The client whose hook reported an edit of this file at about this time. */
export async function editorOf(stack: Stack, file: string, changedMs: number): Promise<Editor> {
  const captures = await stack.list('raw', {
    since: toInstant(Math.round(changedMs - BEFORE_MS)),
    until: toInstant(Math.round(changedMs + AFTER_MS)),
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
