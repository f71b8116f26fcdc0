import type { Connection } from './connection.ts'

const PAGE_ROWS = 2_048
const PAGE = `
  SELECT l.seq, l.ref, l.bytes FROM provenance_log l
  WHERE l.stack_id = $1 AND l.seq > ? ORDER BY l.seq LIMIT ${PAGE_ROWS}`

const decoder = new TextDecoder()

/** Entries filed under another memory than their bytes name. */
export async function misfiled(connection: Connection): Promise<readonly number[]> {
  const found: number[] = []
  for (let last = -1; ; ) {
    const page = await connection.rows(PAGE, last)
    for (const [seq, ref, bytes] of page) {
      last = Number(seq)
      if (isNamedIn(bytes as Uint8Array, ref ?? null) === false) found.push(last)
    }
    if (page.length < PAGE_ROWS) return found
  }
}

/** True when the bytes name this ref; null for unreadable bytes, which the audit reports. */
function isNamedIn(bytes: Uint8Array, ref: unknown): boolean | null {
  try {
    const told = JSON.parse(decoder.decode(bytes)) as { readonly ref?: unknown } // any JSON
    return (told.ref ?? null) === ref
  } catch {
    return null
  }
}
