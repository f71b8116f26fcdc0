import type { MemoryState } from '../../domain/state.ts'
import type { SqlValue } from './values.ts'

export interface MemoryColumn {
  readonly name: string
  readonly type: 'bigint' | 'smallint' | 'float8' | 'text' | 'bytea'
  readonly value: (memory: MemoryState) => SqlValue
  /** Most changes of a memory touch no other columns. */
  readonly isOfLife: boolean
}

const fixed = (
  column: string,
  type: MemoryColumn['type'],
  value: MemoryColumn['value'],
): MemoryColumn => ({ name: column, type, value, isOfLife: false })

const life = (...given: Parameters<typeof fixed>): MemoryColumn => ({
  ...fixed(...given),
  isOfLife: true,
})

/** The table `memories` in the order of its columns. A hash is hex here, and bytes in a store. */
export const COLUMNS: readonly MemoryColumn[] = [
  fixed('seq', 'bigint', ({ seq }) => seq),
  fixed('ref', 'text', ({ ref }) => ref),
  fixed('kind', 'text', ({ kind }) => kind),
  fixed('unit', 'bigint', ({ unit }) => unit),
  fixed('revision', 'bigint', ({ revision }) => revision),
  fixed('revision_seq', 'bigint', ({ revisionSeq }) => revisionSeq),
  fixed('entry_hash', 'bytea', ({ entryHash }) => entryHash),
  fixed('born_at', 'text', ({ bornAt }) => bornAt),
  fixed('label', 'text', ({ label }) => label),
  fixed('source_type', 'text', ({ sourceType }) => sourceType),
  fixed('source_id', 'text', ({ sourceId }) => sourceId),
  fixed('door', 'text', ({ door }) => door),
  fixed('document', 'text', (memory) => memory.document),
  fixed('session', 'text', ({ session }) => session),
  fixed('captured', 'smallint', ({ captured }) => Number(captured)),
  fixed('content_hash', 'bytea', ({ contentHash }) => contentHash),
  fixed('identity', 'bytea', ({ identity }) => identity),
  fixed('line', 'bytea', ({ line }) => line),
  life('disposition', 'text', ({ disposition }) => disposition),
  life('tier', 'smallint', ({ tier }) => tier),
  fixed('depth_nearest', 'bigint', ({ depthNearest }) => depthNearest),
  fixed('depth_farthest', 'bigint', ({ depthFarthest }) => depthFarthest),
  life('confidence', 'float8', ({ confidence }) => confidence.value),
  life('confidence_at', 'text', ({ confidence }) => confidence.at),
  life('strength', 'float8', ({ strength }) => strength.value),
  life('strength_at', 'text', ({ strength }) => strength.at),
  life('is_protected', 'smallint', ({ isProtected }) => Number(isProtected)),
  life('restated_at', 'text', ({ restatedAt }) => restatedAt),
  life('subtype', 'text', ({ facets }) => facets.subtype),
  life('status', 'text', ({ facets }) => facets.status),
  fixed('name', 'text', ({ facets }) => facets.name),
  fixed('context', 'text', ({ facets }) => facets.context),
  fixed('context_tags', 'text', ({ facets }) => listText(facets.contextTags)),
  life('tags', 'text', ({ facets }) => listText(facets.tags)),
  life('weight', 'float8', ({ weight }) => weight),
  life('accesses', 'bigint', ({ accesses }) => accesses),
  life('accessed_at', 'text', ({ accessedAt }) => accessedAt),
  life('verifications', 'bigint', ({ verifications }) => verifications),
  life('verified_at', 'text', ({ verifiedAt }) => verifiedAt),
  life('reinforcements', 'bigint', ({ reinforcements }) => reinforcements),
  life('marks', 'text', marksText),
  life('review', 'text', ({ review }) => review),
  fixed('erased', 'text', ({ erased }) => (erased === null ? null : JSON.stringify(erased))),
]

export const MEMORY_COLUMNS: readonly string[] = COLUMNS.map((column) => column.name)

export const memoryValues = (memory: MemoryState): readonly SqlValue[] =>
  COLUMNS.map(({ value }) => value(memory))

const listText = (items: readonly string[]): string | null =>
  items.length === 0 ? null : JSON.stringify(items)

/** Rare values share one column, which is empty for most memories. */
function marksText(memory: MemoryState): string | null {
  const { evidence, anchors, flags, notes, moves, claim, distrust, rewordingOf } = memory
  const { parentsAdded, guard } = memory
  const hasNone =
    distrust === null &&
    rewordingOf === null &&
    parentsAdded === 0 &&
    guard === null &&
    evidence.length === 0 &&
    anchors.length === 0 &&
    flags.length === 0 &&
    moves.length === 0 &&
    isEmpty(notes)
  if (hasNone && claim === null) return null
  if (hasNone) return JSON.stringify({ claim })
  return JSON.stringify({
    ...{ evidence, anchors, flags, notes, moves, claim },
    ...(distrust === null ? {} : { distrust }),
    ...(rewordingOf === null ? {} : { rewordingOf }),
    ...(parentsAdded === 0 ? {} : { parentsAdded }),
    ...(guard === null ? {} : { guard }),
  })
}

const isEmpty = (record: object): boolean => {
  for (const _ in record) return false
  return true
}
