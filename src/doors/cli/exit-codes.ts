import { type ErrorCode, MunimentError } from '../../domain/errors.ts'

/** Exit codes of the program; scripts branch on them, so the codes do not change. */
export const EXIT = {
  ok: 0,
  refused: 1,
  usage: 2,
  notFound: 3,
  audit: 4,
  store: 5,
  review: 6,
  internal: 70,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Complete on purpose: a new error code does not compile without an exit code. */
const EXIT_OF: Readonly<Record<ErrorCode, ExitCode>> = {
  invalid_input: EXIT.usage,
  invalid_json: EXIT.usage,
  invalid_id: EXIT.usage,
  invalid_ref: EXIT.usage,
  invalid_provenance: EXIT.usage,
  not_canonical: EXIT.usage,
  invalid_bundle: EXIT.usage,
  limit_exceeded: EXIT.usage,
  refused: EXIT.refused,
  maintenance_mode: EXIT.refused,
  version_conflict: EXIT.refused,
  id_exists: EXIT.refused,
  id_erased: EXIT.refused,
  scope: EXIT.refused,
  not_found: EXIT.notFound,
  stack_not_empty: EXIT.refused,
  no_active_stack: EXIT.internal,
  policy_differs: EXIT.refused,
  enforcement_changed: EXIT.refused,
  session_expired: EXIT.refused,
  tombstone_key_missing: EXIT.store,
  clock_implausible: EXIT.refused,
  stack_closed: EXIT.internal,
  backpressure: EXIT.store,
  deadline_exceeded: EXIT.store,
  store_unavailable: EXIT.store,
  store_full: EXIT.store,
  store_read_only: EXIT.store,
  store_corrupt: EXIT.store,
  store_busy: EXIT.store,
  schema_newer: EXIT.store,
  embedder_unavailable: EXIT.store,
  model_unavailable: EXIT.store,
  model_answer: EXIT.store,
  model_budget: EXIT.refused,
  sync_refused: EXIT.store,
  data_loss: EXIT.store,
  audit_failed: EXIT.audit,
  invariant: EXIT.internal,
}

export const exitOf = (error: unknown): ExitCode =>
  error instanceof MunimentError ? EXIT_OF[error.code] : EXIT.internal
