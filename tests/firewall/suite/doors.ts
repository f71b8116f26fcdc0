import { Entity } from '../../../src/agent/entity.ts'
import { openStack } from '../../../src/compose/open-stack.ts'
import { USES, type Use } from '../../../src/domain/doors.ts'
import { KINDS, type Ref } from '../../../src/domain/ids.ts'
import { label } from '../../../src/domain/labels.ts'
import type { Stack } from '../../../src/stack.ts'
import { MemoryStore } from '../../../src/stores/memory/store.ts'
import { Desk } from '../../cli/support/fake-host.ts'
import { scratch } from '../../cli/support/scratch.ts'
import { served } from '../../http/support/server.ts'
import { linkedTo } from '../../mcp/support/linked.ts'
import { unbarred } from '../../support/unbarred.ts'

/** Every kind that a search can name: raw captures are searched too. */
export const SEARCHED = KINDS.filter((kind) => kind !== 'epoch')

export interface Claimed {
  readonly subject: string
  readonly predicate: string
  readonly value: string
}

export interface Quoted {
  readonly quote: string
  readonly of: string
}

export interface Experience {
  readonly objective: string
  readonly outcome: string
}

/** A stack that a model writes and reads through one door, beside the words of a person. */
export interface AgentDoor {
  personNote(text: string): Promise<void>
  /** Returns the ref of a capture of words that the person typed. */
  personWords(text: string): Promise<string>
  personClaim(claim: Claimed): Promise<void>
  note(text: string): Promise<void>
  episode(experience: Experience): Promise<void>
  claim(claim: Claimed, quoted?: Quoted): Promise<void>
  /** Contents of the results, the best first, as the door serves them. */
  search(query: string, use: Use, limit?: number): Promise<readonly string[]>
  /** Contents of working memory; unless given, the budget of tokens leaves room for everything. */
  load(use: Use, budget?: number): Promise<readonly string[]>
  /** The value that the door answers with, or null. */
  ask(line: Omit<Claimed, 'value'>, use: Use): Promise<string | null>
  /** A model that begins a new session. */
  newSession(): Promise<void>
  stack(): Promise<Stack>
}

const STACK = 'default'
const PERSON = 'ann'

/** Results of a search, as the library, HTTP and the command line give them. */
type Results = readonly { readonly content: string }[]

/** An answer of `ask`, of which only the value counts here. */
interface Held {
  readonly value: unknown
}

const text = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null

/** Working memory, as the library, HTTP and the command line give it: shelves of items, and `_meta`. */
const itemsOf = (loaded: object): readonly string[] =>
  Object.values(loaded).flatMap((shelf: unknown) =>
    Array.isArray(shelf) ? (shelf as Results).map(({ content }) => content) : [],
  )

const BUDGET = 50_000

export async function libraryDoor(): Promise<AgentDoor> {
  const stack = await openStack(STACK, { store: new MemoryStore() })
  const agent = new Entity('agent')
  await agent.attachStack(stack)
  let number = 1
  const inSession = () => ({ session: `session ${number}` })
  return {
    personNote: async (words) => void (await agent.note(words, { saidBy: PERSON })),
    personWords: async (words) => (await agent.raw(words, { saidBy: PERSON })).ref,
    personClaim: async ({ subject, predicate, value }) =>
      void (await stack.claims.remember(subject, predicate, value, { actor: PERSON })),
    note: async (words) => void (await agent.note(words, inSession())),
    episode: async (body) => void (await agent.episode({ ...body, ...inSession() })),
    claim: async ({ subject, predicate, value }, quoted) =>
      void (await stack.claims.remember(subject, predicate, value, {
        label: label.modelDerived(),
        actor: 'agent',
        ...inSession(),
        ...(quoted && { quote: quoted.quote, derivedFrom: [quoted.of as Ref] }),
      })),
    search: async (query, use, limit = 10) =>
      (await stack.search(query, { for: use, limit, recordTypes: SEARCHED, ...inSession() })).map(
        ({ content }) => content,
      ),
    load: async (use, budget = BUDGET) =>
      itemsOf(await stack.load({ tokenBudget: budget, for: use, ...inSession() })),
    ask: async (line, use) =>
      text((await stack.claims.ask({ ...line, for: use, ...inSession() })).value),
    newSession: async () => {
      number += 1
    },
    stack: async () => stack,
  }
}

type Items = readonly { readonly text: string }[]

