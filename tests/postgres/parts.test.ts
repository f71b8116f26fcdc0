import { expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { parseStackId } from '../../src/domain/ids.ts'
import { type PgDriver, postgres } from '../../src/stores/postgres/index.ts'
import { holds } from '../support/holds.ts'
import { ownHome } from './support/home.ts'
import { ownPglite } from './support/pglite.ts'

const database = await ownPglite()

/** A driver that writes down what is asked. */
function listening(driver: PgDriver) {
  const asked: string[] = []
  const connect = async () => {
    const client = await driver.connect()
    return {
      ...client,
      query: (...statement: Parameters<typeof client.query>) => {
        asked.push(statement[0])
        return client.query(...statement)
      },
    }
  }
  return { asked, driver: { ...driver, connect } satisfies PgDriver }
}

holds('STORE-SAME', 'the index of terms is walked once for all parts of a question', async () => {
  const { asked, driver } = listening(database.driver())
  const store = postgres({ driver })
  const stack = await openStack('demo', { store, home: ownHome() })
  const me = new Entity('agent')
  await me.attachStack(stack)
  await me.note('the lighthousedoor and the harbourdock')
  const countFor = async (terms: readonly string[]): Promise<number> => {
    asked.length = 0
    await store.read(parseStackId('demo'), { type: 'begins', terms })
    return asked.length
  }
  const parts = Array.from({ length: 60 }, (_, at) => `nobody${at}said`)
  const few = await countFor(['housedoo'])
  expect(few).toBe(3)
  expect(await countFor(['housedoo', 'ourdock', ...parts])).toBe(few)
  await stack.close()
  await store.close()
})
