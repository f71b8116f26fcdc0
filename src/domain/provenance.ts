import type { Tier } from './doors.ts'
import type { Hash, MemoryId, Ref } from './ids.ts'
import { type Label, labelName, type Source, type SourceType, sourceOf } from './labels.ts'
import type { Instant } from './time.ts'

/** A verbatim span of a first-hand capture, in UTF-8 bytes of its content text. */
export interface Quote {
  readonly of: Ref
  readonly start: number
  readonly end: number
}

/**
 * The birth certificate, exactly as committed: every member present, absent values null, only an
 * empty `revisedFrom` left out. Nothing rewrites a certificate; a revision carries a certificate of
 * its own (PROV-BIRTH, PROV-FIXED).
 */
export interface Provenance {
  readonly sourceType: SourceType
  readonly label: Label
  readonly sourceId: string
  readonly sourceEntity: string | null
  readonly ingestionPath: string
  readonly timestamp: Instant
  readonly eventTime: Instant | null
  readonly session: string | null
  readonly turn: string | null
  readonly relayed: boolean
  readonly captured: boolean
  readonly quote: Quote | null
  readonly document: string | null
  readonly confidence: number
  readonly contentHash: Hash
  readonly policyHash: Hash
  readonly trustTier: Tier
  readonly llmModel: string | null
  /** Fixed at birth: every revision repeats the list. */
  readonly derivedFrom: readonly Ref[]
  /** Sources that revisions added, oldest first. Absent where no revision added any. */
  readonly revisedFrom?: readonly Ref[]
  readonly sourceEpisodes: readonly Ref[]
  readonly depthNearest: number | null
  readonly depthFarthest: number | null
}

/** All sources of a memory: first the sources at birth, then sources added by revisions. */
export const sourcesIn = ({
  derivedFrom,
  revisedFrom,
}: Pick<Provenance, 'derivedFrom' | 'revisedFrom'>): readonly Ref[] =>
  revisedFrom === undefined ? derivedFrom : [...derivedFrom, ...revisedFrom]

/** Computed members, shown beside the committed members. */
export interface ComputedProvenance {
  readonly source: Source
  readonly parentId: MemoryId | null
  readonly derivationDepth: number | null
}

export const PROVENANCE_FIELDS: readonly Exclude<keyof Provenance, 'revisedFrom'>[] = [
  'sourceType',
  'label',
  'sourceId',
  'sourceEntity',
  'ingestionPath',
  'timestamp',
  'eventTime',
  'session',
  'turn',
  'relayed',
  'captured',
  'quote',
  'document',
  'confidence',
  'contentHash',
  'policyHash',
  'trustTier',
  'llmModel',
  'derivedFrom',
  'sourceEpisodes',
  'depthNearest',
  'depthFarthest',
]

export function computedProvenance(of: Provenance): ComputedProvenance {
  const first = of.derivedFrom[0]
  return {
    source: sourceOf(labelName(of.label), of.sourceType),
    parentId: first === undefined ? null : (first.slice(first.indexOf(':') + 1) as MemoryId), // a ref ends in an id
    derivationDepth: of.depthNearest,
  }
}
