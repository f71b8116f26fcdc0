import type { ResultOf } from '../../operate.ts'
import type { Page } from './page.ts'
import { clippedTable } from './table.ts'
import { oneLine, shortRef } from './words.ts'

type Found = ResultOf<'search'>[number]

/** The nearest first. */
export function searchPage(found: readonly Found[], { ink, width }: Page): readonly string[] {
  const [first] = found
  if (!first) return ['Nothing here speaks of that. What there is: muniment list']
  const rows = found.map((result) => {
    const ref = refOf(result)
    return [
      { text: ref, shown: ink.ref(ref) },
      { text: `tier ${result.metadata.tier}` },
      { text: `confidence ${Number(result.metadata.confidence).toFixed(2)}` },
      { text: oneLine(result.content) },
    ]
  })
  return [...clippedTable(rows, width), ink.faint(`next: muniment why ${refOf(first)}`)]
}

const refOf = ({ memoryType, memoryId }: Found): string => shortRef(`${memoryType}:${memoryId}`)
