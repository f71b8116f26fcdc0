import type { StackId } from '../../domain/ids.ts'
import type { Answers, ReadQuery } from '../../ports/store.ts'
import { lineRows, standingAt } from '../sql/lines.ts'
import { read } from '../sql/read.ts'
import { numbersOf } from '../sql/steps.ts'
import { begunBy } from './begun-terms.ts'
import type { Connection } from './connection.ts'
import { SQLITE } from './dialect.ts'
import { MISFILED } from './misfiled.ts'
import { entriesIn, runIn, sealedIn } from './pages.ts'

export function readFrom(connection: Connection, stack: StackId, query: ReadQuery): unknown {
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
    case 'run':
      return runIn(connection, query)
    case 'policy':
      return connection.policy(query.hash)
    default:
      if (query.type === 'entries' && 'from' in query) return entriesIn(connection, query)
      if (query.type === 'table' && query.name === 'sealed') return sealedIn(connection, query)
      if (query.type === 'table' && query.name === 'misfiled') return misfiledIn(connection)
      return connection.atOnce(() => connection.run(read(SQLITE, query)))
  }
}

const misfiledIn = (connection: Connection): readonly number[] =>
  numbersOf(connection.prepare(`${MISFILED} ORDER BY 1`).all())

/** A long timeline stays cached between two questions; a whole timeline is rarely read. */
function lineIn(
  connection: Connection,
  query: Extract<ReadQuery, { type: 'line' }>,
): Answers['line'] {
  const { line } = query
  if (query.which === 'all') return connection.run(read(SQLITE, query)) as Answers['line']
  const at = query.at ?? ''
  const { known } = connection
  const kept = known?.hasRows(line) ? known.rowsOf(line, connection.head()) : undefined
  if (kept && kept.at <= at) return standingAt(kept, at)
  const rows = connection.run(lineRows(SQLITE, line, at))
  if (known?.isWorth(rows.claims.length)) known.keepRows(line, connection.head(), rows)
  return standingAt(rows, at)
}
