import type { LabelName } from './labels.ts'

/** Ways in which a memory came to be. Entity-neutral: no type says whether the source was human. */
export const SOURCE_TYPES = [
  'direct_experience',
  'inference',
  'consolidation',
  'external',
  'seed',
  'observation',
] as const

export type SourceType = (typeof SOURCE_TYPES)[number]

const names: ReadonlySet<string> = new Set(SOURCE_TYPES)

export const isSourceType = (text: unknown): text is SourceType =>
  typeof text === 'string' && names.has(text)

/** An inference hop: the memory was reasoned from others, not observed. */
export const isInferential = (label: LabelName, sourceType: SourceType): boolean =>
  label === 'ModelDerived' || sourceType === 'inference' || sourceType === 'consolidation'

/** Pairs that contradict themselves: a model seeds nothing, and an echo was never experienced. */
const SENSELESS: Readonly<Record<LabelName, readonly SourceType[]>> = {
  UserAsserted: [],
  ExternalFirstHand: [],
  RecallReEntry: ['direct_experience', 'seed', 'observation'],
  ModelDerived: ['seed'],
}

export const pairMakesSense = (label: LabelName, sourceType: SourceType): boolean =>
  !SENSELESS[label].includes(sourceType)

export type Source = 'user_input' | 'llm_generation' | 'retrieved' | 'system'

const SOURCE_OF_LABEL: Readonly<Record<LabelName, Source>> = {
  UserAsserted: 'user_input',
  ExternalFirstHand: 'retrieved',
  RecallReEntry: 'retrieved',
  ModelDerived: 'llm_generation',
}

/** The coarse origin for audits; computed, so the label can never disagree. */
export const sourceOf = (label: LabelName, sourceType: SourceType): Source =>
  sourceType === 'seed' ? 'system' : SOURCE_OF_LABEL[label]
