import { expect, test } from 'vitest'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { doorsFor, type Who } from './support/doors.ts'

const KEY = `sk-${'a1B2c3D4'.repeat(5)}`
const OTHER = `ghp_${'a1B2c3D4'.repeat(5)}`

interface Told {
  readonly op: string
  readonly ref: string | null
  readonly decision: { readonly facts: { readonly redacted?: number } }
}

const births = (ledger: readonly string[], kind: string): readonly (number | null)[] =>
  ledger
    .map((text) => JSON.parse(text) as Told) // as the ledger has it
    .filter(({ op, ref }) => op === 'memory.saved' && ref?.startsWith(`${kind}:`))
    .map(({ decision }) => decision.facts.redacted ?? null)

test.each(['person', 'model'] as const satisfies readonly Who[])(
  'what is taken out of the words of a %s is told by their entry, at every door',
  async (who) => {
    for (const door of await doorsFor(who)) {
      await door.ask('note', { content: 'Deploys are on Tuesdays' })
      await door.ask('note', { content: `The keys are ${KEY} and ${OTHER}` })
      await door.ask('claim', { subject: 'service', predicate: 'key', value: KEY })
      const ledger = await door.ledger()
      expect(births(ledger, 'note'), door.name).toEqual([null, 2])
      expect(births(ledger, 'claim'), door.name).toEqual([1])
    }
  },
)

test('what a hook takes out of a prompt is told too', async () => {
  const desk = new Desk(scratch())
  const stdin = JSON.stringify({ session_id: 's', prompt: `Use ${KEY}` })
  await desk.call(['hook', 'prompt'], { stdin })
  const { out } = await desk.person(['entries', '--limit', '100', '--json'])
  const { entries } = JSON.parse(out) as { entries: readonly { entry: string }[] } // its output
  expect(
    births(
      entries.map(({ entry }) => entry),
      'raw',
    ),
  ).toEqual([1])
})
