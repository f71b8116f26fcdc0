/** One pattern of a house's own: what it matches is taken out before anything is written. */
export interface RedactPattern {
  /** Text in place of the secret: `[redacted:name]`. */
  readonly name: string
  /** A regular expression whose repetitions all have an end: `EMP-\\d{6}`. */
  readonly pattern: string
}

export const TOOLSETS = ['default', 'full', 'server-memory'] as const

export const LOG_LEVELS = ['silent', 'error', 'info', 'debug'] as const

/** Settings of traces; with `stacks`, spans name the stack. */
const TRACE_LEVELS = ['off', 'on', 'stacks'] as const

export type TraceLevel = (typeof TRACE_LEVELS)[number]

export type LogLevel = (typeof LOG_LEVELS)[number]

/** Content of `muniment.config.json`, and default export of `muniment.config.ts`. */
export interface Config {
  readonly home?: string
  readonly stack?: string
  readonly store?: string
  readonly model?: string
  readonly checkpointsTo?: string
  readonly sync?: string
  readonly log?: LogLevel
  readonly traces?: TraceLevel
  readonly redact?: readonly RedactPattern[]
  readonly mcp?: { readonly toolset?: (typeof TOOLSETS)[number] }
  readonly serve?: {
    readonly host?: string
    readonly port?: number
    readonly allowHost?: readonly string[]
    readonly allowAnyoneOnLoopback?: boolean
    readonly answerSeconds?: number
    readonly rate?: number
  }
  readonly embedder?: {
    readonly url?: string
    readonly model?: string
    readonly dimension?: number
  }
}

/** Every setting with its value, whoever gave it. */
export interface Values {
  readonly home: string | null
  readonly stack: string | null
  readonly store: string | null
  readonly model: string | null
  readonly token: string | null
  readonly checkpointsTo: string | null
  readonly sync: string | null
  readonly log: LogLevel
  readonly traces: TraceLevel
  readonly redact: readonly RedactPattern[]
  readonly 'mcp.toolset': (typeof TOOLSETS)[number]
  readonly 'serve.host': string
  readonly 'serve.port': number
  readonly 'serve.allowHost': readonly string[]
  readonly 'serve.allowAnyoneOnLoopback': boolean
  readonly 'serve.rate': number
  readonly 'serve.answerSeconds': number
  readonly 'embedder.url': string | null
  readonly 'embedder.model': string | null
  readonly 'embedder.dimension': number | null
  readonly 'embedder.key': string | null
}

export type SettingName = keyof Values

/** The type of a value; `text` is the spelling in a variable of the environment. */
export type ValueType =
  | { readonly type: 'text' }
  | { readonly type: 'flag' }
  | { readonly type: 'choice'; readonly of: readonly string[] }
  | { readonly type: 'count'; readonly min: number; readonly max: number }
  | { readonly type: 'texts' }
  | { readonly type: 'patterns' }

interface Setting {
  readonly variable: string
  readonly reads: ValueType
  readonly usual: Values[SettingName]
  readonly says: string
  /** Shown by its outline alone. */
  readonly secret?: true
  /** Never in a file: whoever reads the file would have it. */
  readonly outsideFiles?: true
  /**
   * Says where memory is kept or sent, or what is kept of it: taken from a file that a person chose
   * and never from one that merely lies in the folder, which may be a stranger's project.
   */
  readonly guarded?: true
}

const TEXT = { type: 'text' } as const

const FLAG = { type: 'flag' } as const

const PORT_MAX = 65_535

const RATE_MAX = 1_000_000

const ANSWER_SECONDS_MAX = 86_400

const DIMENSION_MAX = 16_384

