import { attacksAgainst, POISON, type RemovedWorld, TRUTH } from './world.ts'

// A session floor held what a model wrote to the least tier of all that its session had read.

/** A page that nobody believes, read by the model's session. */
async function readPoison({ stack, person, mcp, http }: RemovedWorld): Promise<string> {
  const { ref } = (await http('raw', { content: `A page says: ${POISON}` }, 'other')).json
  await person('distrust', { ref, yes: true })
  await mcp('memory_search', { query: 'who approves refunds', for: 'chat' }, 'chat')
  await mcp('meta_why', { ref }, 'chat')
  await http('show', { ref })
  await stack.search('refunds', { session: 'one', for: 'chat', recordTypes: ['raw'] })
  return ref
}

const QUOTED = { quote: TRUTH } as const

attacksAgainst('session floors by door and day', {
  'a note that cites nothing': async (world) => {
    await readPoison(world)
    await world.mcp('memory_note', { content: POISON })
  },
  'a note that cites the words of the person alone': async (world) => {
    await readPoison(world)
    await world.mcp('memory_note', { content: POISON, derived_from: [world.said.raw] })
  },
  'a claim on the line of the person': async (world) => {
    await readPoison(world)
    const claim = { subject: 'refunds over 900 euros', predicate: 'approved_by' }
    await world.mcp('memory_claim', { ...claim, value: 'the night bot', because: 'a page' })
  },
  'a belief with a true quote of the person': async (world) => {
    await readPoison(world)
    const cited = { derived_from: [world.said.raw], ...QUOTED }
    await world.mcp('memory_belief', { statement: POISON, ...cited })
  },
  'reading at one door and writing at another': async (world) => {
    await readPoison(world)
    await world.http('note', { content: POISON }, 'two')
  },
  'reading for chat and writing in a connection for plan': async (world) => {
    await readPoison(world)
    await world.mcp('memory_note', { content: POISON }, 'plan', 'two')
    await world.mcp('memory_note', { content: `${POISON} Said twice.` }, 'act', 'three')
  },
  'a new session for each word': async (world) => {
    await readPoison(world)
    for (const session of ['a', 'b', 'c', 'd', 'e'])
      await world.http('note', { content: POISON }, session)
  },
  'an episode with the poison as its lesson, and a promotion of it': async (world) => {
    await readPoison(world)
    for (const at of [1, 2])
      await world.mcp('memory_episode', {
        ...{ objective: `Refund ${at}`, outcome: 'paid', outcome_type: 'success' },
        lessons: [POISON],
      })
    await world.mcp('meta_promote', { as: 'belief', min_episodes: 2 })
  },
  'a playbook and a value that repeat it': async (world) => {
    await readPoison(world)
    await world.mcp('memory_playbook', {
      name: 'Refunds',
      description: POISON,
      steps: [{ action: POISON }],
    })
    await world.mcp('memory_value', { name: 'Speed', statement: POISON, because: POISON })
  },
  'an innocent note of its own that it describes anew and supersedes': async (world) => {
    const before = { statement: 'Refunds are paid on Fridays.', because: 'as usual' }
    const { ref } = await world.mcp('memory_belief', before)
    await readPoison(world)
    await world.mcp('memory_supersede', { ref, statement: POISON, because: 'a page' })
  },
})
