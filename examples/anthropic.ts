import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { openStack } from 'muniment'
import { StackMemoryTool } from 'muniment/anthropic'

const stack = await openStack('assistant', { path: ':memory:' })
const user = { name: 'ann', isOwner: true } // the person whose stack it is
const memory = new StackMemoryTool(stack, { user })
const tool = betaMemoryTool(memory) // client.beta.messages.toolRunner({ tools: [tool], … })

await memory.hear({ role: 'user', text: 'Remember that the launch is on Monday.' })
const path = '/memories/launch.md' // a call as the model makes it:
await tool.run({ command: 'create', path, file_text: 'The launch is on Monday.' })
process.stdout.write(`${await tool.run({ command: 'view', path })}\n`)

for (const { line, by } of await memory.blame(path)) {
  process.stdout.write(`line ${line} by ${by}\n`)
}
const { turn } = await stack.history.why(await memory.refOf(path))
process.stdout.write(`said by the person: ${turn?.nearestWords?.text}\n`)
await stack.close()
