import { expect } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { Entity } from '../../src/core/entity.ts'
import { postgres } from '../../src/stores/postgres/index.ts'
import { holds } from '../support/holds.ts'
import { copyOfDatabase, ownDatabase } from './support/database.ts'
import { ownHome } from './support/home.ts'

holds(
  'STORE-ORDER',
  'a replica answers as far as it has come, and never less than was seen here',
  async () => {
    const database = await ownDatabase()
    const home = ownHome()
    const first = postgres({ connectionString: database.url, poolSize: 2 })
    const one = await openStack('demo', { store: first, home })
    const me = new Entity('agent')
    await me.attachStack(one)
    await me.note('before the copy was made')
    await one.close()
    await first.close()
    // A copy stands for a replica that has stopped to follow.
    const copy = await copyOfDatabase(database)
    const open = () =>
      postgres({
        connectionString: database.url,
        replica: { connectionString: copy.url },
        poolSize: 2,
      })
    const store = open()
    const stack = await openStack('demo', { store, home })
    await me.attachStack(stack)
    await me.note('after the copy was made')
    expect(await stack.getNotes({ limit: 10 })).toHaveLength(2)
    const other = open()
    const elsewhere = await openStack('demo', { store: other, home })
    expect(await elsewhere.getNotes({ limit: 10 })).toHaveLength(1)
    const writer = new Entity('agent')
    await writer.attachStack(elsewhere)
    await writer.note('by somebody who had read less')
    expect(await elsewhere.getNotes({ limit: 10 })).toHaveLength(3)
    expect((await elsewhere.audit()).problems).toEqual([])
    for (const each of [stack, elsewhere]) await each.close()
    for (const each of [store, other]) await each.close()
    // One that is gone is not missed.
    const gone = postgres({
      connectionString: database.url,
      replica: { connectionString: 'postgres://nobody@127.0.0.1:1/none' },
      poolSize: 2,
    })
    const alone = await openStack('demo', { store: gone, home })
    expect(await alone.getNotes({ limit: 10 })).toHaveLength(3)
    await alone.close()
    await gone.close()
  },
)
