import { generateText, isStepCount } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { openStack } from 'muniment'
import { aiSdkSeat, approveByProvenance, memoryTools, withMemory } from 'muniment/ai-sdk'

// Any model of the SDK serves; this scripted model needs no key.
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const content = [{ type: 'text', text: 'Noted: no peanuts.' }]
const answer = { content, usage, warnings: [], finishReason: { unified: 'stop' } }
const scripted = new MockLanguageModelV4({ doGenerate: answer as never })

const stack = await openStack('assistant', { path: ':memory:' })
const seat = aiSdkSeat(stack, { user: { name: 'ann', isOwner: true } }) // whose stack it is
const model = withMemory(scripted, { stack, seat })
const tools = memoryTools(stack, { seat })
const toolApproval = approveByProvenance(stack)
const rest = { tools, toolApproval, stopWhen: isStepCount(5) }
await generateText({ model, ...rest, prompt: 'I am allergic to peanuts.' })

for (const { text, tier, provenance } of await stack.getRaw()) {
  process.stdout.write(`${provenance.sourceId}, tier ${tier}: ${text}\n`)
}
await stack.close()
