import { describe, expect, test } from 'vitest'
import { isFirstHand, LABEL_NAMES, label, labelName, labelNamed, tryParseLabel } from './labels.ts'

describe('labels', () => {
  test('have exactly four shapes on the wire', () => {
    expect(LABEL_NAMES.map(labelNamed)).toEqual([
      { type: 'External', kind: 'UserAsserted' },
      { type: 'External', kind: 'ExternalFirstHand' },
      { type: 'RecallReEntry' },
      { type: 'ModelDerived' },
    ])
    for (const name of LABEL_NAMES) {
      expect(labelName(labelNamed(name))).toBe(name)
      expect(tryParseLabel(JSON.parse(JSON.stringify(labelNamed(name))))).toBe(labelNamed(name))
    }
  })

  test('have a helper each', () => {
    const made = [
      label.userAsserted(),
      label.firstHand(),
      label.recallReEntry(),
      label.modelDerived(),
    ]
    expect(made.map(labelName)).toEqual([...LABEL_NAMES])
  })

  test('are first-hand or not', () => {
    expect(LABEL_NAMES.filter((name) => isFirstHand(name))).toEqual([
      'UserAsserted',
      'ExternalFirstHand',
    ])
    expect(isFirstHand(label.userAsserted())).toBe(true)
    expect(isFirstHand(label.modelDerived())).toBe(false)
  })

  test.each([
    null,
    'UserAsserted',
    [],
    {},
    { type: 'External' },
    { type: 'External', kind: 'ModelDerived' },
    { type: 'ModelDerived', kind: 'UserAsserted' },
    { type: 'RecallReEntry', kind: null },
    { type: 'External', kind: 'UserAsserted', tier: 3 },
    { type: 'external', kind: 'UserAsserted' },
    { kind: 'UserAsserted' },
    { type: ['ModelDerived'] },
  ])('are not %j', (value) => {
    expect(tryParseLabel(value)).toBeUndefined()
  })

  test('cannot be changed by whoever holds one', () => {
    expect(() => Object.assign(label.modelDerived(), { type: 'External' })).toThrow(TypeError)
  })
})
