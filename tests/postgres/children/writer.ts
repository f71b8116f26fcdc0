import { writeSync } from 'node:fs'
import { Entity } from '../../../src/agent/entity.ts'
import { openStack } from '../../../src/compose/open-stack.ts'
import { postgres } from '../../../src/stores/postgres/index.ts'
import type { WriterTask } from '../support/writer.ts'

/** Writes into a stack and says which were acknowledged, until it is done or killed. */
const task = JSON.parse(process.argv[2] ?? '') as WriterTask // written by support/writer.ts
const say = (what: object): void => void writeSync(1, `${JSON.stringify(what)}\n`)

const store = postgres({
  connectionString: task.url,
  poolSize: 4,
  lockTimeoutMs: 60_000,
  retryMs: 60_000,
})
const stack = await openStack('demo', { store, home: task.home })
const me = new Entity(task.name)
await me.attachStack(stack)
say({ isReady: true })
for (let count = 0; count < task.writes; count += task.atOnce) {
  const group = Array.from({ length: task.atOnce }, async (_, index) => {
    const { id } = await me.note(`${task.name} has something to say, part ${count + index}`, {
      observed: true,
    })
    say({ id })
  })
  for (const outcome of await Promise.allSettled(group)) {
    if (outcome.status === 'rejected')
      say({ error: String(outcome.reason?.code ?? outcome.reason) })
  }
}
await stack.close()
await store.close()
say({ isDone: true })
