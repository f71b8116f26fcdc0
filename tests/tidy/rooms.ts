/**
 * The architecture, as data. Every file of src stands in one room: the room with the longest path that
 * begins the path of the file. A room imports itself, the rooms listed here, and the outside modules
 * listed here, and nothing else.
 */
export interface Room {
  /** The purpose of the room in a few words, as the picture in docs/architecture.md shows it. */
  readonly owns: string
  /** Rooms it may import; `engine/*` stands for all rooms below `engine`. */
  readonly rooms: readonly string[]
  /** Rooms it may import for their types only: nothing of them is left in its compiled code. */
  readonly types?: readonly string[]
  /** Packages, and `node:*` for the platform. */
  readonly outside?: readonly string[]
  /** Never touches a clock, chance, the environment or the platform. */
  readonly pure?: true
}

const BELOW_ENGINE = [
  'domain',
  'ledger',
  'fold',
  'gate',
  'recall',
  'recall/embed',
  'ports',
  'sync',
] as const
const ENGINE = ['engine', 'engine/*'] as const
const ALL_BUT_DOORS = [
  ...BELOW_ENGINE,
  'ledger/verify',
  ...ENGINE,
  'facade',
  'components',
  'agent',
  'adopt',
  'stores',
  'stores/*',
  'operations',
  'adapters',
  'compose',
  'testing',
] as const

