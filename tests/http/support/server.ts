import { onTestFinished } from 'vitest'
import { openStack } from '../../../src/compose/open-stack.ts'
import { redacted } from '../../../src/domain/words/secrets.ts'
import { createToken, type TokenScope } from '../../../src/doors/access/tokens.ts'
import type { AppParts } from '../../../src/doors/http/app.ts'
import { listen, type Serving } from '../../../src/doors/http/serve.ts'
import { parseJson } from '../../../src/ledger/parse-json.ts'
import type { Stack } from '../../../src/stack.ts'
import { MemoryStore } from '../../../src/stores/memory/store.ts'
import { scratch } from '../../cli/support/scratch.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Whatever an operation answers with; each test says what it expects of it. */
  readonly json: ReturnType<typeof JSON.parse>
}

export interface Ask {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly body?: unknown
}

/** A server in this process on stores in memory, asked over a real socket. */
export class TestServer {
  readonly home: string
  readonly stores: Map<string, MemoryStore>
  readonly logged: string[]
  readonly serving: Serving

  constructor(home: string, parts: Pick<TestServer, 'stores' | 'logged' | 'serving'>) {
    this.home = home
    this.stores = parts.stores
    this.logged = parts.logged
    this.serving = parts.serving
  }

  get url(): string {
    return this.serving.url
  }

  /** Another opening of a stack that is served. */
  open(stackId = 'default'): Promise<Stack> {
    return openStack(stackId, { store: storeOf(this.stores, stackId) })
  }

  async token(name: string, scope: Partial<TokenScope> = {}): Promise<string> {
    const createdAt = new Date().toISOString()
    return (await createToken(this.home, { name, createdAt, ...scope })).token
  }

  async ask(path: string, { token, headers = {}, method, body }: Ask = {}): Promise<Answer> {
    const isJson = body !== undefined && typeof body !== 'string'
    const response = await fetch(`${this.url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : String(body) }),
    })
    const text = await response.text()
    const isOurs = response.headers.get('content-type')?.includes('json') ?? false
    const json: unknown = isOurs ? JSON.parse(text) : null
    return { status: response.status, headers: response.headers, text, json }
  }

  /** An operation on the usual stack. */
  op(name: string, body: unknown = {}, more: Ask = {}): Promise<Answer> {
    return this.ask(`/v1/stacks/default/${name}`, { ...more, body })
  }
}

function storeOf(stores: Map<string, MemoryStore>, stackId: string): MemoryStore {
  const store = stores.get(stackId) ?? new MemoryStore()
  stores.set(stackId, store)
  return store
}

export async function served(parts: Partial<AppParts> = {}): Promise<TestServer> {
  const home = scratch()
  const stores = new Map<string, MemoryStore>()
  const logged: string[] = []
  const serving = await listen({
    home,
    host: '127.0.0.1',
    port: 0,
    version: '9.9.9',
    source: {
      open: (stackId) => openStack(stackId, { store: storeOf(stores, stackId) }),
      exists: async (stackId) => stores.has(stackId),
      list: async () => [...stores.keys()],
    },
    only: null,
    usual: 'default',
    guard: { names: [], isLoopback: true },
    allowsAnyone: true,
    rate: { perSecond: 10_000, burst: 10_000 },
    answerMs: 60_000,
    explorer: `${home}/explorer`,
    now: () => Date.now(),
    parseJson,
    redact: redacted,
    log: { error: (line) => void logged.push(line), info: () => undefined, debug: () => undefined },
    ...parts,
  })
  onTestFinished(() => serving.stop())
  return new TestServer(home, { stores, logged, serving })
}
