import { writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { Entity } from '../../../src/agent/entity.ts'
import { fileKeyring } from '../../../src/compose/keyring.ts'
import { openStack } from '../../../src/compose/open-stack.ts'
import { SqliteStore } from '../../../src/stores/sqlite/store.ts'
import type { WriterTask } from '../support/writer.ts'

/** Writes into a stack and says which were acknowledged, until it is done or killed. */
const task = JSON.parse(process.argv[2] ?? '') as WriterTask // written by support/writer.ts
const say = (what: object): void => void writeSync(1, `${JSON.stringify(what)}\n`)

const store = new SqliteStore({ path: task.path, busyTimeoutMs: 60_000 })
const stack = await openStack('demo', { store, keyring: fileKeyring(dirname(task.path)) })
const me = new Entity(task.name)
await me.attachStack(stack)
say({ isReady: true })
for (let count = 0; count < task.writes; count += task.atOnce) {
  const group = Array.from({ length: task.atOnce }, async (_, index) => {
    const { id } = await me[task.kind](`${task.name} has something to say, part ${count + index}`, {
      observed: true,
    })
    say({ id })
  })
  if (task.erases) {
    const raw = await me.raw(`${task.name} has a secret: Zwickelfarbe ${count}`)
    const { scrubbed } = await stack.erasure.erase(raw.ref)
    if (scrubbed) say({ erased: raw.ref })
  }
  for (const outcome of await Promise.allSettled(group)) {
    if (outcome.status === 'rejected') say({ error: String(outcome.reason?.code) })
  }
}
await stack.close()
await store.close()
say({ isDone: true })
