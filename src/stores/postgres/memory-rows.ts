import { hasGivenWay, isOverFrom } from '../../domain/claims.ts'
import type { MemoryState } from '../../domain/state.ts'
import { COLUMNS } from '../sql/memory-columns.ts'
import type { ListColumn } from './columns.ts'
import type { PgValue } from './driver.ts'
import { bytesText, keyOf } from './text.ts'

/** The stored row of a memory, with lookup keys for texts that may be long. */
export const STORED_COLUMNS: readonly ListColumn[] = [
  ...COLUMNS,
  { name: 'session_key', type: 'uuid' },
  { name: 'name_key', type: 'uuid' },
  { name: 'source_key', type: 'uuid' },
  { name: 'standing_until', type: 'text' },
]

const keyOrNull = (text: string | null): string | null => (text === null ? null : keyOf(text))

export const storedValues = (memory: MemoryState): readonly PgValue[] => [
  ...COLUMNS.map(({ type, value }) => {
    const found = value(memory)
    return type === 'bytea' ? bytesText(found as string | null) : found // a hash is hex
  }),
  keyOrNull(memory.session),
  keyOrNull(memory.facets.name),
  keyOf(memory.sourceId),
  standingUntil(memory),
]

const ALWAYS = '~' // behind every instant

/**
 * The time until which a claim may answer for its timeline; null after giving way, and for other
 * kinds.
 */
function standingUntil(memory: MemoryState): string | null {
  if (memory.line === null || hasGivenWay(memory)) return null
  return (memory.claim && isOverFrom(memory.claim)) ?? ALWAYS
}
