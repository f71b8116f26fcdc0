import { useEffect, useRef, useState } from 'preact/hooks'
import type { Entry } from '../../../../src/domain/entry.ts'
import type { LedgerLine } from '../../../../src/engine/proofs/ledger-page.ts'
import { call } from '../../api/client.ts'

/** An entry as the page shows it, with the text that was hashed. */
export interface Line extends LedgerLine {
  readonly said: Entry
}

export const lineOf = (line: LedgerLine): Line => ({
  ...line,
  said: JSON.parse(line.entry) as Entry,
}) // canonical JSON of one

const PAGE = 200

export async function linesFrom(
  stack: string,
  from: number,
  limit: number,
): Promise<readonly Line[]> {
  const { entries } = await call(stack, 'entries', { from, limit })
  return entries.map(lineOf)
}

/** Entries never change, so that what was fetched once is kept. */
export function useLines(stack: string): {
  readonly at: (seq: number) => Line | undefined
  readonly need: (first: number, last: number) => void
} {
  const lines = useRef(new Map<number, Line>())
  const asked = useRef(new Set<number>())
  const [, draw] = useState({})
  useEffect(() => {
    lines.current = new Map()
    asked.current = new Set()
    draw({})
  }, [stack])
  const fetchPage = async (page: number): Promise<void> => {
    asked.current.add(page)
    try {
      const found = await linesFrom(stack, page * PAGE, PAGE)
      for (const line of found) lines.current.set(line.seq, line)
      // The last page grows: it is asked for again when more of it is looked at.
      if (found.length < PAGE) asked.current.delete(page)
      draw({})
    } catch {
      asked.current.delete(page) // looked at again, it is asked for again
    }
  }
  return {
    at: (seq) => lines.current.get(seq),
    need: (first, last) => {
      for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page += 1) {
        const isThere = lines.current.has(Math.min(last, page * PAGE + PAGE - 1))
        if (!asked.current.has(page) && !isThere) void fetchPage(page)
      }
    },
  }
}
