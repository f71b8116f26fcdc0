import { writeFileSync } from 'node:fs'
import { memorySigner } from '../../../src/compose/keyring.ts'
import { type OpenOptions, openStack } from '../../../src/compose/open-stack.ts'
import { linesOfFile, restoreStack } from '../../../src/compose/restore-stack.ts'
import { syncCode } from '../../../src/compose/sync/sync-ports.ts'
import { parseStackId } from '../../../src/domain/ids.ts'
import type { Env, Host } from '../../../src/doors/cli/host.ts'
import { run } from '../../../src/doors/cli/program.ts'
import { parseJson } from '../../../src/ledger/parse-json.ts'
import { MemoryReceipts } from '../../../src/stores/memory/receipts.ts'
import { MemoryStore } from '../../../src/stores/memory/store.ts'
import { memoryScene } from './memory-scene.ts'

export interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
  /** What --json printed; fails when stdout is not exactly one JSON value. */
  readonly json: () => unknown
}

export interface CallOptions {
  readonly env?: Env
  readonly stdin?: string | Uint8Array
  /** Which of the three are a terminal; a person's terminal has all of them. */
  readonly terminal?: {
    readonly stdin?: boolean
    readonly stdout?: boolean
    readonly stderr?: boolean
  }
  readonly columns?: number
  /** The folder it is called in; the home unless given. */
  readonly folder?: string
}

export const AT_TERMINAL = { stdin: true, stdout: true, stderr: true } as const

/** Receipts that outlive a call, as the file beside a stack does. */
class CallReceipts extends MemoryReceipts {
  override async close(): Promise<void> {}
}

/** The program without its process: streams, clock and stores are the test's own. */
export class Desk {
  readonly home: string
  readonly stores = new Map<string, MemoryStore>()
  readonly #receipts = new Map<MemoryStore, CallReceipts>()
  /** What the program would say if somebody stopped it. */
  lastWords: () => string = () => ''
  readonly #world: Partial<OpenOptions>
  readonly #signer = memorySigner() // a home keeps one key
  #ahead = 0

  /** In a world of its own, or in one that is given. */
  constructor(home: string, world: Partial<OpenOptions> = {}) {
    this.home = home
    this.#world = world
  }

  later(ms: number): void {
    this.#ahead += ms
  }

  store(stackId: string, home = this.home): MemoryStore {
    const key = `${home}\n${stackId}`
    const store = this.stores.get(key) ?? new MemoryStore()
    this.stores.set(key, store)
    return store
  }

  #receiptsOf(store: MemoryStore): CallReceipts {
    const receipts = this.#receipts.get(store) ?? new CallReceipts()
    this.#receipts.set(store, receipts)
    return receipts
  }

  readonly now = (): number => Date.now() + this.#ahead

  async call(args: readonly string[], options: CallOptions = {}): Promise<Said> {
    let out = ''
    let err = ''
    const host = this.#host(args, options, {
      out: (text) => {
        out += text
      },
      err: (text) => {
        err += text
      },
    })
    const code = await run(host)
    return { code, out, err, json: () => JSON.parse(out) }
  }

  /** As a person at a terminal, without colour so that texts can be compared. */
  person(args: readonly string[], options: CallOptions = {}): Promise<Said> {
    return this.call(args, {
      terminal: AT_TERMINAL,
      ...options,
      env: { NO_COLOR: '1', ...options.env },
    })
  }

  #host(
    args: readonly string[],
    { env = {}, stdin = '', terminal = {}, columns, folder = this.home }: CallOptions,
    write: { readonly out: (text: string) => void; readonly err: (text: string) => void },
  ): Host {
    return {
      args,
      env: { MUNIMENT_HOME: this.home, ...env },
      stdin: {
        isTerminal: terminal.stdin ?? false,
        terminalName: () => (terminal.stdin ? 'pts/3' : null),
        read: async () => (typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin),
        line: async () => (typeof stdin === 'string' ? (stdin.split('\n')[0] ?? '') : ''),
      },
      stdout: { isTerminal: terminal.stdout ?? false, columns, write: write.out },
      stderr: { isTerminal: terminal.stderr ?? false, columns, write: write.err },
      defaultHome: () => this.home,
      userFolder: () => env.HOME ?? this.home,
      folder,
      nodeVersion: 'v24.0.0',
      version: () => '9.9.9',
      now: this.now,
      stacks: {
        open: (stackId, { home }, { sync } = {}) => {
          const store = this.store(stackId, home)
          return openStack(stackId, {
            ...{ store, receipts: this.#receiptsOf(store) },
            clock: { now: this.now },
            ...(sync === undefined ? {} : { sync, home, signer: this.#signer }),
            ...this.#world,
          })
        },
        exists: async (stackId, { home }) =>
          this.store(stackId, home).rows(parseStackId(stackId)).tip.head.seq >= 0,
        list: async ({ home }) =>
          [...this.stores.keys()].flatMap((key) => {
            const [at, stackId = ''] = key.split('\n')
            return at === home ? [stackId] : []
          }),
        backup: async (_, { to }) => writeFileSync(to, 'a copy'),
        check: async () => [],
        vacuum: async () => ({ before: 2_000, after: 1_000 }),
        restore: (stackId, { home, from, onProgress }) =>
          restoreStack(stackId, {
            store: this.store(stackId, home),
            ...{ from, onProgress },
            clock: { now: this.now },
          }),
        bundleLines: async (from) => linesOfFile(from),
        move: () => Promise.reject(new Error('There is one store here.')),
        migrate: () => Promise.reject(new Error('There is no database here.')),
        syncCode: async (stackId, { home }) =>
          syncCode({ stackId: parseStackId(stackId), home: () => home }),
      },
      jsonParser: async () => parseJson,
      scene: async () => memoryScene(),
      onInterrupt: (lastWords) => {
        this.lastWords = lastWords
        return () => {}
      },
    }
  }
}
