import { describe, expect, test } from 'vitest'
import { removedWorld } from './world.ts'

// A draft taken for an echo by mistake could be overruled one draft at a time. Now a wrong link is
// removed by a person; so a model may neither hide an honest note behind its own words nor keep a link.

/** Words of a poisoner that the honest agent read, and what the honest agent then found out. */
const PAIRS: readonly (readonly [name: string, poison: string, honest: string])[] = [
  [
    'the opposite, in another order',
    'The valve of tank four opens when the pressure rises.',
    'When the pressure rises, tank four keeps its valve closed.',
  ],
  [
    'buyer and seller exchanged',
    'Northwind buys the old turbines from Contoso this spring.',
    'This spring Contoso buys the old turbines from Northwind.',
  ],
  [
    'before instead of after',
    'The backup runs after the migration on Sunday night.',
    'On Sunday night the backup runs before the migration.',
  ],
  [
    'allowed instead of forbidden',
    'Visitors are allowed to take photos in hall two.',
    'In hall two, taking photos is forbidden for visitors.',
  ],
  [
    'another unit',
    'The crate for the museum weighs ninety pounds empty.',
    'Empty, the crate for the museum weighs ninety kilograms.',
  ],
  [
    'most instead of all',
    'All invoices of the spring campaign were paid in time.',
    'In time, most invoices of the spring campaign were paid.',
  ],
  [
    'a condition added',
    'The night shift may restart the billing server.',
    'The billing server may be restarted by the night shift if Ines agrees.',
  ],
  [
    'cheaper instead of dearer',
    'Shipping by rail is cheaper than shipping by road this year.',
    'This year shipping by rail is dearer than shipping by road.',
  ],
  [
    'past instead of present',
    'The lab in Ghent stores the blood samples.',
    'Blood samples used to be stored by the lab in Ghent.',
  ],
  [
    'a doubt instead of certainty',
    'The leak in cellar three comes from the boiler.',
    'The boiler may or may not be where the leak in cellar three comes from.',
  ],
]

describe('without overruling', () => {
  test.each(PAIRS)('%s: the honest note has a place of its own', async (_, poison, honest) => {
    const { stack, mcp } = await removedWorld()
    await mcp('memory_note', { content: poison })
    await mcp('memory_search', { query: poison })
    const { ref } = await mcp('memory_note', { content: honest })
    const shown = async () =>
      (await stack.search(honest, { for: 'plan', recordTypes: ['note'] })).map(
        ({ content }) => content,
      )
    expect(await shown()).toEqual(expect.arrayContaining([honest, poison]))
    const { notes } = await stack.load({ tokenBudget: 5_000, for: 'plan' })
    expect(notes.map(({ content }) => content)).toContain(honest)
    expect((await stack.getMemory('note', String(ref).slice(5)))?.tier).toBe(1)
  })

  test('these are ten attacks', () => expect(PAIRS).toHaveLength(10))
})
