import { hasGivenWay, isOverFrom } from '../../domain/claim-state.ts'
import type { MemoryState } from '../../domain/state.ts'
import { MEMORY_COLUMNS, memoryValues } from '../sql/memory-rows.ts'
import { isHashColumn, type ListColumn } from './columns.ts'
import type { PgValue } from './driver.ts'
import { bytesText, keyOf } from './text.ts'

const BIGINTS: ReadonlySet<string> = new Set([
  'seq',
  'unit',
  'revision',
  'revision_seq',
  'depth_nearest',
  'depth_farthest',
  'accesses',
  'verifications',
  'reinforcements',
])
const SMALLINTS: ReadonlySet<string> = new Set(['captured', 'tier', 'is_protected'])
const FLOATS: ReadonlySet<string> = new Set(['confidence', 'strength', 'weight'])

function typeOf(name: string): ListColumn['type'] {
  if (isHashColumn(name)) return 'bytea'
  if (BIGINTS.has(name)) return 'bigint'
  if (SMALLINTS.has(name)) return 'smallint'
  return FLOATS.has(name) ? 'float8' : 'text'
}

/** What is stored of a memory: its row, and what it is looked up by where its texts may be long. */
export const STORED_COLUMNS: readonly ListColumn[] = [
  ...MEMORY_COLUMNS.map((name): ListColumn => ({ name, type: typeOf(name) })),
  { name: 'session_key', type: 'uuid' },
  { name: 'name_key', type: 'uuid' },
  { name: 'source_key', type: 'uuid' },
  { name: 'standing_until', type: 'text' },
]

const HASHES_AT: readonly number[] = MEMORY_COLUMNS.flatMap((name, at) =>
  isHashColumn(name) ? [at] : [],
)

export function storedValues(memory: MemoryState): readonly PgValue[] {
  const values: PgValue[] = [...(memoryValues(memory) as readonly PgValue[])] // no bigints in a row
  for (const at of HASHES_AT) values[at] = bytesText(values[at] as string | null) // a hash is hex
  const { session, facets } = memory
  values.push(
    session === null ? null : keyOf(session),
    facets.name === null ? null : keyOf(facets.name),
    keyOf(memory.sourceId),
    standingUntil(memory),
  )
  return values
}

const ALWAYS = '~' // behind every instant

/** Until when a claim may answer for its line; null once it gave way, and for what is no claim. */
function standingUntil(memory: MemoryState): string | null {
  if (memory.line === null || hasGivenWay(memory)) return null
  return (memory.claim && isOverFrom(memory.claim)) ?? ALWAYS
}
