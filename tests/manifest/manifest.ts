import { INVARIANTS, type InvariantId } from '../../src/testing/manifest/invariants.ts'
import type { Issue } from './issues.ts'
import { FIREWALL } from './seeds/firewall.ts'
import { LEDGER } from './seeds/ledger.ts'
import { PROVENANCE } from './seeds/provenance.ts'
import { STACK } from './seeds/stack.ts'

type SeedId =
  | keyof typeof PROVENANCE
  | keyof typeof STACK
  | keyof typeof FIREWALL
  | keyof typeof LEDGER

export type ManifestId = InvariantId | SeedId

export interface Requirement {
  readonly id: string
  readonly says: string
  /** The issue that has to hold it at the latest. */
  readonly due: Issue
}

const INVARIANT_DUE: Readonly<Record<InvariantId, Issue>> = {
  'PROV-BIRTH': 'spine',
  'PROV-FIXED': 'spine',
  'PROV-DOOR': 'spine',
  'PROV-NOBYPASS': 'spine',
  'LINE-ACYCLIC': 'spine',
  'LINE-REAL': 'spine',
  'LINE-KINDS': 'spine',
  'LINE-DEPTH': 'spine',
  'GATE-PURE': 'spine',
  'GATE-ONE-ENTRY': 'spine',
  'GROUP-SAME': 'spine',
  'BOUND-LOUD': 'spine',
  'STORE-SAME': 'durable',
  'STORE-ORDER': 'durable',
  'STORE-REBUILD': 'durable',
  'STORE-ACKED': 'durable',
  'LEDGER-APPEND': 'durable',
  'LEDGER-ATOMIC': 'durable',
  'LEDGER-DETECT': 'durable',
  'DECAY-MONOTONE': 'life',
  'CASCADE-FLAGS': 'life',
  'READ-QUIET': 'life',
  'LEDGER-OFFLINE': 'ledger',
  'LEDGER-TIME': 'ledger',
  'LEDGER-CONTENTLESS': 'ledger',
  'LEDGER-POLICY': 'ledger',
  'ERASE-BYTES': 'ledger',
  'ANSWER-COMPUTED': 'claims',
  'ANSWER-CONTEST': 'claims',
  'ANSWER-ASOF': 'claims',
  'FIREWALL-IDEMPOTENT': 'claims',
  'FIREWALL-MODEL': 'claims',
  'FIREWALL-INDEPENDENT': 'claims',
  'FIREWALL-ECHO': 'firewall',
  'FIREWALL-DEPTH': 'firewall',
  'FIREWALL-BURST': 'firewall',
  'FIREWALL-RISE': 'firewall',
  'READ-RECEIPT': 'firewall',
  'READ-USE': 'firewall',
  'READ-FENCE': 'firewall',
  'FIREWALL-DISTRUST': 'firewall',
  'FIREWALL-UNLINK': 'firewall',
  'FIREWALL-QUOTE': 'firewall',
  'FIREWALL-AUTHORITY': 'firewall',
  'FIREWALL-WHATIF': 'firewall',
  'DOOR-SAME': 'doors',
  'SCOPE-BOUND': 'doors',
}

/** First and last id of each run of seed requirements that one issue holds. */
const SEED_DUE: readonly (readonly [first: SeedId, last: SeedId, due: Issue])[] = [
  ['P-01', 'P-47', 'life'],
  ['P-48', 'P-51', 'agent-door'],
  ['S-01', 'S-63', 'stack-protocol'],
  ['S-64', 'S-71', 'components'],
  ['S-72', 'S-83', 'stack-protocol'],
  ['F-01', 'F-11', 'claims'],
  ['F-12', 'F-16', 'firewall'],
  ['F-17', 'F-18', 'claims'],
  ['F-19', 'F-19', 'firewall'],
  ['L-01', 'L-17', 'ledger'],
]

/** Ids of one family are as long as each other, so that comparing text compares numbers. */
function seedDue(id: string): Issue {
  const run = SEED_DUE.find(([first, last]) => first <= id && id <= last)
  if (!run) throw new Error(`${id} is in no run of SEED_DUE`)
  return run[2]
}

const seed = (sentences: Readonly<Record<string, string>>): readonly Requirement[] =>
  Object.entries(sentences).map(([id, says]) => ({ id, says, due: seedDue(id) }))

export const INVARIANT_ENTRIES: readonly Requirement[] = Object.entries(INVARIANTS).map(
  // Object.entries widens its keys; INVARIANT_DUE has exactly those of INVARIANTS.
  ([id, says]) => ({ id, says, due: INVARIANT_DUE[id as InvariantId] }),
)

/** The seed requirements by family, in the order in which documents show them. */
export const SEED_FAMILIES = [
  { name: 'Provenance', entries: seed(PROVENANCE) },
  { name: 'Stack', entries: seed(STACK) },
  { name: 'Firewall', entries: seed(FIREWALL) },
  { name: 'Ledger', entries: seed(LEDGER) },
] as const

export const MANIFEST: readonly Requirement[] = [
  ...INVARIANT_ENTRIES,
  ...SEED_FAMILIES.flatMap((family) => family.entries),
]
