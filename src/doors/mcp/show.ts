import { labelName } from '../../domain/labels.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import type { Recalled } from '../../engine/read/render.ts'

export interface Shown extends Recalled {
  readonly kind: string
  readonly created_at: string
  readonly source?: string
}

export function shown(memory: Memory, text: string = memory.text): Shown {
  const { ref, kind, tier, confidence, createdAt, provenance } = memory
  const { sourceEntity } = provenance
  return {
    ref,
    kind,
    text,
    label: labelName(provenance.label),
    tier,
    confidence: rounded(confidence),
    created_at: createdAt,
    ...(sourceEntity === null ? {} : { source: sourceEntity }),
  }
}

/** Decaying numbers have many digits and few that matter. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000
