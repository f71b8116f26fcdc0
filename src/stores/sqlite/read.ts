import type { StackId } from '../../domain/ids.ts'
import type { ReadQuery, ReadResults } from '../../ports/store.ts'
import { lineRows, standingAt } from '../sql/lines.ts'
import { atMost } from '../sql/memories.ts'
import { read } from '../sql/read.ts'
import { numbersOf } from '../sql/steps.ts'
import { begunBy } from './begun-terms.ts'
import type { Connection } from './connection.ts'
import { SQLITE } from './dialect.ts'
import { MISFILED } from './misfiled.ts'
import { entriesIn, runIn, sealedIn } from './pages.ts'

type Answer = ReadResults[keyof ReadResults]

/** Answers one query; the caller's type says which member of the union it is. */
export function readFrom(connection: Connection, stack: StackId, query: ReadQuery): Answer {
  connection.answersFor(stack)
  switch (query.type) {
    case 'standing': {
      const { tip, stack: state } = connection.standing(stack)
      return { tip, stack: state, policy: connection.policy(state.policyHash) }
    }
    case 'begins':
      return connection.atOnce(() => query.terms.map((term) => begunBy(connection, term)))
    case 'line':
      return connection.atOnce(() => lineIn(connection, query))
    case 'entries':
      return entriesIn(connection, { from: query.from, to: atMost(query.from + query.limit) - 1 })
    case 'sealed':
      return sealedIn(connection, { from: query.from, to: atMost(query.to) })
    case 'run':
      return runIn(connection, { from: query.from, to: atMost(query.to) })
    case 'policy':
      return connection.policy(query.hash)
    case 'misfiled':
      return numbersOf(connection.prepare(`${MISFILED} ORDER BY 1`).all())
    default:
      return connection.atOnce(() => connection.run(read(SQLITE, query)))
  }
}

/** A long line is kept at hand between two questions; a whole one is asked for seldom. */
function lineIn(
  connection: Connection,
  query: Extract<ReadQuery, { type: 'line' }>,
): ReadResults['line'] {
  const { line } = query
  if (query.which === 'all') return connection.run(read(SQLITE, query)) as ReadResults['line']
  const at = query.at ?? ''
  const { known } = connection
  const kept = known?.hasRows(line) ? known.rowsOf(line, connection.head()) : undefined
  if (kept && kept.at <= at) return standingAt(kept, at)
  const rows = connection.run(lineRows(SQLITE, line, at))
  if (known?.isWorth(rows.claims.length)) known.keepRows(line, connection.head(), rows)
  return standingAt(rows, at)
}
