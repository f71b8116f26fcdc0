/**
 * Every error code. A closed list: a door can map each code, and a test pins the list.
 * @example const isKnown = ERROR_CODES.includes('not_found')
 */
export const ERROR_CODES = [
  // the request cannot be read
  'invalid_input',
  'invalid_json',
  'invalid_id',
  'invalid_ref',
  'invalid_provenance',
  'not_canonical',
  'invalid_bundle',
  'limit_exceeded',
  // the request cannot be served here or now
  'refused',
  'maintenance_mode',
  'version_conflict',
  'id_exists',
  'id_erased',
  'scope',
  'not_found',
  'stack_not_empty',
  'no_active_stack',
  'policy_differs',
  'enforcement_changed',
  'session_expired',
  'tombstone_key_missing',
  'clock_implausible',
  'stack_closed',
  'backpressure',
  'deadline_exceeded',
  // a dependency or the stored data failed
  'store_unavailable',
  'store_full',
  'store_read_only',
  'store_corrupt',
  'store_busy',
  'schema_newer',
  'embedder_unavailable',
  'model_unavailable',
  'model_answer',
  'model_budget',
  'data_loss',
  'audit_failed',
  'sync_refused',
  'invariant',
] as const

/** A stable code of an error. */
export type ErrorCode = (typeof ERROR_CODES)[number]

/** A bad field and its fault. */
export interface FieldIssue {
  readonly path: string
  readonly message: string
}

export interface ErrorDetails {
  /** Every bad field, never only the first. */
  readonly issues?: readonly FieldIssue[]
  readonly hint?: string
  readonly cause?: unknown
  /** Facts a caller may branch on; never stored content. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/**
 * An error with a stable code, a hint, and every bad field.
 * @example
 * try {
 *   await stack.history.why('note:none')
 * } catch (error) {
 *   if (error instanceof MunimentError) console.log(error.code, error.hint)
 * }
 */
export class MunimentError extends Error {
  readonly code: ErrorCode
  readonly issues: readonly FieldIssue[]
  readonly hint: string | undefined
  readonly facts: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = new.target.name
    this.code = code
    this.issues = details.issues ?? []
    this.hint = details.hint
    this.facts = details.facts ?? {}
  }
}

/**
 * A write without valid provenance: missing or bad fields, or a missing source.
 * @example const lacksSource = (error: unknown) => error instanceof ProvenanceError
 */
export class ProvenanceError extends MunimentError {}

/**
 * A write refused by the gate for a reason other than provenance.
 * @example const isRefused = (error: unknown) => error instanceof RefusedError
 */
export class RefusedError extends MunimentError {}

/**
 * A write to a stack in maintenance.
 * @example const isClosed = (error: unknown) => error instanceof MaintenanceModeError
 */
export class MaintenanceModeError extends MunimentError {
  constructor(operation: string) {
    super('maintenance_mode', `The stack is in maintenance: ${operation} is not taken now.`, {
      hint: 'Leave maintenance first: stack.setState("ACTIVE").',
    })
  }
}

/**
 * A change of another version than the one that was read.
 * @example const isStale = (error: unknown) => error instanceof VersionConflictError
 */
export class VersionConflictError extends MunimentError {
  constructor(ref: string, expected: number, actual: number) {
    super('version_conflict', `${ref} is at version ${actual}, not ${expected}.`, {
      hint: 'Read it again and repeat the change on what you find.',
      facts: { ref, expected, actual },
    })
  }
}

/**
 * A caller exceeded the granted stack, labels or tier.
 * @example const isNotAllowed = (error: unknown) => error instanceof ScopeError
 */
export class ScopeError extends MunimentError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('scope', message, details)
  }
}

/**
 * Input exceeded a named limit. Nothing was shortened; nothing was stored.
 * @example const isTooLarge = (error: unknown) => error instanceof LimitError
 */
export class LimitError extends MunimentError {
  constructor(limit: string, max: number, actual: number, details: ErrorDetails = {}) {
    super('limit_exceeded', `${limit} is ${actual}; at most ${max} is taken.`, {
      ...details,
      facts: { limit, max, actual },
    })
  }
}

/**
 * A write of an entity without a stack.
 * @example
 * try {
 *   await new Entity('alone').note('Nobody keeps this')
 * } catch (error) {
 *   console.log(error instanceof NoActiveStackError)
 * }
 */
export class NoActiveStackError extends MunimentError {
  constructor() {
    super('no_active_stack', 'No stack is attached.', { hint: 'await entity.attachStack(stack)' })
  }
}

/**
 * A fault of the program, not the caller. Do not catch: later results cannot be trusted.
 * @example const isFault = (error: unknown) => error instanceof InvariantError
 */
export class InvariantError extends MunimentError {
  constructor(message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super('invariant', `Invariant broken: ${message}`, { facts })
  }
}

/** Kept in production: a broken invariant stops the work instead of spreading. */
export function assert(
  condition: unknown,
  message: string,
  facts?: Readonly<Record<string, unknown>>,
): asserts condition {
  if (!condition) throw new InvariantError(message, facts)
}

/** Made on first use and kept, so an unused value costs nothing. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
