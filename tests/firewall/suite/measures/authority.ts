import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Entity } from '../../../../src/agent/entity.ts'
import { openStack } from '../../../../src/compose/open-stack.ts'
import type { Tier } from '../../../../src/domain/doors.ts'
import type { LabelName } from '../../../../src/domain/labels.ts'
import type { OperationName } from '../../../../src/operations/operations.ts'
import type { Stack } from '../../../../src/stack.ts'
import { MemoryStore } from '../../../../src/stores/memory/store.ts'
import { commandWords } from '../../../cli/support/command-words.ts'
import { Desk } from '../../../cli/support/fake-host.ts'
import { scratch } from '../../../cli/support/scratch.ts'
import { served } from '../../../http/support/server.ts'
import { linkedTo } from '../../../mcp/support/linked.ts'
import { type Figure, figureOf } from '../figure.ts'

/** Memories of the person about one warehouse; a second person contests who keeps the warehouse. */
interface PersonMemories {
  readonly place: string
  readonly note: string
  readonly belief: string
  readonly claim: string
  readonly keeper: string
}

type Input = Readonly<Record<string, unknown>>

const WRONG = '9981'

/** Changes that a caller below tier 3 attempts, as the input of one operation each. */
const ATTEMPTS: Readonly<
  Record<string, readonly [operation: string, input: (person: PersonMemories) => Input]>
> = {
  'forget a note': ['forget', ({ note }) => ({ ref: note })],
  'forget a belief': ['forget', ({ belief }) => ({ ref: belief })],
  'weaken a note': ['weaken', ({ note }) => ({ ref: note, amount: 0.9 })],
  'weaken a belief': ['weaken', ({ belief }) => ({ ref: belief, amount: 0.9 })],
  'call a belief unlikely': ['describe', ({ belief }) => ({ ref: belief, confidence: 0.05 })],
  'retract a claim': ['retract', ({ claim }) => ({ ref: claim })],
  'end a claim': ['end', ({ claim }) => ({ ref: claim })],
  'decide a contest': ['adjudicate', ({ keeper }) => ({ ref: keeper, verdict: 'deny' })],
  'supersede a belief': [
    'supersede',
    ({ belief }) => ({ ref: belief, statement: `It is paid from ${WRONG}.`, because: 'a page' }),
  ],
  'claim another value': [
    'claim',
    ({ place }) => ({ subject: place, predicate: 'account', value: `account ${WRONG}` }),
  ],
  'distrust a note': ['distrust', ({ note }) => ({ ref: note, yes: true })],
}

async function memoriesOf(stack: Stack, place: string): Promise<PersonMemories> {
  const host = new Entity('host')
  await host.attachStack(stack)
  const said = { saidBy: 'owner' }
  const note = await host.note(`The account of the warehouse ${place} is 4410.`, said)
  const because = { derivedFrom: [note.ref], ...said }
  const belief = await host.belief(`Refunds of the warehouse ${place} come from 4410.`, because)
  const claim = await stack.claims.remember(place, 'account', 'account 4410', { actor: 'owner' })
  const keeper = await stack.claims.remember(place, 'keeper', 'Femke', { actor: 'owner' })
  await stack.claims.remember(place, 'keeper', 'Luca', { actor: 'partner' })
  return {
    ...{ place, note: note.ref, belief: belief.ref },
    ...{ claim: String(claim.claimRef), keeper: String(keeper.claimRef) },
  }
}

/** Whatever must stay as the person left it. */
async function stateOf(stack: Stack, { place, note, belief }: PersonMemories): Promise<string> {
  const answers = await Promise.all(
    ['account', 'keeper'].map(async (predicate) => {
      const { standing, value } = await stack.claims.ask({ subject: place, predicate })
      return `${standing} ${value}`
    }),
  )
  const memories = await Promise.all(
    [note, belief].map(async (ref) => {
      const [kind, id = ''] = ref.split(':')
      const memory = await stack.getMemory(kind === 'note' ? 'note' : 'belief', id)
      const { disposition, confidence, strength, tier } = memory ?? {}
      return `${ref.split(':')[0]} ${disposition} ${confidence} ${strength?.toFixed(2)} tier ${tier}`
    }),
  )
  return [...answers, ...memories].join(', ')
}

interface Attempts {
  readonly open: () => Promise<Stack>
  readonly attempt: (operation: string, input: Input) => Promise<unknown>
}

/** The attempts that changed something, each on memories of its own. */
async function changed({ open, attempt }: Attempts): Promise<Figure> {
  const misses: string[] = []
  for (const [at, [name, [operation, input]]] of Object.entries(ATTEMPTS).entries()) {
    const stack = await open()
    const person = await memoriesOf(stack, `Venlo-${at}`)
    const before = await stateOf(stack, person)
    await attempt(operation, input(person))
    const after = await stateOf(await open(), person)
    if (after !== before) misses.push(`${name}: ${before} → ${after}`)
  }
  return figureOf(misses, Object.keys(ATTEMPTS).length)
}

/** The control: attempts that have no effect although a person makes them. */
async function withoutEffect(figure: Promise<Figure>): Promise<Figure> {
  const done = (await figure).misses
  const names = Object.keys(ATTEMPTS)
  return figureOf(
    names.filter((name) => !done.some((miss) => miss.startsWith(`${name}:`))),
    names.length,
  )
}

export async function changedOverHttp(label: LabelName, tier: Tier): Promise<Figure> {
  const site = await served()
  const person = await site.token('person')
  await site.op('note', { content: 'The stack begins here.' }, { token: person })
  const token = tier === 3 ? person : await site.token('program', { labels: [label], tier })
  return changed({
    open: () => site.open(),
    attempt: (operation, input) => site.op(operation, input, { token }),
  })
}

export const personWithoutEffectOverHttp = (): Promise<Figure> =>
  withoutEffect(changedOverHttp('UserAsserted', 3))

export async function changedOverMcp(): Promise<Figure> {
  const stack = await openStack('default', { store: new MemoryStore() })
  const { client } = await linkedTo(stack)
  const known = new Set((await client.listTools()).tools.map(({ name }) => name))
  return changed({
    open: async () => stack,
    attempt: async (operation, { ref, ...input }) => {
      const name = [`memory_${operation}`, `meta_${operation}`].find((each) => known.has(each))
      if (name === undefined) throw new Error(`No tool does ${operation}.`)
      const named = ref === undefined ? {} : { [operation === 'forget' ? 'memory_id' : 'ref']: ref }
      const answer = await client.callTool({ name, arguments: { ...named, ...input } })
      // A call that was not understood attempts nothing.
      if (JSON.stringify(answer).includes('invalid_input')) throw new Error(JSON.stringify(answer))
    },
  })
}

export async function changedAtCommandLine(caller: 'call' | 'person'): Promise<Figure> {
  const desk = new Desk(scratch())
  const file = path.join(desk.home, 'input.json')
  return changed({
    open: () => openStack('default', { store: desk.store('default') }),
    attempt: async (operation, input) => {
      writeFileSync(file, JSON.stringify(input))
      const { code, err } = await desk[caller]([
        ...commandWords(operation as OperationName), // each attempt names an operation
        '--input',
        file,
      ])
      // A call that was not understood attempts nothing.
      if (code === 2) throw new Error(err)
    },
  })
}

export const personWithoutEffectAtCommandLine = (): Promise<Figure> =>
  withoutEffect(changedAtCommandLine('person'))
