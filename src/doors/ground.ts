import type { ErrorCode } from '../domain/errors.ts'

/**
 * Messages for faults below the engine: the original messages name files of this machine, so only
 * the log gets them.
 */
export const GROUND: Readonly<Partial<Record<ErrorCode, string>>> = {
  no_active_stack: 'No stack is attached.',
  store_unavailable: 'The store cannot be reached.',
  store_full: 'There is no room left to write.',
  store_read_only: 'The store takes no writes.',
  store_corrupt: 'What is stored is not as it was written. Run an audit.',
  store_busy: 'Somebody else is writing. Try again in a moment.',
  schema_newer: 'The stack was written by a newer version of this program.',
  embedder_unavailable: 'The embedder cannot be reached.',
  model_unavailable: 'The model cannot be reached.',
  data_loss:
    'Entries that were acknowledged are missing. Restore a backup: muniment stack restore <copy> --replace',
  audit_failed: 'What is stored is not what was written. Run an audit.',
  invariant: 'This is a fault in muniment, not in the request.',
}
