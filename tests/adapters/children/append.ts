import { MunimentSessionStore } from '../../../src/adapters/claude-agent-sdk/index.ts'
import { MunimentSession } from '../../../src/adapters/openai-agents/index.ts'
import { openStack } from '../../../src/compose/open-stack.ts'

interface Task {
  readonly home: string
  readonly seat: 'openai-agents' | 'claude-agent-sdk'
  readonly name: string
  readonly count: number
}

/** Writes into a session of a stack that another process writes too. */
const { home, seat, name, count } = JSON.parse(process.argv[2] ?? '') as Task // written by a test
const stack = await openStack('shared', { home, components: [] })
for (let index = 0; index < count; index += 1) {
  const text = `${name} ${index}`
  if (seat === 'openai-agents') {
    const session = new MunimentSession({ stack, sessionId: 's' })
    await session.addItems([{ role: 'user', content: text }])
  } else {
    const store = new MunimentSessionStore({ stack })
    const message = { role: 'user', content: text }
    const own = { type: 'user', uuid: text, message }
    const both = { type: 'user', uuid: `both ${index}`, message: { role: 'user', content: 'both' } }
    await store.append({ projectKey: 'p', sessionId: 's' }, [own, both])
  }
}
await stack.close()
