import type { Issue } from './issues.ts'
import type { ManifestId } from './manifest.ts'

/** Issues whose ids are all due: each must be cited by a test, whatever else is still open there. */
export const FINISHED: readonly Issue[] = ['spine', 'durable', 'stack-protocol', 'life', 'claims']

/** Ids that a test holds already although their issue is not done. */
export const HELD_EARLY: readonly ManifestId[] = [
  'FIREWALL-BURST',
  'FIREWALL-CONTEXT',
  'L-01',
  'L-02',
  'L-03',
  'L-04',
  'L-05',
  'L-06',
  'L-07',
  'L-08',
  'L-09',
  'L-10',
  'L-11',
  'L-12',
  'L-13',
  'L-14',
  'L-15',
  'L-16',
  'L-17',
  'LEDGER-OFFLINE',
  'LEDGER-POLICY',
  'P-48',
  'P-49',
  'P-50',
  'P-51',
]
