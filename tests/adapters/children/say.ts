import { generateText } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { withMemory } from '../../../src/adapters/ai-sdk/index.ts'
import { MunimentMemoryService } from '../../../src/adapters/google-adk/index.ts'
import { MunimentProcessor } from '../../../src/adapters/mastra/index.ts'
import { MunimentMemoryStore } from '../../../src/adapters/strands/index.ts'
import { openStack } from '../../../src/compose/open-stack.ts'

interface Task {
  readonly home: string
  readonly seat: string
  readonly name: string
  readonly count: number
}

/** Says texts through a seat of a stack while another process does; both say “both …”. */
const { home, seat, name, count } = JSON.parse(process.argv[2] ?? '') as Task // written by a test
const stack = await openStack('shared', { home, components: [] })

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const content = [{ type: 'text', text: '' }]
const answer = { content, usage, warnings: [], finishReason: { unified: 'stop' } }
const model = withMemory(new MockLanguageModelV4({ doGenerate: answer as never }), { stack })
const processor = new MunimentProcessor({ stack, tokenBudget: 0, results: 0 })
const store = new MunimentMemoryStore({ stack, name: 'notes' })
const service = new MunimentMemoryService({ stack })

const SAYS: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  'ai-sdk': (id) => generateText({ model, prompt: id }),
  mastra: (id) => {
    const parts = [{ type: 'text', text: id }]
    return processor.processInput({
      messages: [{ id, role: 'user', content: { parts }, threadId: 't', resourceId: 'ann' }],
      systemMessages: [],
    })
  },
  strands: async (id) => {
    await store.addMessages([{ role: 'user', content: [{ text: id }], trackingId: id }])
    if (!id.startsWith('both')) await store.add(`added ${id}`)
  },
  'google-adk': (id) => {
    const content = { parts: [{ text: id }] }
    const events = [{ id, author: 'user', timestamp: 1, content }]
    return service.addSessionToMemory({ id: 's', appName: 'app', userId: 'ann', events })
  },
}

for (let index = 0; index < count; index += 1) {
  await SAYS[seat]?.(`${name} ${index}`)
  if (seat !== 'ai-sdk') await SAYS[seat]?.(`both ${index}`) // the AI SDK gives messages no id
}
await stack.close()
