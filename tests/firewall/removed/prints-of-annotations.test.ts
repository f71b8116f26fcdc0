import { attacksAgainst, POISON, type RemovedWorld } from './world.ts'

// Reasons, wishes and tags beside a memory left prints, so that a model that repeated such words was
// recognised. Now only words of memories leave prints.

/** The model reads what stands beside memories, wherever a tool shows reasons. */
async function readReasons({ mcp, http, said }: RemovedWorld): Promise<void> {
  await mcp('meta_review', {})
  await mcp('meta_why', { ref: said.note })
  await mcp('memory_history', { subject: 'refunds over 900 euros', predicate: 'approved_by' })
  await http('review', {})
  await http('why', { ref: said.claim })
}

/** Another model plants the reason; the reader repeats the reason as memories of its own. */
const planted =
  (plant: (world: RemovedWorld) => Promise<unknown>) =>
  async (world: RemovedWorld): Promise<void> => {
    await plant(world)
    await readReasons(world)
    await world.mcp('memory_note', { content: POISON })
    const claim = { subject: 'refunds over 900 euros', predicate: 'approved_by' }
    await world.http('claim', { ...claim, value: 'the night bot', because: POISON })
  }

const NOTE = ({ said }: RemovedWorld) => ({ ref: said.note, reason: POISON })

attacksAgainst('prints of annotations', {
  'the reason to forget': planted((world) =>
    world.mcp('memory_forget', { memory_id: world.said.note, reason: POISON }, 'plan', 'planter'),
  ),
  'the reason to weaken': planted((world) =>
    world.http('weaken', { ...NOTE(world), amount: 0.5 }, 'planter'),
  ),
  'tags of a description': planted((world) =>
    world.http('describe', { ...NOTE(world), tags: [POISON] }, 'planter'),
  ),
  'the reason to retract a claim': planted(({ http, said }) =>
    http('retract', { ref: said.claim, reason: POISON }, 'planter'),
  ),
  'the reason to end a claim': planted(({ http, said }) =>
    http('end', { ref: said.claim, reason: POISON }, 'planter'),
  ),
  'the reason of a verdict': planted(({ http, said }) =>
    http('adjudicate', { ref: said.claim, verdict: 'deny', reason: POISON }, 'planter'),
  ),
  'the reason to distrust': planted((world) =>
    world.mcp('meta_distrust', { ...NOTE(world), yes: true }, 'plan', 'planter'),
  ),
  'the reason to protect': planted((world) => world.http('protect', NOTE(world), 'planter')),
  'the reason of a belief': planted(async ({ mcp }) => {
    const belief = { statement: 'Refunds are quick these days.', because: POISON }
    await mcp('memory_belief', belief, 'plan', 'planter')
  }),
  'the reason to unlink what is not linked': planted((world) =>
    world.mcp('meta_unlink', NOTE(world), 'plan', 'planter'),
  ),
})
