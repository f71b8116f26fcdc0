import type { Memory } from '../../../../src/engine/read/memory-view.ts'
import type { SearchResult } from '../../../../src/ports/component.ts'
import { percent, spaced, spoken } from '../../ui/format.ts'
import { hitOf } from '../search/hit.ts'

/** A memory as the table shows it. */
export interface Row {
  readonly ref: string
  readonly kind: string
  readonly words: string
  readonly tier: number
  readonly actor: string
  readonly confidence: number
  readonly strength: number
  readonly created: string
  readonly status: string
}

export type Column = Exclude<keyof Row, 'ref'>

/** Columns in their order, with the text of a cell. */
export const COLUMNS: readonly {
  readonly name: Column
  readonly title: string
  readonly cell: (row: Row) => string
}[] = [
  { name: 'kind', title: 'Kind', cell: ({ kind }) => spoken(kind) },
  { name: 'words', title: 'Words', cell: ({ words }) => words.replaceAll(/\s+/g, ' ') },
  { name: 'tier', title: 'Tier', cell: ({ tier }) => String(tier) },
  { name: 'actor', title: 'Who said it', cell: ({ actor }) => actor },
  { name: 'confidence', title: 'Confidence', cell: ({ confidence }) => percent(confidence) },
  { name: 'strength', title: 'Strength', cell: ({ strength }) => percent(strength) },
  { name: 'created', title: 'Created', cell: ({ created }) => created.slice(0, 10) },
  { name: 'status', title: 'Status', cell: ({ status }) => status },
]

/** Decisions of the gate that leave a memory believed; the table names the other decisions. */
const BELIEVED: ReadonlySet<string> = new Set([
  'CommittedCheap',
  'CommittedInferred',
  'Corroborated',
  'Reinstated',
])

const standing = (disposition: string, status: string | null): string =>
  BELIEVED.has(disposition) ? spoken(status ?? 'believed') : spaced(disposition).toLowerCase()

function statusOf({ erased, strengthTier, disposition, status }: Memory): string {
  if (erased) return 'erased'
  return strengthTier === 'forgotten' ? 'forgotten' : standing(disposition, status)
}

export const rowOfMemory = (memory: Memory): Row => ({
  ref: memory.ref,
  kind: memory.kind,
  words: memory.text,
  tier: memory.tier,
  actor: memory.provenance.sourceId,
  confidence: memory.confidence,
  strength: memory.strength,
  created: memory.createdAt,
  status: statusOf(memory),
})

export function rowOfResult(result: SearchResult): Row {
  const { text, createdAt, disposition, ...hit } = hitOf(result)
  return { ...hit, words: text, created: createdAt, status: standing(disposition, null) }
}

export interface Sorting {
  readonly by: Column
  readonly isRising: boolean
}

/** The newest first, as the server lists memories. */
export const NEWEST: Sorting = { by: 'created', isRising: false }

export function sorted(rows: readonly Row[], { by, isRising }: Sorting): readonly Row[] {
  const sign = isRising ? 1 : -1
  return [...rows].sort(({ [by]: a }, { [by]: b }) =>
    typeof a === 'number' && typeof b === 'number'
      ? sign * (a - b)
      : sign * String(a).localeCompare(String(b)),
  )
}
