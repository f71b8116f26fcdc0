import { expect, test } from 'vitest'
import { holds } from '../../tests/support/holds.ts'
import { type Hash, KINDS } from '../domain/ids.ts'
import { buildPolicy } from '../domain/policy.ts'
import { type Loadable, priorityOf } from './pack.ts'

const policy = buildPolicy(() => '0'.repeat(64) as Hash) // no lexicon is read here
const of = (memory: Partial<Loadable>): number | null =>
  priorityOf(
    { kind: 'note', subtype: null, weight: null, strengthTier: 'strong', ...memory },
    policy,
  )

holds('S-77', 'every kind starts at the priority that the table gives it', () => {
  const summaries = ['decade', 'epoch', 'year', 'quarter', 'month'] as const
  expect(summaries.map((subtype) => of({ kind: 'summary', subtype }))).toEqual([
    0.95, 0.85, 0.8, 0.5, 0.35,
  ])
  expect(KINDS.map((kind) => `${kind} ${of({ kind })}`)).toEqual([
    'raw null',
    'episode 0.4',
    'note 0.35',
    'claim 0.55',
    'belief 0.7',
    'goal 0.65',
    'relationship 0.3',
    'value 0.9',
    'drive 0.6',
    'playbook 0.5',
    'summary 0.35',
    'self_narrative 0.9',
    'epoch null',
  ])
})

holds('S-78', 'priority, confidence and intensity raise a value, a belief and a drive', () => {
  expect(of({ kind: 'value', weight: 90 })).toBeCloseTo(0.99)
  expect(of({ kind: 'belief', weight: 0.8 })).toBeCloseTo(0.78)
  expect(of({ kind: 'drive', weight: 0.5 })).toBeCloseTo(0.65)
  for (const kind of ['value', 'belief', 'drive'] as const)
    expect(of({ kind, weight: 1 })).toBeGreaterThan(of({ kind, weight: 0.5 }) ?? 1)
  expect(of({ kind: 'goal', weight: 1 })).toBe(0.65)
})

test('a fading memory comes half as soon, bonus and all; a fainter one does not come', () => {
  expect(of({ kind: 'belief', weight: 0.8, strengthTier: 'fading' })).toBeCloseTo(0.39)
  for (const strengthTier of ['weak', 'dormant', 'forgotten'] as const)
    expect(of({ strengthTier })).toBeNull()
})

test('a scope that the table does not have starts where its kind does', () => {
  expect(of({ kind: 'summary', subtype: 'toString' })).toBe(0.35)
  expect(of({ kind: 'note', subtype: 'decade' })).toBe(0.35)
})
