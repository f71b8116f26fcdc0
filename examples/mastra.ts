import { Agent } from '@mastra/core/agent'
import { createMockModel } from '@mastra/core/test-utils/llm-mock'
import { openStack } from 'muniment'
import { MunimentProcessor } from 'muniment/mastra'

const stack = await openStack('assistant', { path: ':memory:' })
const memory = new MunimentProcessor({ stack, owner: 'ann' })
// Any model of Mastra serves; this one answers from a script, so that the example needs no key.
const model = createMockModel({ mockText: 'Noted: Berlin.' })
const agent = new Agent({
  ...{ id: 'helper', name: 'helper', instructions: 'Be brief.', model },
  ...{ inputProcessors: [memory], outputProcessors: [memory] },
})
const resource = 'ann'
await agent.generate('I live in Berlin.', { memory: { resource, thread: 'monday' } })
await agent.generate('Where do I live?', { memory: { resource, thread: 'tuesday' } })

for (const { text, tier } of await stack.getRaw()) process.stdout.write(`tier ${tier}: ${text}\n`)
await stack.close()
