import { type ErrorCode, type FieldIssue, MunimentError } from '../../domain/errors.ts'
import { GROUND } from '../ground.ts'

/** Complete on purpose: a new error code does not compile without a status. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_input: 400,
  invalid_json: 400,
  invalid_id: 400,
  invalid_ref: 400,
  invalid_provenance: 422,
  not_canonical: 400,
  invalid_bundle: 400,
  limit_exceeded: 413,
  refused: 422,
  maintenance_mode: 409,
  version_conflict: 409,
  id_exists: 409,
  id_erased: 410,
  scope: 403,
  not_found: 404,
  stack_not_empty: 409,
  no_active_stack: 500,
  policy_differs: 409,
  enforcement_changed: 409,
  session_expired: 409,
  tombstone_key_missing: 409,
  clock_implausible: 409,
  stack_closed: 503,
  backpressure: 503,
  deadline_exceeded: 504,
  store_unavailable: 503,
  store_full: 507,
  store_read_only: 503,
  store_corrupt: 500,
  store_busy: 503,
  schema_newer: 500,
  embedder_unavailable: 503,
  model_unavailable: 503,
  model_answer: 502,
  model_budget: 429,
  sync_refused: 409,
  data_loss: 500,
  audit_failed: 500,
  invariant: 500,
}

/** A failure by RFC 9457; our extra members are equal at every door. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly hint: string | null
  readonly issues: readonly FieldIssue[]
  readonly facts?: Readonly<Record<string, unknown>>
}

/** A refusal of the door itself, where the status says more than the code. */
export class HttpError extends MunimentError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    error: MunimentError,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const { code, message, issues, facts, hint } = error
    super(code, message, { issues, facts, ...(hint === undefined ? {} : { hint }) })
    this.status = status
    this.headers = headers
  }
}

/** The caller's view of an error, without its place in the code. */
export function problemOf(error: unknown): Problem {
  const known = error instanceof MunimentError ? error : null
  const code = known?.code ?? 'invariant'
  const ground = GROUND[code]
  const status = error instanceof HttpError ? error.status : STATUS[code]
  return {
    type: `/docs#${code}`,
    title: code.replaceAll('_', ' '),
    status,
    detail: ground ?? known?.message ?? '',
    code,
    hint: ground === undefined ? (known?.hint ?? null) : null,
    issues: ground === undefined ? (known?.issues ?? []) : [],
    ...factsOf(known, ground !== undefined),
  }
}

const factsOf = (error: MunimentError | null, isGround: boolean): Pick<Problem, 'facts'> =>
  error === null || isGround || Object.keys(error.facts).length === 0 ? {} : { facts: error.facts }

const RETRY_SECONDS = '1'

export function problemResponse(error: unknown): Response {
  const problem = problemOf(error)
  const headers = new Headers({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(problem.status === 503 ? { 'retry-after': RETRY_SECONDS } : {}),
    ...(error instanceof HttpError ? error.headers : {}),
  })
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}

const PASSING: ReadonlySet<ErrorCode> = new Set([
  'stack_closed',
  'backpressure',
  'deadline_exceeded',
  'store_busy',
])

/** Decides if the log gets the error: the caller sees only a general message. */
export function isFault(error: unknown): boolean {
  const { status, code } = problemOf(error)
  return status >= 500 && !PASSING.has(code)
}
