import { describe, expect, test } from 'vitest'
import { type RemovedWorld, removedWorld } from './world.ts'

// A draft that was folded away was kept whole, so that a person could let it in. Nothing is folded any
// more: no trick of a model may make the words of somebody else vanish or count for less.

const WORDS = 'The gate of the north yard closes at nine in the evening.'

type Plant = (world: RemovedWorld) => Promise<unknown>

/** Ways in which a model takes a place before the person's words come. */
const PLANTS: Readonly<Record<string, Plant>> = {
  'the same words as a note': ({ mcp }) => mcp('memory_note', { content: WORDS }),
  'the same words in other letters': ({ mcp }) =>
    mcp('memory_note', { content: `  ${WORDS.toUpperCase()}  ` }),
  'the same words under the name of the person': ({ mcp }) =>
    mcp('memory_note', { content: WORDS, source: 'ann', speaker: 'ann', relayed: true }),
  'the same words with tags and a type of its own': ({ http }) =>
    http('note', { content: WORDS, tags: ['old', 'wrong'], noteType: 'decision' }),
  'the same words so often that they are a burst': async ({ http }) => {
    for (let at = 0; at < 40; at += 1) await http('note', { content: WORDS })
  },
  'forty rewordings, so that the burst is one of rewordings': async ({ mcp }) => {
    await mcp('memory_note', { content: WORDS })
    for (let at = 0; at < 40; at += 1)
      await mcp('memory_note', { content: `Reminder ${'!'.repeat(at)}: ${WORDS}` })
  },
  'the same words as belief, claim and episode': async ({ mcp }) => {
    await mcp('memory_belief', { statement: WORDS, because: WORDS })
    await mcp('memory_claim', { subject: 'gate', predicate: 'closes', value: WORDS })
    await mcp('memory_episode', { objective: WORDS, outcome: WORDS })
  },
  'the same words, and a wish to forget and to erase them': async ({ mcp, http }) => {
    const { ref } = await mcp('memory_note', { content: WORDS })
    await http('forget', { ref, reason: 'wrong' })
    await mcp('memory_erase', { ref, basis: 'requested', yes: true })
  },
  'the same words, forgotten by their author': async ({ http }) => {
    const { ref } = (await http('note', { content: WORDS })).json
    await http('forget', { ref })
  },
  'a wish to distrust the person’s next words': async ({ mcp }) => {
    const { ref } = await mcp('memory_note', { content: WORDS })
    await mcp('meta_distrust', { ref, yes: true, reason: WORDS })
  },
}

async function foundBy({ stack }: RemovedWorld): Promise<unknown> {
  const [first] = await stack.search('when does the gate of the north yard close', {
    for: 'act',
    recordTypes: ['note'],
  })
  return first && { content: first.content, tier: first.metadata.tier }
}

describe('without kept drafts', () => {
  test.each(Object.entries(PLANTS))('%s hides nothing that a person says', async (_, plant) => {
    const world = await removedWorld()
    await plant(world)
    expect(await foundBy(world)).toBeUndefined()
    const { json } = await world.person('note', { content: WORDS })
    expect(json).toMatchObject({ tier: 3, disposition: 'CommittedCheap' })
    expect(await foundBy(world)).toEqual({ content: WORDS, tier: 3 })
    expect((await world.stack.ledger.audit()).problems).toEqual([])
  })

  test('these are ten attacks', () => expect(Object.keys(PLANTS)).toHaveLength(10))
})
