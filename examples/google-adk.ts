import { type BaseMemoryService, createEvent, InMemorySessionService } from '@google/adk'
import { openStack } from 'muniment'
import { MunimentMemoryService } from 'muniment/google-adk'

const stack = await openStack('assistant', { path: ':memory:' })
// In an agent: new Runner({ appName, agent, sessionService, memoryService })
const memoryService: BaseMemoryService = new MunimentMemoryService({ stack, owner: 'ann' })
const sessionService = new InMemorySessionService()
const whose = { appName: 'travel', userId: 'ann' }
const session = await sessionService.createSession(whose)
const content = { role: 'user', parts: [{ text: 'I live in Berlin.' }] }
await sessionService.appendEvent({ session, event: createEvent({ author: 'user', content }) })
await memoryService.addSessionToMemory(session)

const { memories } = await memoryService.searchMemory({ ...whose, query: 'Where do I live?' })
for (const { author, content } of memories) {
  process.stdout.write(`${author}: ${content.parts?.[0]?.text}\n`)
}
for (const { text, tier } of await stack.getRaw()) process.stdout.write(`tier ${tier}: ${text}\n`)
await stack.close()
