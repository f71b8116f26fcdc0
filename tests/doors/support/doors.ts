import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import { Entity } from '../../../src/agent/entity.ts'
import { memoryKeyring, memorySigner } from '../../../src/compose/keyring.ts'
import { type OpenOptions, openStack } from '../../../src/compose/open-stack.ts'
import { MunimentError } from '../../../src/domain/errors.ts'
import { isKind } from '../../../src/domain/ids.ts'
import { createToken } from '../../../src/doors/access/tokens.ts'
import { kebab } from '../../../src/doors/cli/spec/names.ts'
import { makeServer } from '../../../src/doors/mcp/server.ts'
import { toolContexts } from '../../../src/doors/mcp/tool-contexts.ts'
import { operate } from '../../../src/operations/operate.ts'
import type { OperationName } from '../../../src/operations/operations.ts'
import { resolveRefs } from '../../../src/operations/refs.ts'
import { snake } from '../../../src/operations/tool.ts'
import { toolsOf } from '../../../src/operations/tools.ts'
import type { Stack } from '../../../src/stack.ts'
import { MemoryStore } from '../../../src/stores/memory/store.ts'
import { fakeWorld } from '../../../src/testing/world.ts'
import { commandWords } from '../../cli/support/command-words.ts'
import { Desk } from '../../cli/support/fake-host.ts'
import { scratch } from '../../cli/support/scratch.ts'
import { served } from '../../http/support/server.ts'
import { unbarred } from '../../support/unbarred.ts'
import { asTool } from './as-tool.ts'

export type Input = Readonly<Record<string, unknown>>
export type Who = 'person' | 'model'

/** What came back: the answer, or the code of the refusal with the fields that it names. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly fields: readonly string[] }

/** A door of which any operation can be asked. */
export interface Door {
  readonly name: string
  readonly ask: (name: OperationName, input: Input) => Promise<Outcome>
  /** The ledger at the end, entry by entry. */
  readonly ledger: () => Promise<readonly string[]>
}

const STACK = 'same'
const MODEL = 'model-of-the-test'

/** One clock, one source of ids and of chance, one key: the same calls give the same bytes. */
function worldOf(): Partial<OpenOptions> & { readonly store: MemoryStore } {
  const { clock, ids, random } = fakeWorld()
  return {
    clock,
    ids,
    random,
    store: new MemoryStore(),
    keyring: memoryKeyring(),
    signer: memorySigner(),
  }
}

const open = (world: OpenOptions): Promise<Stack> => openStack(STACK, world)

const ledgerOf = (world: OpenOptions) => async (): Promise<readonly string[]> => {
  const stack = await open(world)
  const { entries } = await stack.ledger.entries({ limit: 1_000 })
  return entries.map(({ entry }) => entry)
}

const refused = (code: string, issues: readonly { readonly path: string }[]): Outcome => ({
  ok: false,
  code,
  fields: issues.map(({ path }) => path).sort(),
})

