import { label, openStack } from 'muniment'

// Two people give different values; the stack shows both until a person decides.
const stack = await openStack('contest', { path: ':memory:' })
const line = { subject: 'office', predicate: 'city' }
await stack.claims.remember('office', 'city', 'Berlin', { actor: 'ann' })
await stack.claims.remember('office', 'city', 'Paris', { actor: 'bob' })

async function show() {
  const { standing, values } = await stack.claims.ask(line)
  const sides = values.map(({ value, claims }) => `${value} (${claims[0]?.actor})`)
  process.stdout.write(`${standing}: ${sides.join(', ')}\n`)
}

await show()
const carol = { actor: 'carol', label: label.userAsserted() }
await stack.claims.adjudicate(line, { verdict: 'affirm', reason: 'the lease says so', ...carol })
await show()
await stack.close()
