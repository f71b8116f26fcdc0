import { Memory } from '../../../src/adapters/mem0/index.ts'
import { openStack } from '../../../src/compose/open-stack.ts'

interface Task {
  readonly home: string
  readonly name: string
  readonly id: string
  readonly count: number
}

/** Adds memories, and changes one that another process changes too. */
const { home, name, id, count } = JSON.parse(process.argv[2] ?? '') as Task // written by a test
const stack = await openStack('shared', { home, components: [] })
const memory = new Memory({ stack })
for (let index = 0; index < count; index += 1) {
  await memory.add(`${name} ${index}`, { userId: 'ann' })
  const metadata = { [`${name}-${index}`]: true }
  await memory.update(id, { text: `changed by ${name} ${index}`, metadata })
}
await stack.close()
