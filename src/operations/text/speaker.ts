import type { LabelName } from '../../domain/labels.ts'

/** The source of words, as a person says it. */
export function speaker(label: LabelName, door: string | null = null): string {
  switch (label) {
    case 'UserAsserted':
      return 'a person'
    case 'ExternalFirstHand':
      return door === 'lib' ? 'the host' : 'a tool'
    case 'ModelDerived':
      return 'a model'
    case 'RecallReEntry':
      return 'an echo'
  }
}
