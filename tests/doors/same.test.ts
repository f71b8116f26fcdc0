import { describe, expect } from 'vitest'
import { OPERATIONS, type OperationName } from '../../src/operations/operations.ts'
import { holds } from '../support/holds.ts'
import { tellingOf } from './support/as-tool.ts'
import {
  type Door,
  doorsFor,
  type Input,
  type Outcome,
  snakePaths,
  type Who,
} from './support/doors.ts'

interface Step {
  readonly name: OperationName
  readonly input: Input
}

/** The examples of the table are one life, in order; refs in them are made by the one before. */
const LIFE: readonly Step[] = Object.entries(OPERATIONS).map(([name, { example }]) => ({
  name: name as OperationName, // its own key
  input: example,
}))

/** What names the door itself is not the same, and is all that may differ. */
const withoutDoor = (text: string): string =>
  text
    .replaceAll(/"(?:cli|http|mcp):(?:memory_|meta_)?/g, '"door:')
    .replaceAll(/door":"(?:cli|http|mcp)"/g, 'door":"door"')
    .replaceAll(/"inputs":\{(?:[^{}]|\{[^{}]*\})*\}/g, '"inputs":{}') // the grant of a token is told at its door
    .replaceAll(/[0-9a-f]{64}/g, 'hash')
    .replaceAll(/"reIndexed":\d+/g, '"reIndexed":0') // how many vectors this very process lacked

/** Only the command line, which ends with its answer, waits for the check of contradictions. */
const asTold = (value: unknown): unknown =>
  JSON.parse(withoutDoor(JSON.stringify(value ?? null)), (key, member) =>
    key === 'contradicts' ? undefined : member,
  )

/** Signatures, proofs and notes are over bytes that name the door. */
const OVER_BYTES: ReadonlySet<OperationName> = new Set([
  'checkpoint',
  'prove',
  'entries',
  'replay',
  'heads',
  'consistency',
  'certificate',
  'erase',
])

async function live(doors: readonly Door[], steps: readonly Step[]): Promise<void> {
  const made = new Map<string, string>()
  for (const { name, input } of steps) {
    const asked = withRefs(input, made)
    const [first, ...others] = await Promise.all(
      doors.map(async (door) => ({ door, outcome: await door.ask(name, asked) })),
    )
    for (const { door, outcome } of others) {
      expectSame(`${name} by ${door.name}`, name, { first: first?.outcome, outcome, door })
    }
    const ref = first?.outcome.ok ? (first.outcome.value as Input | null)?.ref : undefined
    if (typeof ref === 'string' && !made.has(name)) made.set(name, ref)
  }
}

function expectSame(
  title: string,
  name: OperationName,
  { first, outcome, door }: { first: Outcome | undefined; outcome: Outcome; door: Door },
): void {
  expect(outcome.ok, `${title}: ${JSON.stringify({ first, outcome }).slice(0, 2_000)}`).toBe(
    first?.ok,
  )
  if (!first?.ok || !outcome.ok) {
    expect(codesOf(outcome, door), title).toEqual(codesOf(first, door))
    return
  }
  if (OVER_BYTES.has(name)) return
  const telling = door.name === 'MCP' ? tellingOf(name) : (value: unknown) => value
  const told = door.name === 'MCP' ? outcome.value : telling(outcome.value)
  expect(asTold(told), title).toEqual(asTold(telling(first.value)))
}

/** A model is told of fields where a person sees them from the words. */
const codesOf = (outcome: Outcome | undefined, { name }: Door): unknown => {
  if (outcome?.ok !== false) return outcome
  return { code: outcome.code, fields: name === 'MCP' ? [] : snakePaths(outcome.fields) }
}

const withRefs = (input: Input, made: ReadonlyMap<string, string>): Input =>
  JSON.parse(JSON.stringify(input), (key, value) => {
    const isRef = key === 'ref' || (typeof value === 'string' && /^\d+$/.test(key))
    return isRef ? (made.get(value) ?? value) : value
  })

async function expectSameLedgers(doors: readonly Door[]): Promise<void> {
  const [first, ...others] = await Promise.all(
    doors.map(async (door) => ({
      name: door.name,
      entries: (await door.ledger()).map(withoutDoor),
    })),
  )
  expect(first?.entries.length).toBeGreaterThan(20)
  for (const { name, entries } of others) expect(entries, name).toEqual(first?.entries)
}

describe('the same at every door', () => {
  holds(
    'DOOR-SAME',
    'a person’s whole life, operation by operation, and its ledger',
    async () => {
      const doors = await doorsFor('person')
      expect(doors.map(({ name }) => name)).toEqual(['library', 'command line', 'HTTP'])
      await live(doors, LIFE)
      await expectSameLedgers(doors)
    },
    120_000,
  )

  holds(
    'DOOR-SAME',
    'a model’s, with what is refused to it, over MCP too',
    async () => {
      const doors = await doorsFor('model')
      expect(doors.map(({ name }) => name)).toContain('MCP')
      const steps = LIFE.filter(({ name }) => name !== 'readmit' && name !== 'import')
      await live(doors, steps)
      await expectSameLedgers(doors)
    },
    120_000,
  )

  const REFUSED: readonly (readonly [string, OperationName, Input])[] = [
    ['a belief from nowhere', 'belief', { statement: 'Fridays are fine' }],
    ['no words at all', 'note', { content: '' }],
    ['a field that is none', 'goal', { title: 'x', because: 'y', label: 'UserAsserted' }],
    ['a number for words', 'raw', { content: 7 }],
    ['a ref that is none', 'forget', { ref: 'nothing' }],
    ['a memory that is not there', 'why', { ref: 'raw:01980000-0000-7000-8000-0000000000ff' }],
    ['a limit beyond the page', 'list', { limit: 1_000_000 }],
    [
      'a source that does not exist',
      'episode',
      { objective: 'a', outcome: 'b', derivedFrom: ['raw:01980000-0000-7000-8000-0000000000ff'] },
    ],
    ['a moment that is none', 'diff', { from: 'the day before' }],
  ]

  for (const who of ['person', 'model'] as const satisfies readonly Who[]) {
    holds(
      'DOOR-SAME',
      'the same is refused, by the same code, naming the same fields',
      async () => {
        const doors = await doorsFor(who)
        await live(doors, [{ name: 'note', input: { content: 'so that there is something' } }])
        for (const [title, name, input] of REFUSED) {
          const outcomes = await Promise.all(doors.map((door) => door.ask(name, input)))
          for (const [index, door] of doors.entries()) {
            const where = `${title}, ${who}, ${door.name}`
            expect(outcomes[index]?.ok, where).toBe(false)
            expect(codesOf(outcomes[index], door), where).toEqual(codesOf(outcomes[0], door))
          }
        }
      },
    )
  }
})
