import { getSessionMessages } from '@anthropic-ai/claude-agent-sdk'
import { openStack } from 'muniment'
import { MunimentSessionStore } from 'muniment/claude-agent-sdk'

const stack = await openStack('assistant', { path: ':memory:' })
const user = { name: 'ann', isOwner: true } // the person whose stack it is
const sessionStore = new MunimentSessionStore({ stack, user })
// In an agent: for await (const message of query({ prompt, options: { sessionStore } })) …
const sessionId = '6e1f2d3c-0000-4000-8000-000000000001'
const [projectKey, uuid] = ['-shop', '6e1f2d3c-0000-4000-8000-000000000002']
const message = { role: 'user', content: 'I live in Berlin.' }
await sessionStore.append({ projectKey, sessionId }, [
  { type: 'user', uuid, parentUuid: null, sessionId, message },
])
const messages = await getSessionMessages(sessionId, { dir: '/shop', sessionStore })
process.stdout.write(`${messages.length} message for the SDK\n`)

for (const { text, tier, provenance } of await stack.getRaw({ limit: 1 })) {
  process.stdout.write(`${provenance.sourceId}, tier ${tier}: ${text}\n`)
}
await stack.close()
