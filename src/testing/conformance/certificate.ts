import type { Hash, Ref } from '../../domain/ids.ts'
import { label } from '../../domain/labels.ts'
import type { Provenance } from '../../domain/provenance.ts'
import type { Instant } from '../../domain/time.ts'

/** A complete birth certificate of a memory from a host, for stores to keep. */
export const certificateFor = (of: {
  readonly sourceId: string
  readonly time: Instant
  readonly contentHash: Hash
  readonly policyHash: Hash
  readonly parents: readonly Ref[]
}): Provenance => ({
  sourceType: 'direct_experience',
  label: label.firstHand(),
  sourceId: of.sourceId,
  sourceEntity: null,
  ingestionPath: 'lib:test',
  timestamp: of.time,
  eventTime: null,
  session: null,
  turn: null,
  relayed: false,
  captured: false,
  quote: null,
  document: null,
  confidence: 0.8,
  contentHash: of.contentHash,
  policyHash: of.policyHash,
  trustTier: 2,
  llmModel: null,
  derivedFrom: of.parents,
  sourceEpisodes: [],
  depthNearest: 0,
  depthFarthest: 0,
})
