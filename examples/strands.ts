import { MemoryManager, type MemoryStore } from '@strands-agents/sdk'
import { openStack } from 'muniment'
import { MunimentMemoryStore } from 'muniment/strands'

const stack = await openStack('assistant', { path: ':memory:' })
const user = { name: 'ann', isOwner: true } // the person whose stack it is
const store: MemoryStore = new MunimentMemoryStore({ stack, name: 'notes', user })
// In an agent: new Agent({ model, memoryManager: new MemoryManager({ stores: [store] }) })
const manager = new MemoryManager({ stores: [store] })
await store.addMessages?.([{ role: 'user', content: [{ text: 'I live in Berlin.' }] }])
await manager.add('The user lives in Berlin.')

for (const { content, storeName } of await manager.search('Where does the user live?')) {
  process.stdout.write(`${storeName}: ${content}\n`)
}
for (const { text, tier } of await stack.getRaw()) process.stdout.write(`tier ${tier}: ${text}\n`)
await stack.close()
