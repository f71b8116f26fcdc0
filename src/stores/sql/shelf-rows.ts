import type { ShelvedMemory } from '../../ports/store.ts'
import { NO_NOTES } from './memory-rows.ts'
import { MET_COLUMNS, shownIn } from './met-rows.ts'
import { hashOrNull, type Untrusted } from './rows.ts'
import type { SqlRow, SqlValue } from './values.ts'

interface Shelved {
  /** Null where the memory stands as most do. */
  readonly seldom: SqlRow | null
  readonly sealed: SqlValue | undefined
  readonly weight: SqlValue | undefined
  readonly line: SqlValue | undefined
}

const KEY_AT = MET_COLUMNS.indexOf('seq')

/** Out of the columns of a memory that is met. */
export function shelvedOf(row: SqlRow, { seldom, sealed, weight, line }: Shelved): ShelvedMemory {
  const chosenBy = { seq: row[KEY_AT], weight, line: hashOrNull(line) }
  const state = Object.assign(shownIn(row, seldom), chosenBy)
  return { state, sealed, notes: NO_NOTES } as unknown as Untrusted<ShelvedMemory>
}
