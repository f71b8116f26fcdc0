import type { ReadQuery, ReadResults } from '../../ports/store.ts'
import { joinedAsHashed } from '../memory/run.ts'
import { read } from '../sql/read.ts'
import { begunBy } from './begun-terms.ts'
import type { Connection } from './connection.ts'
import { POSTGRES } from './dialect.ts'
import { misfiled } from './misfiled.ts'

type Answer = ReadResults[keyof ReadResults]

/** Answers one query; the caller's type says which member of the union it is. */
export async function readFrom(connection: Connection, query: ReadQuery): Promise<Answer> {
  switch (query.type) {
    case 'standing': {
      const { tip, stack } = await connection.standing()
      return { tip, stack, policy: await connection.policy(stack.policyHash) }
    }
    case 'begins':
      return connection.run(begunBy(query.terms))
    case 'run': {
      const { from, to } = query
      const [entries, sealed] = await Promise.all([
        connection.run(read(POSTGRES, { type: 'entries', from, limit: to - from + 1 })),
        connection.run(read(POSTGRES, { type: 'sealed', from, to })),
      ])
      return joinedAsHashed(entries as ReadResults['entries'], sealed as ReadResults['sealed'])
    }
    case 'policy':
      return connection.policy(query.hash)
    case 'misfiled':
      return misfiled(connection)
    default:
      return connection.run(read(POSTGRES, query))
  }
}
