import { afterAll, expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { postgres } from '../../src/stores/postgres/index.ts'
import { holds } from '../support/holds.ts'
import { ownHome } from './support/home.ts'
import { makeServer } from './support/server.ts'

const server = await makeServer()
await server.start()
afterAll(async () => {
  await server.stop()
  server.remove()
})

const STACKS = ['one', 'two', 'three']
const WRITES = 40

holds(
  ['STORE-ACKED', 'LEDGER-ATOMIC'],
  'a server that is killed under load loses no acknowledged write, and clients recover by themselves',
  async () => {
    const home = ownHome()
    const store = postgres({
      connectionString: server.urlOf('postgres'),
      poolSize: 6,
      retryMs: 90_000,
    })
    const acked = new Map<string, string[]>(STACKS.map((id) => [id, []]))
    let count = 0
    const writing = STACKS.map(async (stackId) => {
      const stack = await openStack(stackId, { store, home })
      const me = new Entity('agent')
      await me.attachStack(stack)
      for (let write = 0; write < WRITES; write += 1) {
        const { id } = await me.note(`${stackId} says part ${write} of it`)
        acked.get(stackId)?.push(String(id))
        count += 1
      }
      return stack
    })
    const killing = (async () => {
      for (const after of [WRITES / 2, WRITES * 2]) {
        while (count < after) await new Promise((resolve) => setTimeout(resolve, 5))
        await server.kill()
        await server.start()
      }
    })()
    const stacks = await Promise.all(writing)
    await killing
    for (const stack of stacks) {
      expect((await stack.ledger.audit()).problems).toEqual([])
      const notes = await stack.getNotes({ limit: 1_000 })
      // Each of them once: a commit that was sent again was not made again.
      expect(notes.map(({ id }) => id).sort()).toEqual(acked.get(stack.stackId)?.sort())
      expect(await store.check(stack.stackId)).toEqual([])
      await stack.close()
    }
    await store.close()
  },
)
