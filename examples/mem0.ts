import { openStack } from 'muniment'
import { Memory } from 'muniment/mem0' // instead of 'mem0ai/oss'

const stack = await openStack('assistant', { path: ':memory:' })
const memory = new Memory({ stack, owner: 'ann' }) // with `model`, facts are extracted

const { results } = await memory.add('I live in Berlin.', { userId: 'ann' })
await memory.add('I live in Rome.', { userId: 'bob' })
const [added] = results
if (!added) throw new Error('Nothing was added.')
await memory.update(added.id, 'Ann lives in Berlin.')

const found = await memory.search('Where does Ann live?', { filters: { user_id: 'ann' } })
process.stdout.write(`${found.results.map((each) => each.memory).join(', ')}\n`)
for (const { action, new_value } of await memory.history(added.id)) {
  process.stdout.write(`${action}: ${new_value}\n`)
}
const { turn } = await stack.history.why(`raw:${added.id}`)
const [prompt = ''] = turn?.prompts ?? []
process.stdout.write(`from: ${(await stack.history.why(prompt)).memory.text}\n`)
await stack.close()
