import type { Issue } from './issues.ts'
import type { ManifestId } from './manifest.ts'

/** Issues that are done: each of their ids must be cited by a test. */
export const FINISHED: readonly Issue[] = ['spine']

/** Ids that a test holds already although their issue is not done. */
export const HELD_EARLY: readonly ManifestId[] = [
  'FIREWALL-BURST',
  'FIREWALL-IDEMPOTENT',
  'LEDGER-APPEND',
  'LEDGER-ATOMIC',
  'LEDGER-DETECT',
  'LEDGER-POLICY',
  'P-48',
  'P-49',
  'P-50',
  'P-51',
  'S-58',
  'S-59',
  'S-60',
  'S-61',
  'STORE-ACKED',
  'STORE-ORDER',
  'STORE-REBUILD',
  'STORE-SAME',
]
