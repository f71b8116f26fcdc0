import { openStack } from 'muniment'
import { StackStore } from 'muniment/langgraph'

const stack = await openStack('assistant', { path: ':memory:' })
const user = { name: 'ann', isOwner: true } // the person whose stack it is
const store = new StackStore(stack, { user }) // graph.compile({ store })

await store.hear({ role: 'user', text: 'I moved to Lisbon.' })
await store.put(['users', 'ann'], 'home', { city: 'Berlin' })
await store.put(['users', 'ann'], 'home', { city: 'Lisbon' })
const [item] = await store.search(['users'], { filter: { city: { $ne: 'Rome' } } })
process.stdout.write(`${item?.key}: ${JSON.stringify(item?.value)}\n`)

const ref = await store.refOf(['users', 'ann'], 'home')
const { memory, turn } = await stack.history.why(ref ?? '')
process.stdout.write(`version ${memory.version} by ${memory.provenance.sourceId}\n`)
process.stdout.write(`said by the person: ${turn?.nearestWords?.text}\n`)
await stack.close()
