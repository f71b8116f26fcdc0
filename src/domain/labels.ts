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
