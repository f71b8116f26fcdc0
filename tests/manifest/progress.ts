import type { Issue } from './issues.ts'
import type { ManifestId } from './manifest.ts'

/** Issues whose ids are all due: each must be cited by a test, whatever else is still open there. */
export const FINISHED: readonly Issue[] = ['spine', 'durable', 'stack-protocol', 'life', 'ledger']

/** Ids that a test holds already although their issue is not done. */
export const HELD_EARLY: readonly ManifestId[] = [
  'ANSWER-ASOF',
  'ANSWER-COMPUTED',
  'ANSWER-CONTEST',
  'F-01',
  'F-02',
  'F-03',
  'F-04',
  'F-05',
  'F-06',
  'F-07',
  'F-08',
  'F-09',
  'F-10',
  'F-11',
  'F-17',
  'F-18',
  'FIREWALL-BURST',
  'FIREWALL-CONTEXT',
  'FIREWALL-IDEMPOTENT',
  'FIREWALL-INDEPENDENT',
  'FIREWALL-MODEL',
  'LEDGER-OFFLINE',
  'LEDGER-POLICY',
  'P-48',
  'P-49',
  'P-50',
  'P-51',
]
