/**
 * The architecture, as data. Every file of src stands in one room; a room imports itself, the rooms
 * listed here, and the outside modules listed here, and nothing else.
 */
export interface Room {
  /** Rooms it may import. */
  readonly rooms: readonly string[]
  /** Rooms it may import for their types only: nothing of them is left in its compiled code. */
  readonly types?: readonly string[]
  /** Packages, and `node:*` for the platform. */
  readonly outside?: readonly string[]
  /** Never touches a clock, chance, the environment or the platform. */
  readonly pure?: true
}

const ENGINE = [
  'domain',
  'hash',
  'lineage',
  'belief',
  'gate',
  'recall',
  'processing',
  'embed',
  'ports',
] as const
const ALL_BUT_DOORS = [
  ...ENGINE,
  'verify',
  'stack',
  'components',
  'core',
  'stores',
  'protocol',
  'adapters',
  'compose',
  'testing',
] as const

export const ROOMS: Readonly<Record<string, Room>> = {
  domain: { rooms: [], outside: ['zod'], pure: true },
  hash: { rooms: ['domain'], pure: true },
  verify: {
    rooms: ['hash'],
    types: ['domain'],
    outside: ['@noble/ed25519', '@noble/hashes/sha2.js'],
    pure: true,
  },
  lineage: { rooms: ['domain'], pure: true },
  belief: { rooms: ['domain', 'lineage'], pure: true },
  gate: { rooms: ['domain', 'hash', 'lineage', 'belief'], pure: true },
  recall: { rooms: ['domain', 'belief'], pure: true },
  processing: { rooms: ['domain', 'recall'], outside: ['zod'], pure: true },
  ports: { rooms: ['domain'], pure: true },
  embed: { rooms: ['domain', 'ports'], pure: true },
  protocol: { rooms: ['domain'], outside: ['zod'], pure: true },
  stack: { rooms: ENGINE },
  components: { rooms: ['domain', 'ports', 'belief', 'recall'] },
  core: { rooms: ['domain', 'ports', 'stack'] },
  stores: { rooms: ['domain', 'hash', 'ports'], outside: ['node:*', 'pg'] },
  doors: {
    rooms: ['domain', 'protocol', 'core', 'stack', 'verify'],
    outside: [
      'node:*',
      '@modelcontextprotocol/server',
      'hono',
      '@hono/node-server',
      '@opentelemetry/api', // by the types, and by import() where spans are asked for
    ],
  },
  adapters: {
    rooms: ['domain', 'ports', 'embed', 'protocol', 'core', 'stack'],
    outside: ['ai'],
  },
  compose: { rooms: ALL_BUT_DOORS, outside: ['node:*'] },
  testing: { rooms: [...ALL_BUT_DOORS, 'doors'], outside: ['node:*', 'fast-check', 'vitest'] },
}

/** The stores, each a room of its own: what two of them say alike in SQL stands in `sql`. */
export const STORES: Readonly<Record<string, readonly string[]>> = {
  memory: [],
  sql: [],
  sqlite: ['sql'],
  postgres: ['sql', 'memory'], // which joins what is hashed as the reference does
}

/** `src/stores/sqlite/read.ts` → `sqlite`. */
export const storeOf = (path: string): string | undefined =>
  /^src\/stores\/([^/]+)\//.exec(path)?.[1]

/** Single files with rights of their own, where the parts are put together. */
export const ENTRIES: Readonly<Record<string, Room & { readonly why: string }>> = {
  'src/index.ts': {
    rooms: ALL_BUT_DOORS,
    why: 'what the package exports; a door is reached by its own entry',
  },
  'src/doors/cli/main.ts': {
    rooms: [...ALL_BUT_DOORS, 'doors'],
    outside: ['node:*'],
    why: 'the program: it hands the door the defaults that compose makes',
  },
  'src/doors/cli/kept-main.ts': {
    rooms: ['compose'],
    outside: ['node:*'],
    why: 'stands for the program: it keeps what was compiled where memory is kept',
  },
}

/** Files that import what they are told to, each with its reason; nothing of ours is reached so. */
export const TOLD: Readonly<Record<string, string>> = {
  'src/doors/config/config-file.ts': 'a person’s own file of settings, which Node runs',
}

/** What a test beside the code may import on top of its room's row. */
export const FOR_TESTS = { rooms: ['testing'], folders: ['tests/support/'] } as const

/** `src/gate/rules/echo.ts` → `gate`; undefined for a file that stands in no room. */
export const roomOf = (path: string): string | undefined => /^src\/([^/]+)\//.exec(path)?.[1]
