import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { kebab } from '../../src/doors/cli/spec/names.ts'
import type { OperationName } from '../../src/operations/operations.ts'
import { MemoryReceipts } from '../../src/stores/memory/receipts.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { commandWords } from '../cli/support/command-words.ts'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { served } from '../http/support/server.ts'
import { holds } from '../support/holds.ts'
import { lostOf, plant } from './support/planted.ts'
import { GIVING, inputsFor, READS } from './support/reads.ts'

const STACK = 'default'

/** What one opening of the stack closes, the others still have. */
class KeptReceipts extends MemoryReceipts {
  override async close(): Promise<void> {}
}

async function worldOf() {
  const [store, receipts] = [new MemoryStore(), new KeptReceipts()]
  const open = () => openStack(STACK, { store, receipts })
  const stack = await open()
  return { store, receipts, open, stack, planted: await plant(stack) }
}

type World = Awaited<ReturnType<typeof worldOf>>

interface Place {
  /** Asks in the session that is named; what came back, to the letter. */
  readonly ask: (name: OperationName, input: object, session: string) => Promise<string>
  readonly door: string
  readonly person?: boolean
}

/** Asks everything that reads for every memory: what is told and leaves nothing behind. */
async function swept(world: World, { ask, door }: Place) {
  const gave = new Set<OperationName>()
  const lost: string[] = []
  for (const name of READS) {
    for (const [turn, input] of inputsFor(name, world.planted).entries()) {
      const session = `${name} ${turn}`
      const given = { text: await ask(name, input, session), asked: JSON.stringify(input), session }
      const found = await lostOf(world, given)
      if (found.hasGiven) gave.add(name)
      lost.push(...found.lost.map((what) => `${name} ${given.asked}: ${what}`))
    }
  }
  // What was written has a print too, which is no answer of a door.
  const answered = (await world.receipts.all()).filter(
    ({ receipt }) => receipt.operation !== 'write',
  )
  const doors = new Set(answered.map(({ receipt }) => receipt.door))
  expect([...doors]).toEqual([door])
  return { lost, withoutWords: GIVING.filter((name) => !gave.has(name)) }
}

const AGENT = { CLAUDECODE: '1' }

function deskOf({ store, receipts }: World): Desk {
  const desk = new Desk(scratch(), { receipts, store })
  desk.stores.set(`${desk.home}\n${STACK}`, store)
  return desk
}

async function inShell(...flags: readonly string[]) {
  const world = await worldOf()
  const desk = deskOf(world)
  return swept(world, {
    door: 'cli',
    ask: async (name, input, session) => {
      const args = [...commandWords(name), '--input', '-', '--session', session, ...flags]
      const { out, err } = await desk.person(args, { env: AGENT, stdin: JSON.stringify(input) })
      return `${out}${err}`
    },
  })
}

async function overHttp({ open }: World) {
  return served({
    use: 'chat', // every word is to be looked at
    source: { open, exists: async () => true, list: async () => [STACK] },
  })
}

describe('nothing that reads gives a word out without a receipt and a print of it', () => {
  holds('READ-RECEIPT', 'over HTTP, where a model names its session', async () => {
    const world = await worldOf()
    const server = await overHttp(world)
    const { lost, withoutWords } = await swept(world, {
      door: 'http',
      ask: async (name, body, session) =>
        (await server.op(kebab(name), body, { headers: { 'muniment-session': session } })).text,
    })
    expect(lost).toEqual([])
    expect(withoutWords).toEqual([])
  })

  holds('READ-RECEIPT', 'in the explorer, which reads by GET as a person', async () => {
    const world = await worldOf()
    const server = await overHttp(world)
    const launch = { body: { token: server.serving.door.launchToken() } }
    const { token } = (await server.ask('/v1/session', launch)).json
    const { lost, withoutWords } = await swept(world, {
      door: 'explorer',
      person: true,
      ask: async (name, input, session) => {
        const query = new URLSearchParams(input as Record<string, string>) // each is read as its field is
        const path = `/v1/stacks/${STACK}/${kebab(name)}?${query}`
        return (await server.ask(path, { token, headers: { 'muniment-session': session } })).text
      },
    })
    expect(lost).toEqual([])
    expect(withoutWords).toEqual([])
  })

  holds('READ-RECEIPT', 'in a shell that an agent opened, as JSON', async () => {
    const { lost, withoutWords } = await inShell('--json')
    expect(lost).toEqual([])
    expect(withoutWords).toEqual([])
  })

  holds('READ-RECEIPT', 'in a shell that an agent opened, as it is shown', async () => {
    const { lost, withoutWords } = await inShell()
    expect(lost).toEqual([])
    expect(withoutWords).toEqual([])
  })

  holds('READ-RECEIPT', 'nor does a file that such a shell has written', async () => {
    const world = await worldOf()
    const desk = deskOf(world)
    for (const file of ['memories.md', 'memories.json']) {
      const to = path.join(desk.home, file)
      const { code } = await desk.person(['stack', 'export', to, '--session', file], { env: AGENT })
      expect(code).toBe(0)
      const given = { text: readFileSync(to, 'utf8'), asked: '', session: file }
      expect(await lostOf(world, given)).toEqual({ lost: [], hasGiven: true })
    }
  })
})
