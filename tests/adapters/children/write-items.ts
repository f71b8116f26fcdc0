import { StackMemoryTool } from '../../../src/adapters/anthropic/index.ts'
import { StackStore } from '../../../src/adapters/langgraph/index.ts'
import { openStack } from '../../../src/compose/open-stack.ts'

interface Task {
  readonly home: string
  readonly seat: 'anthropic' | 'langgraph'
  readonly name: string
  readonly count: number
}

/** Writes items of a stack that another process writes at the same time. */
const { home, seat, name, count } = JSON.parse(process.argv[2] ?? '') as Task // written by a test
const stack = await openStack('shared', { home, components: [] })
const path = '/memories/shared.md'
for (let index = 0; index < count; index += 1) {
  if (seat === 'anthropic') {
    const memory = new StackMemoryTool(stack)
    await memory.insert({
      command: 'insert',
      path,
      insert_line: 0,
      insert_text: `${name} ${index}`,
    })
    const own = {
      command: 'create',
      path: `/memories/${name}/${index}.md`,
      file_text: name,
    } as const
    await memory.create(own)
  } else {
    const store = new StackStore(stack)
    await store.put(['items'], `${name} ${index}`, { name })
    await store.put(['items'], 'both', { [name]: index })
  }
}
await stack.close()
