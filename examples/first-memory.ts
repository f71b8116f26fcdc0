import { Entity, openStack } from 'muniment'

// An agent keeps what it saw, draws a conclusion, and is asked for the reason.
const stack = await openStack('first', { path: ':memory:' })
const agent = new Entity('deployer', { modelId: 'my-model' })
await agent.attachStack(stack)

const log = await agent.raw('Deploy failed: migration 12 locked the table')
const note = await agent.note('Migration 12 locks the table', { derivedFrom: [log.ref] })
const belief = await agent.belief('Migrations go before the deploy', { derivedFrom: [note.ref] })

const { lineage } = await stack.history.why(belief.ref)
for (const { memory } of lineage) {
  process.stdout.write(`${memory.kind}, tier ${memory.tier}: ${memory.text}\n`)
}

await agent.belief('Fridays are fine').catch((error: Error) => {
  process.stdout.write(`refused: ${error.message}\n`)
})
await stack.close()
