import { Entity } from '../../../src/agent/entity.ts'
import { openStack } from '../../../src/compose/open-stack.ts'

// A machine with a home of its own: says something, perhaps erases the first note, and syncs once.
const [home = '', remote = '', code = '', deed = ''] = process.argv.slice(2)
const sync = { remote, ...(code === '' ? {} : { code }) }
const stack = await openStack('me', { home, sync, components: [] })
const me = new Entity('agent')
await me.attachStack(stack)
if (deed.startsWith('say ')) await me.note(deed.slice('say '.length))
if (deed === 'say many') for (let at = 0; at < 300; at += 1) await me.note(`many ${at}`)
if (deed === 'trust') {
  await stack.sync()
  for (const { words } of (await stack.replication.status()).peers) {
    await stack.replication.trust(words)
  }
}
if (deed.startsWith('erase ')) {
  const words = deed.slice('erase '.length)
  const found = (await stack.list('note')).find(({ text }) => text === words)
  if (found) await stack.erasure.erase(found.ref, { derived: 'erase' })
}
process.stdout.write('ready\n')
const { pulled, pushed, errors } = await stack.sync()
const notes = (await stack.list('note')).map(({ text }) => text)
const { problems } = await stack.ledger.audit()
process.stdout.write(`${JSON.stringify({ pulled, pushed, errors, notes, problems })}\n`)
await stack.close()
