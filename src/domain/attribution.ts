import { MunimentError } from './errors.ts'
import { type Label, type LabelName, label, labelName } from './labels.ts'

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
