// Section 4 of docs/ledger-format.md: the facts of each change, by their names.

import type { JsonObject } from './naive-canonical.ts'
import type { Entry } from './naive-entry.ts'
import { childrenOf, codeOfFall } from './naive-follows.ts'
import type { Memory, Policy } from './naive-memory.ts'

type Known = { memories: ReadonlyMap<string, Memory>; policy: Policy }

/** The names of the facts that the operation has here. */
export function factsOf(
  { entry, memory }: { entry: Entry; memory: Memory },
  { policy, memories }: Known,
): string[] {
  const names = NAMES[entry.op]?.(entry.decision.facts) ?? []
  const isFall = codeOfFall(entry, policy) !== null
  return isFall && childrenOf(memory.ref, memories).length > 0 ? [...names, 'children'] : names
}

const given = (facts: JsonObject, names: readonly string[]): string[] =>
  names.filter((name) => facts[name] !== undefined)

const WISHED = [
  'amount',
  'confidence',
  'into',
  'at',
  'verdict',
  'evidence',
  'basis',
  'of',
  'on',
  'to',
]

const NAMES: Record<string, (facts: JsonObject) => string[]> = {
  'memory.forgotten': () => ['strength'],
  'memory.recovered': () => ['strength'],
  'memory.protected': () => ['strength'],
  'memory.unprotected': () => ['strength'],
  'memory.accessed': () => ['accesses', 'strength'],
  'memory.weakened': () => ['amount', 'strength'],
  'memory.described': (facts) => given(facts, ['tags', 'confidence']),
  'memory.annotated': () => ['by'],
  'memory.processed': () => ['into'],
  'memory.verified': (facts) => [
    'evidence',
    'anchors',
    'verifications',
    'confidence',
    ...given(facts, ['tier', 'spends']),
  ],
  'memory.reinforced': (facts) => [
    'evidence',
    'anchors',
    'times',
    'confidence',
    ...given(facts, ['spends']),
  ],
  'memory.attested': ({ change }) => ['change', change === 'describe' ? 'confidence' : 'evidence'],
  'memory.proposed': (facts) => ['change', ...given(facts, WISHED)],
  'memory.flagged': () => ['code', 'by'],
  'memory.cleared': () => ['of'],
  'memory.distrusted': () => ['why', 'basis'],
  'memory.trusted': () => ['why', 'basis', 'back'],
  'echo.overruled': ({ of }) => (of === undefined ? ['phrasingOf'] : ['of', 'into']),
  'echo.left': () => [],
  'memory.strengthened': () => ['by', 'strength'],
  'belief.revised': () => ['of'],
  'belief.deactivated': () => ['by'],
  'suggestion.resolved': () => ['status', 'into'],
  'claim.ended': () => ['at'],
  'claim.retracted': () => [],
  'claim.reopened': () => [],
  'claim.adjudicated': (facts) => ['verdict', 'evidence', 'overrules', ...given(facts, ['tier'])],
  'claim.superseded': () => ['by'],
  'claim.lapsed': () => ['why'],
  'claim.recast': () => ['to'],
}

/** Every operation of the section. */
export const CHANGES: readonly string[] = Object.keys(NAMES)
