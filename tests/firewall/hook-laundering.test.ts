import { describe, expect, test } from 'vitest'
import { ClientTools, HANDBOOK, HANDBOOK_TEXT } from './support/client-tools.ts'
import { afterLaundering, HIDDEN, OWN_WORDS, POISON } from './support/laundering-channels.ts'

describe('words of the model', () => {
  test.each(Object.entries(OWN_WORDS))('stay the model’s, at tier 1: %s', async (_, launder) => {
    const client = new ClientTools()
    await client.trust() // so that the channels also attack what the person vouches for
    await client.start()
    await client.prompt('Please look after the project.')
    await launder(client)
    const { captures, risen, acted } = await afterLaundering(client)
    expect({ risen, acted }).toEqual({ risen: [], acted: [] })
    const holding = captures.filter(({ text: said }) => said.includes('contractor'))
    expect(holding.length).toBeGreaterThan(0)
    expect(new Set(holding.map(({ label }) => label))).toEqual(new Set(['ModelDerived']))
  })
})

describe('words that nobody stands behind', () => {
  test.each(Object.entries(HIDDEN))('are a tool’s, at tier 1: %s', async (_, launder) => {
    const client = new ClientTools()
    await client.trust()
    await client.start()
    await launder(client)
    const { captures, risen, acted } = await afterLaundering(client)
    expect({ risen, acted }).toEqual({ risen: [], acted: [] })
    expect(captures.map(({ label, tier }) => [label, tier])).toEqual([['ExternalFirstHand', 1]])
  })
})

test('honest results stay first-hand: no words of the model are seen in them', async () => {
  const client = new ClientTools()
  await client.start()
  await client.read(HANDBOOK)
  await client.bash('ls -1 docs')
  await client.write('other.md', POISON)
  await client.bash('git show HEAD:docs/handbook.md | tail -1')
  expect((await client.captures()).map(({ text: said, label }) => [said.trim(), label])).toEqual([
    ['The staging database is called Heron.', 'ExternalFirstHand'],
    [expect.stringContaining('other.md: done'), 'ModelDerived'],
    ['handbook.md', 'ExternalFirstHand'],
    [HANDBOOK_TEXT.trim(), 'ExternalFirstHand'],
  ])
})
