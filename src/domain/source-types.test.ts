import { describe, expect, test } from 'vitest'
import {
  isInferential,
  isSourceType,
  LABEL_NAMES,
  pairMakesSense,
  SOURCE_TYPES,
  sourceOf,
} from './labels.ts'

describe('source types', () => {
  test('are six, and nothing else is one', () => {
    expect(SOURCE_TYPES).toEqual([
      'direct_experience',
      'inference',
      'consolidation',
      'external',
      'seed',
      'observation',
    ])
    expect(['processing', 'unknown', '', null, 'Seed'].some(isSourceType)).toBe(false)
  })

  test('that contradict their label make no sense with it', () => {
    const senseless = LABEL_NAMES.flatMap((label) =>
      SOURCE_TYPES.filter((type) => !pairMakesSense(label, type)).map((type) => `${label} ${type}`),
    )
    expect(senseless).toEqual([
      'RecallReEntry direct_experience',
      'RecallReEntry seed',
      'RecallReEntry observation',
      'ModelDerived seed',
    ])
  })

  test('tell a hop of reasoning from what was met with', () => {
    const hops = LABEL_NAMES.flatMap((label) =>
      SOURCE_TYPES.filter((type) => isInferential(label, type)).map((type) => `${label} ${type}`),
    )
    expect(hops.filter((pair) => pair.startsWith('ModelDerived'))).toHaveLength(6)
    expect(hops.filter((pair) => !pair.startsWith('ModelDerived'))).toEqual([
      'UserAsserted inference',
      'UserAsserted consolidation',
      'ExternalFirstHand inference',
      'ExternalFirstHand consolidation',
      'RecallReEntry inference',
      'RecallReEntry consolidation',
    ])
  })

  test('give the coarse source: a seed is the system’s, the rest follows the label', () => {
    expect(LABEL_NAMES.map((label) => sourceOf(label, 'external'))).toEqual([
      'user_input',
      'retrieved',
      'retrieved',
      'llm_generation',
    ])
    expect(sourceOf('UserAsserted', 'seed')).toBe('system')
  })
})