/** Everything that can be set, in the order in which it is shown. One table for all sources. */
export const SETTINGS: Readonly<Record<SettingName, Setting>> = {
  home: {
    variable: 'MUNIMENT_HOME',
    reads: TEXT,
    usual: null,
    says: 'where stacks and keys are kept',
    guarded: true,
  },
  stack: { variable: 'MUNIMENT_STACK', reads: TEXT, usual: null, says: 'which stack' },
  store: {
    variable: 'MUNIMENT_STORE',
    reads: TEXT,
    usual: null,
    says: 'a database that holds the stacks, instead of files',
    secret: true,
    guarded: true,
  },
  model: {
    variable: 'MUNIMENT_MODEL',
    reads: TEXT,
    usual: null,
    says: 'the model whose words are written',
  },
  token: {
    variable: 'MUNIMENT_TOKEN',
    reads: TEXT,
    usual: null,
    says: 'a personal token',
    secret: true,
    outsideFiles: true,
  },
  checkpointsTo: {
    variable: 'MUNIMENT_CHECKPOINTS_TO',
    reads: TEXT,
    usual: null,
    says: 'a second place for signed heads',
    secret: true, // an address may hold a password
    guarded: true,
  },
  sync: {
    variable: 'MUNIMENT_SYNC',
    reads: TEXT,
    usual: null,
    says: 'the folder that sync shares with other machines',
    guarded: true,
  },
  log: {
    variable: 'MUNIMENT_LOG',
    reads: { type: 'choice', of: LOG_LEVELS },
    usual: 'info',
    says: 'what serve and mcp write to stderr',
  },
  traces: {
    variable: 'MUNIMENT_TRACES',
    reads: { type: 'choice', of: TRACE_LEVELS },
    usual: 'off',
    says: 'spans for OpenTelemetry; stacks names the stack too',
    guarded: true,
  },
  redact: {
    variable: 'MUNIMENT_REDACT',
    reads: { type: 'patterns' },
    usual: [],
    says: 'what else is taken out before anything is written',
    guarded: true,
  },
  'mcp.toolset': {
    variable: 'MUNIMENT_TOOLSET',
    reads: { type: 'choice', of: TOOLSETS },
    usual: 'default',
    says: 'which tools a client is shown',
  },
  'serve.host': {
    variable: 'MUNIMENT_HOST',
    reads: TEXT,
    usual: '127.0.0.1',
    says: 'the address to listen on',
    guarded: true,
  },
  'serve.port': {
    variable: 'MUNIMENT_PORT',
    reads: { type: 'count', min: 0, max: PORT_MAX },
    usual: 7_077,
    says: 'where to listen; 0 for any that is free',
  },
  'serve.allowHost': {
    variable: 'MUNIMENT_ALLOW_HOST',
    reads: { type: 'texts' },
    usual: [],
    says: 'other names that the server is called by',
    guarded: true,
  },
  'serve.allowAnyoneOnLoopback': {
    variable: 'MUNIMENT_ALLOW_ANYONE_ON_LOOPBACK',
    reads: FLAG,
    usual: false,
    says: 'programs of this machine need no token',
    guarded: true,
  },
  'serve.rate': {
    variable: 'MUNIMENT_RATE',
    reads: { type: 'count', min: 1, max: RATE_MAX },
    usual: 1_000,
    says: 'requests a second that one caller may make',
    guarded: true,
  },
  'serve.answerSeconds': {
    variable: 'MUNIMENT_ANSWER_SECONDS',
    reads: { type: 'count', min: 1, max: ANSWER_SECONDS_MAX },
    usual: 60,
    says: 'how long a caller waits for an operation before it gets an error',
    guarded: true,
  },
  'embedder.url': {
    variable: 'MUNIMENT_EMBEDDER_URL',
    reads: TEXT,
    usual: null,
    says: 'a server of OpenAI’s POST /embeddings, for search',
    secret: true, // an address may hold a password
    guarded: true,
  },
  'embedder.model': {
    variable: 'MUNIMENT_EMBEDDER_MODEL',
    reads: TEXT,
    usual: null,
    says: 'its model',
    guarded: true,
  },
  'embedder.dimension': {
    variable: 'MUNIMENT_EMBEDDER_DIMENSION',
    reads: { type: 'count', min: 1, max: DIMENSION_MAX },
    usual: null,
    says: 'how long its vectors are',
    guarded: true,
  },
  'embedder.key': {
    variable: 'MUNIMENT_EMBEDDER_KEY',
    reads: TEXT,
    usual: null,
    says: 'its key',
    secret: true,
    outsideFiles: true,
  },
}

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[] // its own
