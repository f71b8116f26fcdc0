import { Entity, openStack } from 'muniment'

// Each user has a stack, so nothing that one user says can reach another.
async function memoryOf(user: string) {
  const stack = await openStack(user, { path: ':memory:' }) // on a disk: { home: './memories' }
  const bot = new Entity('bot')
  await bot.attachStack(stack)
  return { stack, hear: (words: string) => bot.note(words, { saidBy: user }) }
}

const users = [await memoryOf('ann'), await memoryOf('bob')] as const
await users[0].hear('I am allergic to peanuts')
await users[1].hear('I love peanut butter')

for (const { stack } of users) {
  const found = await stack.search('do I eat peanuts', { limit: 5 })
  const block = await stack.lookup.render(found, { for: 'prompt' }) // fenced, for a system prompt
  const words = block.split('\n').filter((row) => row.startsWith('| '))
  process.stdout.write(`${stack.stackId}: ${words.join(' ')}\n`)
  await stack.close()
}
