import { openStack } from './built.ts'

// A process that does nothing but look at the chain once: what a person waits for who types `audit`.
const [home = ''] = process.argv.slice(2)
const stack = await openStack('bench', { home })
const start = process.cpuUsage()
const { ok, entries } = await stack.ledger.audit({ only: 'chain' })
const { user, system } = process.cpuUsage(start)
await stack.close()
console.log(JSON.stringify({ ok, entries, cpu: (user + system) / 1e6 }))
