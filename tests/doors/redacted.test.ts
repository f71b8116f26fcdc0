import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/operations/operations.ts'
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

/** Every field of a claim that is words, each with a key in it, and how many there are. */
const CLAIM = {
  subject: `service ${KEY}`,
  predicate: `key ${KEY}`,
  value: { is: KEY, [KEY]: 'a name in it', all: [KEY, { deep: `in ${KEY}` }] },
  context: `project ${KEY}`,
  contextTags: [`tag ${KEY}`],
  tags: [`tag ${KEY}`],
  subjectIds: [`person ${KEY}`],
  because: `It was said that ${KEY}`,
  source: `a page with ${KEY}`,
  document: `notes ${KEY}`,
} as const

test.each(['person', 'model'] as const satisfies readonly Who[])(
  'no field of a claim of a %s keeps a key, at any door',
  async (who) => {
    const words = Object.keys(OPERATIONS.claim.input.shape).filter((name) => !UNSAID.has(name))
    expect(words.toSorted()).toEqual(Object.keys(CLAIM).toSorted())
    let taken = 0
    for (const door of await doorsFor(who)) {
      const kept = await door.ask('claim', CLAIM)
      if (!kept.ok) continue // a tool takes fewer fields than the operation, and names the others
      taken += 1
      const { ref } = kept.value as { ref: string } // what a write answers with
      expect(births(await door.ledger(), 'claim'), door.name).toEqual([13])
      const all = JSON.stringify([await door.ask('show', { ref }), await door.ask('why', { ref })])
      expect(all, door.name).toContain('[redacted:')
      expect(all, door.name).not.toContain(KEY)
    }
    expect(taken).toBeGreaterThanOrEqual(3)
  },
)

/** Numbers, dates, choices, names of memories, and words that must be found in what is kept. */
const UNSAID: ReadonlySet<string> = new Set([
  ...['cardinality', 'criticality', 'holds', 'confidence', 'sourceType', 'epochId', 'quote'],
  ...['validTime', 'validFrom', 'validUntil', 'eventTime', 'derivedFrom', 'evidence'],
])

test('what a hook takes out of a prompt is told too', async () => {
  const desk = new Desk(scratch())
  const stdin = JSON.stringify({ session_id: 's', prompt: `Use ${KEY}` })
  await desk.call(['hook', 'prompt'], { stdin })
  const { out } = await desk.person(['ledger', 'entries', '--limit', '100', '--json'])
  const { entries } = JSON.parse(out) as { entries: readonly { entry: string }[] } // its output
  expect(
    births(
      entries.map(({ entry }) => entry),
      'raw',
    ),
  ).toEqual([1])
})
