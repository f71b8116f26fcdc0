// Sections 5 and 6 of docs/ledger-format.md: what an entry seals, and who is behind its pseudonym.

import {
  hasExactly,
  isList,
  isObject,
  type Json,
  type JsonObject,
  readCanonical,
  same,
} from './naive-canonical.ts'
import type { Entry } from './naive-entry.ts'
import { commitmentOf, hashOfJson, pseudonymOf } from './naive-hash.ts'

export type SealedRow = { seq: number; ref: string; salt: Uint8Array; bytes: Uint8Array }
export type ActorKey = { actor: string; key: string; since: number }

const PROVENANCE = [
  'captured',
  'confidence',
  'contentHash',
  'depthFarthest',
  'depthNearest',
  'derivedFrom',
  'document',
  'eventTime',
  'ingestionPath',
  'label',
  'llmModel',
  'policyHash',
  'quote',
  'relayed',
  'session',
  'sourceEntity',
  'sourceEpisodes',
  'sourceId',
  'sourceType',
  'timestamp',
  'trustTier',
  'turn',
]

export function problemsOfSealed(
  entry: Entry,
  row: SealedRow,
  actorKeys: readonly ActorKey[],
): string[] {
  const problems: string[] = []
  if (row.salt.length !== 32) problems.push('has a salt that is not 32 bytes')
  if (row.ref !== entry.ref) problems.push('has a sealed row of another memory')
  if (commitmentOf(row.salt, row.bytes) !== entry.commitment) {
    problems.push('has a sealed row that does not hash to its commitment')
  }
  const sealed = readCanonical(row.bytes)
  if (!hasExactly(sealed, ['body', 'provenance']) || !isObject(sealed)) {
    return [...problems, 'seals something else than a body and its provenance in canonical form']
  }
  const { body, provenance } = sealed
  const isGrown = isObject(provenance) && 'revisedFrom' in provenance
  const members = isGrown ? [...PROVENANCE, 'revisedFrom'] : PROVENANCE
  if (!hasExactly(provenance, members) || !isObject(provenance)) {
    return [...problems, 'seals a provenance of other members']
  }
  if (provenance.contentHash !== hashOfJson(body as Json)) {
    problems.push('seals a contentHash that is not that of the body')
  }
  return [
    ...problems,
    ...problemsOfAgreement(entry, provenance),
    ...problemsOfDepth(entry, provenance),
    ...problemsOfPseudonym(entry, provenance, actorKeys),
  ]
}

/** The sources of the birth, then those that revisions added. */
export const sourcesIn = ({ derivedFrom, revisedFrom }: JsonObject): Json[] => [
  ...(isList(derivedFrom) ? derivedFrom : []),
  ...(isList(revisedFrom) ? revisedFrom : []),
]

function problemsOfAgreement(entry: Entry, provenance: JsonObject): string[] {
  const problems: string[] = []
  const agree = (what: string, left: Json, right: Json | undefined) => {
    if (!same(left, right)) problems.push(`disagrees with its provenance about ${what}`)
  }
  agree('time', entry.time, provenance.timestamp)
  agree('label', entry.label, provenance.label)
  agree('tier', entry.tier, provenance.trustTier)
  agree(
    'parents',
    entry.parents.map((parent) => parent.ref),
    sourcesIn(provenance),
  )
  agree('policy', entry.policy, provenance.policyHash)
  const { depth } = entry.decision.facts
  if (isObject(depth)) {
    agree('nearest depth', depth.nearest as Json, provenance.depthNearest)
    agree('farthest depth', depth.farthest as Json, provenance.depthFarthest)
  }
  return problems
}

function problemsOfPseudonym(
  entry: Entry,
  provenance: JsonObject,
  actorKeys: readonly ActorKey[],
): string[] {
  const { sourceId } = provenance
  if (typeof sourceId !== 'string') {
    return entry.actor === null ? [] : ['has an actor but seals no sourceId']
  }
  const kept = actorKeys.find((row) => row.actor === sourceId)
  if (kept === undefined) {
    const isOfAnother = actorKeys.some(({ actor, key }) => pseudonymOf(key, actor) === entry.actor)
    return isOfAnother ? ['has the pseudonym of another actor than the sealed sourceId'] : []
  }
  if (Number(entry.seq) < kept.since || pseudonymOf(kept.key, sourceId) === entry.actor) return []
  return ['has an actor that is not the pseudonym of the sealed sourceId']
}

export function problemsOfActorKeys(actorKeys: readonly ActorKey[]): string[] {
  const problems: string[] = []
  const seen = new Set<string>()
  for (const { actor, key } of actorKeys) {
    if (seen.has(actor)) problems.push('an actor has two keys')
    if (!/^[0-9a-f]{64}$/.test(key)) problems.push('an actor has a key that is not 32 bytes')
    seen.add(actor)
  }
  return problems
}

/** A capture carries no depth in its facts; everything else that is kept does. */
function problemsOfDepth(entry: Entry, provenance: JsonObject): string[] {
  if (entry.op === 'memory.refused') return []
  const capture = isCapture(provenance.captured)
  const hasDepth = entry.decision.facts.depth !== undefined
  if (capture && hasDepth) return ['is a capture but has a depth']
  if (!capture && !hasDepth) return ['is no capture but has no depth']
  return []
}

// The document names the member and not its values: whatever says "nothing" says "no capture".
function isCapture(captured: Json | undefined): boolean {
  if (isList(captured)) return captured.length > 0
  return captured !== null && captured !== undefined && captured !== false
}
