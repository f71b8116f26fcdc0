/** One pattern of a house's own: what it matches is taken out before anything is written. */
export interface RedactPattern {
  /** What stands in its place: `[redacted:name]`. */
  readonly name: string
  /** A regular expression whose repetitions all have an end: `EMP-\\d{6}`. */
  readonly pattern: string
}

export const TOOLSETS = ['default', 'full'] as const
export const LOG_LEVELS = ['silent', 'error', 'info', 'debug'] as const
/** Whether spans are told; `stacks` lets them name the stack. */
export const TRACE_LEVELS = ['off', 'on', 'stacks'] as const
export type TraceLevel = (typeof TRACE_LEVELS)[number]
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What `muniment.config.json` says, and `muniment.config.ts` exports as its default. */
export interface Config {
  readonly home?: string
  readonly stack?: string
  readonly store?: string
  readonly model?: string
  readonly checkpointsTo?: string
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
