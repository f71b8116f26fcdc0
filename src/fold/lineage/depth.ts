import type { RecordKind } from '../../domain/ids.ts'
import { isFirstHand, isInferential, type LabelName, type SourceType } from '../../domain/labels.ts'

/** Inference hops to first-hand memory. Null: none was found, which counts as over every cap. */
export interface Depth {
  readonly depthNearest: number | null
  readonly depthFarthest: number | null
}

export interface DepthSubject {
  readonly kind: RecordKind
  readonly label: LabelName
  readonly sourceType: SourceType
  /** Whether its kind may revise one of its own: that restates a conclusion and adds no hop. */
  readonly revises: boolean
}

export interface DepthParent extends Depth {
  readonly kind: RecordKind
}

export const NO_DEPTH: Depth = { depthNearest: null, depthFarthest: null }

/**
 * Computed from the parents' own depths, so that its cost is the number of parents. The farthest
 * hop is kept beside the nearest: citing one first-hand parent must not launder the others.
 */
export function depthOf(subject: DepthSubject, parents: readonly DepthParent[]): Depth {
  const inferential = isInferential(subject.label, subject.sourceType)
  if (isFirstHand(subject.label) && !inferential) return { depthNearest: 0, depthFarthest: 0 }
  if (parents.length === 0) return NO_DEPTH
  let nearest: number | null = null
  let farthest: number | null = 0
  for (const parent of parents) {
    const isRevision = subject.revises && parent.kind === subject.kind
    const step = inferential && !isRevision ? 1 : 0
    if (parent.depthNearest !== null) {
      nearest = Math.min(nearest ?? Number.POSITIVE_INFINITY, parent.depthNearest + step)
    }
    if (parent.depthFarthest === null) farthest = null
    else if (farthest !== null) farthest = Math.max(farthest, parent.depthFarthest + step)
  }
  return { depthNearest: nearest, depthFarthest: farthest }
}

export const isOverCap = (depthFarthest: number | null, cap: number): boolean =>
  depthFarthest === null || depthFarthest > cap