export async function mcpDoor(): Promise<AgentDoor> {
  const store = new MemoryStore()
  const stack = await openStack(STACK, { store })
  const host = new Entity('host')
  await host.attachStack(stack)
  let { client: writer } = await linkedTo(stack)
  const readers = Object.fromEntries(
    await Promise.all(USES.map(async (use) => [use, (await linkedTo(stack, { use })).client])),
  ) as Readonly<Record<Use, typeof writer>> // one for each use
  const call = async <T>(client: typeof writer, name: string, args: object): Promise<T> => {
    const answer = await client.callTool({ name, arguments: { ...args } })
    if (answer.isError) throw new Error(JSON.stringify(answer.content))
    return unbarred(answer.structuredContent) as T // the shape that the tool documents
  }
  return {
    personNote: async (words) => void (await host.note(words, { saidBy: PERSON })),
    personWords: async (words) => (await host.raw(words, { saidBy: PERSON })).ref,
    personClaim: async ({ subject, predicate, value }) =>
      void (await stack.claims.remember(subject, predicate, value, { actor: PERSON })),
    note: (content) => call(writer, 'memory_note', { content }),
    episode: (body) => call(writer, 'memory_episode', body),
    claim: (claim, quoted) =>
      call(writer, 'memory_claim', {
        ...claim,
        ...(quoted && { quote: quoted.quote, derived_from: [quoted.of] }),
      }),
    search: async (query, use, limit = 10) => {
      // A model reads in the session in which it writes, as far as its connection allows.
      const reader = use === 'plan' ? writer : readers[use]
      const given = { query, limit, kinds: SEARCHED, for: use }
      const { results } = await call<{ readonly results: Items }>(reader, 'memory_search', given)
      return results.map(({ text: words }) => words)
    },
    load: async (use, budget = BUDGET) => {
      const given = { token_budget: budget, for: use }
      const reader = use === 'plan' ? writer : readers[use]
      const { items } = await call<{ readonly items: Items }>(reader, 'memory_load', given)
      return items.map(({ text: words }) => words)
    },
    ask: async (line, use) => {
      const reader = use === 'plan' ? writer : readers[use]
      const given = { ...line, for: use }
      const { answers } = await call<{ readonly answers: readonly Held[] }>(
        reader,
        'memory_ask',
        given,
      )
      return text(answers[0]?.value)
    },
    newSession: async () => {
      writer = (await linkedTo(stack)).client
    },
    stack: async () => stack,
  }
}

export async function httpDoor(): Promise<AgentDoor> {
  const site = await served()
  const person = await site.token('person')
  const tokens = Object.fromEntries(
    await Promise.all(
      USES.map(async (use) => [
        use,
        await site.token(`program ${use}`, { labels: ['ModelDerived'], tier: 1, use }),
      ]),
    ),
  ) as Readonly<Record<Use, string>> // one for each use
  await site.ask('/v1/stacks', { token: person, body: { id: STACK } })
  let number = 1
  const call = async <T>(token: string, operation: string, body: object): Promise<T> => {
    const headers = { 'Muniment-Session': `session ${number}`, 'Muniment-Model': 'test-model' }
    const { status, json } = await site.op(operation, body, { token, headers })
    if (status >= 300) throw new Error(`${operation}: ${JSON.stringify(json)}`)
    return json as T // the shape that the operation documents
  }
  return {
    personNote: (content) => call(person, 'note', { content }),
    personWords: async (content) =>
      (await call<{ readonly ref: string }>(person, 'raw', { content })).ref,
    personClaim: (claim) => call(person, 'claim', claim),
    note: (content) => call(tokens.plan, 'note', { content }),
    episode: (body) => call(tokens.plan, 'episode', body),
    claim: (claim, quoted) =>
      call(tokens.plan, 'claim', {
        ...claim,
        ...(quoted && { quote: quoted.quote, derivedFrom: [quoted.of] }),
      }),
    search: async (query, use, limit = 10) =>
      (
        await call<Results>(tokens[use], 'search', {
          query,
          limit,
          for: use,
          recordTypes: SEARCHED,
        })
      ).map(({ content }) => content),
    load: async (use, budget = BUDGET) =>
      itemsOf(await call<object>(tokens[use], 'load', { tokenBudget: budget, for: use })),
    ask: async (line, use) => {
      const answer = await call<Held>(tokens[use], 'ask', { ...line, for: use })
      return text(answer.value)
    },
    newSession: async () => {
      number += 1
    },
    stack: () => site.open(STACK),
  }
}

export async function cliDoor(): Promise<AgentDoor> {
  const desk = new Desk(scratch())
  let number = 1
  const call = async <T>(args: readonly string[]): Promise<T> => {
    const said = await desk.call([...args, '--json', '--session', `session ${number}`])
    if (said.code !== 0) throw new Error(`${args.join(' ')}: ${said.err}`)
    return said.json() as T // the shape that the command documents
  }
  const person = async <T>(args: readonly string[]): Promise<T> => {
    const said = await desk.person([...args, '--json'])
    if (said.code !== 0) throw new Error(`${args.join(' ')}: ${said.err}`)
    return said.json() as T
  }
  const kinds = SEARCHED.flatMap((kind) => ['--record-types', kind])
  return {
    personNote: (words) => person(['note', words]),
    personWords: async (words) =>
      (await person<{ readonly ref: string }>(['memory', 'raw', words])).ref,
    personClaim: ({ subject, predicate, value }) => person(['claim', subject, predicate, value]),
    note: (words) => call(['note', words]),
    episode: ({ objective, outcome }) => call(['memory', 'episode', objective, outcome]),
    claim: ({ subject, predicate, value }, quoted) =>
      call([
        'claim',
        ...[subject, predicate, value],
        ...(quoted ? ['--quote', quoted.quote, '--derived-from', quoted.of] : []),
      ]),
    search: async (query, use, limit = 10) =>
      (
        await call<Results>([
          'search',
          query,
          ...['--for', use, '--limit', String(limit)],
          ...kinds,
        ])
      ).map(({ content }) => content),
    load: async (use, budget = BUDGET) =>
      itemsOf(await call<object>(['agent', 'load', '--budget', String(budget), '--for', use])),
    ask: async ({ subject, predicate }, use) =>
      text((await call<Held>(['ask', subject, predicate, '--for', use])).value),
    newSession: async () => {
      number += 1
    },
    stack: () => openStack(STACK, { store: desk.store(STACK) }),
  }
}

export const DOORS = {
  library: libraryDoor,
  cli: cliDoor,
  mcp: mcpDoor,
  http: httpDoor,
} as const

export type AgentDoorName = keyof typeof DOORS
