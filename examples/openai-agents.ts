import { Agent, type Model, Runner, Usage } from '@openai/agents-core'
import { openStack } from 'muniment'
import { MunimentSession } from 'muniment/openai-agents'

// Any model of the SDK serves; this scripted model needs no key.
const content = [{ type: 'output_text', text: 'Noted: Berlin.' }]
const output = [{ type: 'message', role: 'assistant', status: 'completed', content }]
const model = { getResponse: async () => ({ usage: new Usage(), output }) } as unknown as Model

const stack = await openStack('assistant', { path: ':memory:' })
const user = { name: 'ann', isOwner: true } // the person whose stack it is
const session = new MunimentSession({ stack, sessionId: 'monday', user })
const runner = new Runner({ modelProvider: { getModel: () => model }, tracingDisabled: true })
await runner.run(new Agent({ name: 'helper' }), 'I live in Berlin.', { session })

for (const { text, tier, provenance } of await stack.getRaw()) {
  process.stdout.write(`${provenance.sourceId}, tier ${tier}: ${text}\n`)
}
await stack.close()
