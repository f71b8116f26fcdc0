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
  /** Where a claim stands in its line; empty for every other kind. */
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
  const told = metadata as unknown as Metadata // as the search writes it; a component may leave some out
  const signals = told.explained?.signals ?? []
  return {
    ref: told.ref ?? `${memoryType}:${memoryId}`,
    kind: memoryType,
    text: content,
    score,
    strength: told.strength ?? 0,
    confidence: told.confidence ?? 0,
    tier: told.tier ?? 0,
    createdAt: told.createdAt ?? '',
    label: told.provenance?.label ?? { type: 'ModelDerived' },
    actor: told.provenance?.sourceId ?? '',
    disposition: told.disposition ?? '',
    standing: told.standing ?? '',
    explained: told.explained ?? null,
    strongest: Math.max(0, ...signals.map(({ share }) => Math.abs(share))),
  }
}
