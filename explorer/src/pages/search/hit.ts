import type { Label } from '../../../../src/domain/labels.ts'
import type { Explained } from '../../../../src/engine/search/explained.ts'
import type { SearchResult } from '../../../../src/ports/component.ts'

/** A result with everything that its metadata says. */
export interface Found {
  readonly ref: string
  readonly kind: string
  readonly text: string
  readonly score: number
  readonly strength: number
  readonly confidence: number
  readonly tier: number
  readonly createdAt: string
  readonly label: Label
  readonly actor: string
  readonly disposition: string
  /** State of a claim in its timeline; empty for every other kind. */
  readonly standing: string
  readonly explained: Explained | null
  /** The largest share of any signal. */
  readonly strongest: number
}

interface Metadata {
  readonly ref?: string
  readonly strength?: number
  readonly confidence?: number
  readonly tier?: number
  readonly createdAt?: string
  readonly disposition?: string
  readonly standing?: string
  readonly provenance?: { readonly label: Label; readonly sourceId: string }
  readonly explained?: Explained
}

export function hitOf({ memoryType, memoryId, content, score, metadata }: SearchResult): Found {
  const written = metadata as unknown as Metadata // as the search writes it; a component may leave some out
  const signals = written.explained?.signals ?? []
  return {
    ref: written.ref ?? `${memoryType}:${memoryId}`,
    kind: memoryType,
    text: content,
    score,
    strength: written.strength ?? 0,
    confidence: written.confidence ?? 0,
    tier: written.tier ?? 0,
    createdAt: written.createdAt ?? '',
    label: written.provenance?.label ?? { type: 'ModelDerived' },
    actor: written.provenance?.sourceId ?? '',
    disposition: written.disposition ?? '',
    standing: written.standing ?? '',
    explained: written.explained ?? null,
    strongest: Math.max(0, ...signals.map(({ share }) => Math.abs(share))),
  }
}
