import type { ResultOf } from '../../operate.ts'
import type { Page } from './page.ts'
import { clippedTable } from './table.ts'
import { oneLine, plural, shortRef } from './words.ts'

type Found = ResultOf<'search'>[number]

/** The nearest first. What was captured word for word for another result stands behind that one. */
export function searchPage(found: readonly Found[], { ink, width }: Page): readonly string[] {
  if (found.length === 0) return ['Nothing here speaks of that. What there is: muniment list']
  const shown = found.filter((result) => !found.some((other) => isCapturedFor(other, result)))
  const rows = shown.map((result) => {
    const ref = shortRef(refOf(result))
    return [
      { text: ref, shown: ink.ref(ref) },
      { text: `tier ${result.metadata.tier}` },
      { text: `confidence ${Number(result.metadata.confidence).toFixed(2)}` },
      { text: oneLine(result.content) },
    ]
  })
  const [first] = shown
  const left = found.length - shown.length
  const next = first ? `next: muniment why ${shortRef(refOf(first))}` : ''
  const passedOver = `${plural(left, 'capture')} of the same words left out; --json has all`
  return [...clippedTable(rows, width), ink.faint(left > 0 ? `${next}  (${passedOver})` : next)]
}

const refOf = ({ memoryType, memoryId }: Found): string => `${memoryType}:${memoryId}`

function isCapturedFor(memory: Found, source: Found): boolean {
  const { provenance } = memory.metadata
  if (typeof provenance !== 'object' || provenance === null || !('derivedFrom' in provenance)) {
    return false
  }
  const { derivedFrom } = provenance
  const isSource = Array.isArray(derivedFrom) && derivedFrom.includes(refOf(source))
  return isSource && memory.content === source.content
}
