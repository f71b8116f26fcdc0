import { rightOf } from '../../../src/operations/operation.ts'
import { OPERATIONS, type OperationName } from '../../../src/operations/operations.ts'
import type { Planted } from './planted.ts'

/** What each operation is asked; where a memory is meant, every memory is. */
export function inputsFor(name: OperationName, planted: readonly Planted[]): readonly object[] {
  const [words, refs] = [planted.map(({ word }) => word), planted.map(({ ref }) => ref)]
  const ofEach = (more: object = {}) => refs.map((ref) => ({ ref, ...more }))
  switch (name) {
    case 'search':
      return [
        ...words.map((query) => ({ query, minTier: 0 })),
        ...refs.map((whyNot) => ({ query: 'blue', minTier: 0, whyNot })),
      ]
    case 'recall':
      return words.map((query) => ({ query, minTier: 0, explain: true }))
    case 'render':
      return [{}, { for: 'chat' }, ...words.map((query) => ({ query, for: 'chat' }))]
    case 'load':
      return [{ minTier: 0 }, {}]
    case 'list':
      return [{ all: true, limit: 100 }]
    case 'withheld':
      return [{ for: 'act' }]
    case 'diff':
      return [{ from: '0' }]
    case 'uncertain':
      return [{ threshold: 1 }]
    case 'contradictions':
      return words.map((word) => ({
        statement: `The ${word} was never painted blue by everybody here`,
      }))
    case 'ask':
      return [{ subject: 'wall', predicate: 'colour' }, { subject: 'wall' }]
    case 'timeline':
      return [{ subject: 'wall', predicate: 'colour' }]
    case 'timelines':
      return [{}, { about: 'wall' }]
    case 'dump':
      return [{ format: 'json' }, { format: 'markdown' }]
    case 'erase':
      return [...ofEach({ derived: 'erase' }), { actor: 'someone' }, { subject: 'wall' }]
    case 'distrust':
      return [...ofEach(), { actor: 'someone' }, {}]
    case 'review':
      return [{}, ...ofEach()]
    case 'maintain':
      return [{ dryRun: true }]
    case 'components':
      return [
        {},
        ...['knowledge', 'metamemory', 'emotions'].flatMap((each) => [
          { name: each },
          ...ofEach({ name: each }),
        ]),
      ]
    case 'consistency':
      return [{ size: 1 }]
    case 'receipts':
      return [{ of: 'talk' }]
    case 'replay':
      return [...Array(20).keys()].map((seq) => ({ seq }))
    case 'why':
      return [...ofEach(), ...ofEach({ impact: true })]
    case 'show':
    case 'prove':
    case 'prov':
    case 'certificate':
      return ofEach()
    default:
      return [{}]
  }
}

/** Every operation that reads, also as what it falls to. */
export const READS = (Object.keys(OPERATIONS) as OperationName[]).filter(
  (name) => rightOf(OPERATIONS[name], { dryRun: true }) === 'read',
)

/** What gives words out at any door, or nothing was looked at. */
export const GIVING = [
  'search',
  'recall',
  'render',
  'load',
  'list',
  'show',
  'why',
  'diff',
  'uncertain',
  'ask',
  'timeline',
  'timelines',
  'dump',
  'erase',
  'review',
  'prove',
] as const satisfies readonly OperationName[]
