import { MunimentError } from './errors.ts'

/** The channel of a memory. The wire shapes are fixed; nothing in content changes a label. */
export type Label =
  | { readonly type: 'External'; readonly kind: 'UserAsserted' }
  | { readonly type: 'External'; readonly kind: 'ExternalFirstHand' }
  | { readonly type: 'RecallReEntry' }
  | { readonly type: 'ModelDerived' }

export const LABEL_NAMES = [
  'UserAsserted',
  'ExternalFirstHand',
  'RecallReEntry',
  'ModelDerived',
] as const

/** The short name of a label, for tables and columns. */
export type LabelName = (typeof LABEL_NAMES)[number]

const LABELS: Readonly<Record<LabelName, Label>> = {
  UserAsserted: Object.freeze({ type: 'External', kind: 'UserAsserted' }),
  ExternalFirstHand: Object.freeze({ type: 'External', kind: 'ExternalFirstHand' }),
  RecallReEntry: Object.freeze({ type: 'RecallReEntry' }),
  ModelDerived: Object.freeze({ type: 'ModelDerived' }),
}

/**
 * Labels for the provenance of a write: who said it.
 * @example await me.note('Ann prefers trains', { label: label.userAsserted() })
 */
export const label = {
  userAsserted: (): Label => LABELS.UserAsserted,
  firstHand: (): Label => LABELS.ExternalFirstHand,
  recallReEntry: (): Label => LABELS.RecallReEntry,
  modelDerived: (): Label => LABELS.ModelDerived,
} as const

export const labelNamed = (name: LabelName): Label => LABELS[name]

export const labelName = (of: Label): LabelName => (of.type === 'External' ? of.kind : of.type)

/** Labels for a person's words and a tool's observations. */
export const FIRST_HAND: readonly LabelName[] = ['UserAsserted', 'ExternalFirstHand']

export const isFirstHand = (of: Label | LabelName): boolean =>
  FIRST_HAND.includes(typeof of === 'string' ? of : labelName(of))

/** A label exactly as on the wire, or undefined. Extra members are refused. */
export function tryParseLabel(value: unknown): Label | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const [first, second, ...more] = Object.keys(value)
  if (more.length > 0) return undefined
  const { type, kind } = value as { type?: unknown; kind?: unknown } // both are checked below
  const isPair = (first === 'kind' && second === 'type') || (first === 'type' && second === 'kind')
  if (type === 'External' && isPair) {
    return kind === 'UserAsserted' || kind === 'ExternalFirstHand' ? LABELS[kind] : undefined
  }
  if (first !== 'type' || second !== undefined) return undefined
  return type === 'RecallReEntry' || type === 'ModelDerived' ? LABELS[type] : undefined
}

/**
 * Ways in which a memory came to be. Entity-neutral: no type says whether the source was human.
 * @example console.log(SOURCE_TYPES.join(', '))
 */
export const SOURCE_TYPES = [
  'direct_experience',
  'inference',
  'consolidation',
  'external',
  'seed',
  'observation',
] as const

/** The way a memory came to be. */
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

/** A host may state the author of the words. Without either option a model is the author. */
export interface Attribution {
  /** The host observed this: `ExternalFirstHand`. Only a raw capture is observed by default. */
  readonly observed?: boolean
  /** The person who spoke: `UserAsserted`, and the person is the actor. */
  readonly saidBy?: string
}

/** The label and the actor that a call states; a member is absent where the call states none. */
export interface StatedAuthor {
  readonly label?: Label
  readonly actor?: string
}

interface AttributedCall extends Attribution {
  readonly label?: Label
  readonly actor?: string
}

/** Options that contradict each other are an error: no label wins silently. */
export function authorStated(call: AttributedCall): StatedAuthor {
  const { observed, saidBy, label: claimed, actor } = call
  if (observed !== undefined && typeof observed !== 'boolean') {
    throw invalid('observed', 'expected true or false')
  }
  if (saidBy !== undefined && (typeof saidBy !== 'string' || saidBy.trim() === '')) {
    throw invalid('saidBy', 'expected the name of a person')
  }
  const explicit = claimed === undefined ? undefined : nameOf(claimed)
  if (saidBy !== undefined) {
    if (observed === true) throw contradicts('observed', 'saidBy')
    if (explicit !== undefined && explicit !== 'UserAsserted') throw contradicts('saidBy', 'label')
    if (actor !== undefined && actor !== saidBy) throw contradicts('saidBy', 'actor')
    return { label: label.userAsserted(), actor: saidBy }
  }
  const isClash = explicit !== undefined && (explicit === 'ExternalFirstHand') !== observed
  if (isClash && observed !== undefined) throw contradicts('observed', 'label')
  const stated = claimed ?? LABEL_OF[String(observed)]
  return { ...(stated && { label: stated }), ...(actor === undefined ? {} : { actor }) }
}

const LABEL_OF: Readonly<Record<string, Label>> = {
  true: label.firstHand(),
  false: label.modelDerived(),
}

/** A label that cannot be read agrees with no option; its own parser refuses it later. */
const nameOf = (claimed: Label): LabelName | null => {
  try {
    return labelName(claimed)
  } catch {
    return null
  }
}

const invalid = (path: string, message: string): MunimentError =>
  new MunimentError('invalid_input', `Not saved: ${path} is not valid, ${message}.`, {
    hint: 'observed: true for what the host saw itself; saidBy: "ann" for what a person said.',
    issues: [{ path, message }],
  })

const contradicts = (path: string, other: string): MunimentError =>
  new MunimentError('invalid_input', `Not saved: ${path} and ${other} contradict each other.`, {
    hint: `Give one of them: observed: true for what the host saw itself, saidBy: "ann" for what a person said.`,
    issues: [{ path, message: `contradicts ${other}` }],
  })
