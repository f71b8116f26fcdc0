import type { Answers, ReadQuery } from '../../ports/store.ts'
import { type Dialect, written } from './dialect.ts'
import { doubtedStates, lineage, lineageCount } from './lineage.ts'
import { lineOf } from './lines.ts'
import { atMost, memories } from './memories.ts'
import { STORED, storedOf, WITH_SEALED } from './memory-rows.ts'
import { withNotes } from './notes.ts'
import { ENTRY, entryOf, type Untrusted } from './rows.ts'
import { matched, recalled } from './search.ts'
import { rowsOf, type Steps } from './steps.ts'
import { tableRows } from './tables.ts'
import { touched, vectorsOf } from './vectors.ts'

const MEMORY = written(
  (d) => `
  SELECT ${STORED(d)} FROM memories m ${WITH_SEALED(d)} WHERE ${d.inStack('m')} AND m.ref = ?`,
)
const entriesWhere = (condition: string) =>
  written(
    (d) => `
  SELECT ${ENTRY(d)} FROM provenance_log l WHERE ${d.inStack('l')} AND ${condition} ORDER BY l.seq`,
  )
const ENTRIES = entriesWhere('l.seq BETWEEN ? AND ?')
const ENTRIES_ABOUT = entriesWhere('l.ref = ?')

/** Queries that each store answers with its own code. */
type OwnQuery = { readonly type: 'standing' | 'begins' | 'run' | 'policy' }

export function* read(d: Dialect, query: Exclude<ReadQuery, OwnQuery>): Steps<unknown> {
  switch (query.type) {
    case 'memory':
      return (yield* withNotes(d, (yield* rowsOf(MEMORY(d), query.ref)).map(storedOf)))[0] ?? null
    case 'memories':
      return yield* memories(d, query)
    case 'match':
      return yield* matched(d, query)
    case 'recall':
      return yield* recalled(d, query)
    case 'vectors':
      return yield* vectorsOf(d, query.model)
    case 'touched':
      return yield* touched(d, query.after, query.limit)
    case 'line':
      return yield* lineOf(d, query)
    case 'entries': {
      if ('about' in query) return (yield* rowsOf(ENTRIES_ABOUT(d), query.about)).map(entryOf)
      const { from, limit } = query
      return (yield* rowsOf(ENTRIES(d), from, atMost(from + limit) - 1)).map(entryOf)
    }
    case 'lineage':
      return yield* query.as === 'count' ? lineageCount(d, query) : lineage(d, query)
    case 'doubted':
      return yield* doubtedStates(d, query.what, query.visitMax)
    case 'counts':
      return Object.fromEntries(yield* rowsOf(d.counts)) as Untrusted<Answers['counts']>
    case 'table':
      return yield* tableRows(d, query)
  }
}
