import type { LabelName, SourceType } from '../../src/domain/labels.ts'
import type { DraftPick, WayPick } from './picks.ts'
import { doorTier, isSenseless } from './reference/tables.ts'
import type { GateDraft } from './steps.ts'

/** The label itself where the door takes it or it is tried anyway, else the first it takes. */
export function labelOf({ label, isAllowed }: DraftPick, way: WayPick): LabelName {
  if (!isAllowed) return label
  const order = [label, 'ModelDerived', 'UserAsserted', 'RecallReEntry'] as const
  return order.find((name) => doorTier({ ...way, label: name }) !== null) ?? label
}

/** The nearest pair that makes sense. */
export function sensible({
  label,
  sourceType,
}: Pick<GateDraft, 'label' | 'sourceType'>): SourceType {
  return isSenseless({ label, sourceType }) ? 'inference' : sourceType
}
