import type { Issue } from './issues.ts'
import type { ManifestId } from './manifest.ts'

/** Issues whose ids are all due: each must be cited by a test, whatever else is still open there. */
export const FINISHED: readonly Issue[] = [
  'spine',
  'durable',
  'stack-protocol',
  'life',
  'agent-door',
  'claims',
  'ledger',
  'components',
]

/** Ids that a test holds already although their issue is not done. */
export const HELD_EARLY: readonly ManifestId[] = [
  'FIREWALL-BURST',
  'FIREWALL-RISE',
  'READ-RECEIPT',
  'READ-USE',
  'READ-FENCE',
  'F-12',
  'F-13',
  'F-14',
  'F-15',
  'FIREWALL-DEPTH',
  'FIREWALL-DISTRUST',
  'FIREWALL-ECHO',
  'FIREWALL-UNLINK',
  'FIREWALL-QUOTE',
  'FIREWALL-AUTHORITY',
  'FIREWALL-WHATIF',
  'F-16',
  'F-19',
  'LEDGER-OFFLINE',
  'LEDGER-POLICY',
  'DOOR-SAME',
  'SCOPE-BOUND',
]