async function library(who: Who): Promise<Door> {
  const world = worldOf()
  const stack = await open(world)
  const entity = new Entity('door', { modelId: MODEL })
  const actor = `${STACK}:${who === 'person' ? 'user' : 'model'}`
  return {
    name: 'library',
    ledger: ledgerOf(world),
    ask: async (name, input) => {
      // The host may do anything, so that a model is let in as one where its rights are the question.
      const door = who === 'person' ? 'cli' : 'http'
      const person = who === 'person'
      const caller = {
        door,
        operation: name,
        person,
        grant: null,
        session: null,
        turn: null,
      } as const
      try {
        if (isKind(name)) await entity.attachStack(stack)
        const resolved = await resolveRefs(stack, name, input)
        const value = await operate({ stack, entity, caller, actor, model: MODEL }, name, resolved)
        return { ok: true, value: asJson(value) }
      } catch (error) {
        if (!(error instanceof MunimentError)) throw error
        return refused(error.code, error.issues)
      }
    },
  }
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

async function cli(who: Who): Promise<Door> {
  const { store, ...world } = worldOf()
  const home = scratch()
  const desk = new Desk(home, { ...world, store })
  desk.stores.set(`${home}\n${STACK}`, store)
  const { token } = await createToken(home, { name: 'mine', createdAt: '2026-01-01' })
  const env = { MUNIMENT_MODEL: MODEL, ...(who === 'person' ? { MUNIMENT_TOKEN: token } : {}) }
  return {
    name: 'command line',
    ledger: ledgerOf({ ...world, store }),
    ask: async (name, input) => {
      const args = [
        ...commandWords(name),
        ...inputArgs(name, input, home),
        '--json',
        '--stack',
        STACK,
      ]
      const said = await desk.call(args, { env, stdin: JSON.stringify(input) })
      const value = said.json() as Input
      const error = value?.error as Refusal | undefined // as --json has it
      return error ? refused(error.code, error.issues) : { ok: true, value: shown(name, value) }
    },
  }
}

/** A dump is a file there; everything else may come from stdin. */
function inputArgs(name: OperationName, { dump }: Input, home: string): readonly string[] {
  if (name !== 'import') return ['--input', '-']
  const file = path.join(home, 'dump.json')
  writeFileSync(file, JSON.stringify(dump))
  return [file]
}

interface Refusal {
  readonly code: string
  readonly issues: readonly { readonly path: string }[]
}

/** On a command line a write also says who it was taken for; a dump is the dump itself. */
function shown(name: OperationName, value: Input): unknown {
  if (name === 'dump') return `${JSON.stringify(value, null, 2)}\n`
  const { label: _, labelBecause: __, ...rest } = value
  return Array.isArray(value) ? value : rest
}

async function http(who: Who): Promise<Door> {
  const { store, ...world } = worldOf()
  const server = await served({
    use: 'chat', // as the library and the command line read
    usual: STACK,
    source: {
      open: () => open({ ...world, store }),
      exists: async () => true,
      list: async () => [STACK],
    },
  })
  const token = who === 'person' ? { token: await server.token('mine') } : {}
  return {
    name: 'HTTP',
    ledger: ledgerOf({ ...world, store }),
    ask: async (name, body) => {
      const headers = { 'muniment-model': MODEL }
      const path = `/v1/stacks/${STACK}/${kebab(name)}`
      const said = await server.ask(path, { ...token, headers, body })
      return said.status < 300
        ? { ok: true, value: said.json }
        : refused(said.json.code, said.json.issues)
    },
  }
}

async function mcp(): Promise<Door> {
  const world = worldOf()
  const stack = await open(world)
  const tools = toolsOf('full')
  const connection = { stack, session: null, model: MODEL, grant: null, use: 'chat' } as const
  const parts = { version: '1', tools, onFault: () => {}, underWay: () => {} }
  const server = makeServer({ ...parts, contextFor: toolContexts(connection) })
  const client = new Client({ name: 'same', version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  onTestFinished(() => client.close())
  return {
    name: 'MCP',
    ledger: ledgerOf(world),
    ask: async (name, input) => {
      const tool = asTool(name, input)
      const said = await client.callTool({ name: tool.name, arguments: tool.arguments })
      const error = said._meta?.['muniment/error'] as ToolRefusal | undefined // as ours makes it
      if (error)
        return refused(
          error.code,
          error.fields.map(({ field }) => ({ path: field })),
        )
      return { ok: true, value: tool.told(shownBy(name, said.structuredContent as Input)) } // every tool has one
    },
  }
}

/** What `render` gives is a fenced text itself. */
const shownBy = (name: string, structured: Input): Input =>
  name === 'render' ? structured : unbarred(structured)

interface ToolRefusal {
  readonly code: string
  readonly fields: readonly { readonly field: string }[]
}

export const snakePaths = (fields: readonly string[]): readonly string[] => fields.map(snake).sort()

/** The doors that a person comes through; MCP has none for a person. */
export const doorsFor = (who: Who): Promise<readonly Door[]> =>
  Promise.all([library(who), cli(who), http(who), ...(who === 'model' ? [mcp()] : [])])
