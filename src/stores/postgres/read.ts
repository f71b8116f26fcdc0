import type { SealedRow } from '../../domain/entry.ts'
import type { EntryRow, ReadQuery } from '../../ports/store.ts'
import { joinedAsHashed } from '../memory/run.ts'
import { read } from '../sql/read.ts'
import { begunBy } from './begun-terms.ts'
import type { Connection } from './connection.ts'
import { POSTGRES } from './dialect.ts'
import { misfiled } from './misfiled.ts'

export async function readFrom(connection: Connection, query: ReadQuery): Promise<unknown> {
  switch (query.type) {
    case 'standing': {
      const { tip, stack } = await connection.standing()
      return { tip, stack, policy: await connection.policy(stack.policyHash) }
    }
    case 'begins':
      return connection.run(begunBy(query.terms))
    case 'run':
      return runIn(connection, query)
    case 'policy':
      return connection.policy(query.hash)
    default:
      if (query.type === 'table' && query.name === 'misfiled') return misfiled(connection)
      return connection.run(read(POSTGRES, query))
  }
}

async function runIn(
  connection: Connection,
  { from, to }: { readonly from: number; readonly to: number },
) {
  const [entries, sealed] = await Promise.all([
    connection.run(read(POSTGRES, { type: 'entries', from, limit: to - from + 1 })),
    connection.run(read(POSTGRES, { type: 'table', name: 'sealed', from, to })),
  ])
  return joinedAsHashed(entries as readonly EntryRow[], sealed as readonly SealedRow[])
}