export const ROOMS: Readonly<Record<string, Room>> = {
  domain: {
    owns: 'words: types, parsers, kinds, policy, limits, errors',
    rooms: [],
    outside: ['zod'],
    pure: true,
  },
  ledger: {
    owns: 'canonical bytes, hashes, entries, the Merkle tree, bundles',
    rooms: ['domain'],
    pure: true,
  },
  'ledger/verify': {
    owns: 'checks receipts, heads, certificates and bundles anywhere (muniment/verify)',
    rooms: ['ledger'],
    types: ['domain'],
    outside: ['@noble/ed25519', '@noble/hashes/sha2.js'],
    pure: true,
  },
  fold: {
    owns: 'entries → state: memory, stack, timeline, decay, lineage',
    rooms: ['domain'],
    pure: true,
  },
  gate: {
    owns: 'stamp → needs → decide → plan; rules/ holds one file a rule',
    rooms: ['domain', 'ledger', 'fold'],
    pure: true,
  },
  ports: {
    owns: 'what is injected: store, clock, ids, signer, embedder, model, oracle',
    rooms: ['domain'],
    pure: true,
  },
  sync: {
    owns: 'feeds of replicas: segments, signed heads, words of a key',
    rooms: ['domain', 'ledger', 'ports'],
    pure: true,
  },
  recall: {
    owns: 'question, signals, fusion, times, contradictions, packing',
    rooms: ['domain', 'fold'],
    pure: true,
  },
  'recall/embed': {
    owns: 'word vectors → text vectors, the exact scan, embedders',
    rooms: ['domain', 'ports'],
    pure: true,
  },
  engine: {
    owns: 'the context of a stack that all use cases share',
    rooms: [...BELOW_ENGINE, 'engine/*'],
  },
  'engine/write': {
    owns: 'a draft on its way in: parse, submit, gather, decide, commit, notify',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/read': {
    owns: 'views of memories, lists, working memory, receipts, uses',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/search': {
    owns: 'search, ranking, meaning, explain and why-not',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/claims': {
    owns: 'claims, answers, timelines, verdicts, contradictions',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/change': {
    owns: 'changes of a memory after its birth',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/review': {
    owns: 'the queue that waits for a person: proposals, suggestions',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/history': {
    owns: 'why, trace, impact, diff, histories',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/audit': {
    owns: 'recomputes the whole ledger; replays single decisions',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/proofs': {
    owns: 'signed heads, receipts, ledger pages, rebuilding rows',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/erase': {
    owns: 'erasure: plan, entries, cleaning files, certificate',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/distrust': {
    owns: 'distrusted origins, trust assessments, what-if',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/transfer': {
    owns: 'bundles, exports, imports, dumps',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/sync': {
    owns: 'push, pull, verification of feeds, trust in replicas',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/components': {
    owns: 'the registry of components and what they are given',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  'engine/processing': {
    owns: 'captures → suggestions: prompts, rules, budgets',
    rooms: [...BELOW_ENGINE, ...ENGINE],
    outside: ['zod'],
  },
  'engine/epochs': {
    owns: 'epochs, summaries, narratives, playbooks',
    rooms: [...BELOW_ENGINE, ...ENGINE],
  },
  components: {
    owns: 'the eight components that a stack comes with',
    rooms: ['domain', 'ports', 'fold', 'recall'],
  },
  agent: {
    owns: 'Entity: an agent that writes with complete provenance',
    rooms: ['domain', 'ports', ...ENGINE, 'facade'],
  },
  stores: {
    owns: 'where stacks are kept; one suite tests all of them',
    rooms: ['domain', 'ledger', 'ports'],
  },
  'stores/memory': { owns: 'the reference store', rooms: ['domain', 'ledger', 'ports', 'stores'] },
  'stores/sql': {
    owns: 'columns, rows and statements that both SQL stores share',
    rooms: ['domain', 'ledger', 'ports', 'stores'],
    outside: ['node:*'],
  },
  'stores/sqlite': {
    owns: 'one file a stack',
    rooms: ['domain', 'ledger', 'ports', 'stores', 'stores/sql'],
    outside: ['node:*'],
  },
  'stores/postgres': {
    owns: 'many stacks in a database',
    rooms: ['domain', 'ledger', 'ports', 'stores', 'stores/sql', 'stores/memory'], // joins what is hashed as the reference does
    outside: ['node:*', 'pg'],
  },
  adopt: {
    owns: 'memories of other tools: recognise, take, undo, watch, write out',
    rooms: ['domain', ...ENGINE, 'facade'],
    outside: ['node:*', '@streamparser/json', 'diff', 'yaml'],
  },
  operations: {
    owns: 'one declaration an operation: input, output, right, run, text, tool',
    rooms: ['domain', 'agent', ...ENGINE, 'facade', 'ledger/verify'],
    outside: ['zod'],
  },
  doors: {
    owns: 'cli, mcp, http, hook, setup, access, config: each only translates',
    rooms: [
      'domain',
      'operations',
      'adapters',
      'agent',
      'adopt',
      ...ENGINE,
      'facade',
      'ledger/verify',
    ],
    outside: [
      'node:*',
      '@modelcontextprotocol/server',
      'hono',
      '@hono/node-server',
      '@opentelemetry/api', // by the types, and by import() where spans are asked for
    ],
  },
  adapters: {
    owns: 'muniment/ai-sdk and other seats that need an optional package',
    rooms: ['domain', 'ports', 'recall/embed', 'operations', 'agent', ...ENGINE, 'facade'],
    outside: [
      'ai',
      '@anthropic-ai/sdk',
      '@anthropic-ai/claude-agent-sdk',
      '@openai/agents-core',
      'node:crypto',
      'zod',
      '@langchain/langgraph-checkpoint',
      'diff',
    ],
  },
  compose: { owns: 'openStack and its defaults', rooms: ALL_BUT_DOORS, outside: ['node:*'] },
  testing: {
    owns: 'conformance suites, simulation, manifest of invariants (muniment/testing)',
    rooms: [...ALL_BUT_DOORS, 'doors'],
    outside: ['node:*', 'fast-check', 'vitest'],
  },
}

/** Single files with rights of their own, where the parts are put together. */
export const ENTRIES: Readonly<Record<string, Room & { readonly why: string }>> = {
  'src/index.ts': {
    owns: 'the package',
    rooms: ALL_BUT_DOORS,
    why: 'what the package exports; a door is reached by its own entry',
  },
  'src/stack.ts': {
    owns: 'the public facade of a stack',
    rooms: [...BELOW_ENGINE, ...ENGINE],
    why: 'the facade over all rooms of the engine',
  },
  'src/adapters/anthropic/folder-memory-tool.ts': {
    owns: 'a memory tool made from the path of a folder alone',
    rooms: ['adapters', 'facade', 'compose'],
    outside: ['node:*', '@anthropic-ai/sdk'],
    why: 'the SDK’s own tool takes a folder and no stack, so this one opens a stack',
  },
  'src/adapters/server-memory/default-path.ts': {
    owns: 'the place of server-memory’s file',
    rooms: [],
    outside: ['node:*'],
    why: 'server-memory’s own module says where the file lies',
  },
  'src/adapters/server-memory/manager.ts': {
    owns: 'a class made from the path of a memory file alone',
    rooms: ['adapters', 'facade', 'compose'],
    outside: ['node:*'],
    why: 'server-memory’s own class takes a path and no stack, so this one opens a stack',
  },
  'src/doors/cli/main.ts': {
    owns: 'the program',
    rooms: [...ALL_BUT_DOORS, 'doors'],
    outside: ['node:*'],
    why: 'the program: it hands the door the defaults that compose makes',
  },
  'src/doors/cli/cached-main.ts': {
    owns: 'the program',
    rooms: ['compose'],
    outside: ['node:*'],
    why: 'stands for the program: it names the folder for Node’s compile cache, where memory is kept',
  },
}

/** Files that import what they are told to, each with its reason; nothing of ours is reached so. */
export const TOLD: Readonly<Record<string, string>> = {
  'src/doors/config/config-file.ts': 'a person’s own file of settings, which Node runs',
}

/** What a test beside the code may import on top of its room's row. */
export const FOR_TESTS = { rooms: ['testing'], folders: ['tests/support/'] } as const

const BY_LENGTH = Object.keys(ROOMS).toSorted((a, b) => b.length - a.length)

/** `src/gate/rules/echo.ts` → `gate`; undefined for a file that stands in no room. */
export function roomOf(path: string): string | undefined {
  if (path === 'src/stack.ts') return 'facade'
  return BY_LENGTH.find((room) => path.startsWith(`src/${room}/`))
}

/** Whether a row of the table that allows `allowed` lets `room` be imported. */
export const allows = (allowed: string, room: string): boolean =>
  allowed.endsWith('/*') ? room.startsWith(allowed.slice(0, -1)) : allowed === room
