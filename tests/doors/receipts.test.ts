import { expect } from 'vitest'
import { Entity } from '../../src/core/entity.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import type { DoorContext } from '../../src/doors/operate/context.ts'
import { operate } from '../../src/doors/operate.ts'
import { rightOf } from '../../src/protocol/operation.ts'
import { OPERATIONS, type OperationName } from '../../src/protocol/operations.ts'
import type { Stack } from '../../src/stack/stack.ts'
import { MemoryReceipts } from '../../src/stores/memory/receipts.ts'
import { at, freshStack } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { lostOf, type Planted, plant } from './support/planted.ts'

/** What each operation is asked; where a memory is meant, every memory is. */
function inputsFor(name: OperationName, planted: readonly Planted[]): readonly object[] {
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
    case 'explain':
      return planted.map(({ ref, word }) => ({ query: word, ref, minTier: 0 }))
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
    case 'line':
      return [{ subject: 'wall', predicate: 'colour' }]
    case 'subject':
      return [{ subject: 'wall' }]
    case 'lines':
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
    case 'show':
    case 'why':
    case 'trace':
    case 'impact':
    case 'history':
    case 'prove':
    case 'prov':
    case 'certificate':
      return ofEach()
    default:
      return [{}]
  }
}

const READS = (Object.keys(OPERATIONS) as OperationName[]).filter(
  (name) => rightOf(OPERATIONS[name], { dryRun: true }) === 'read',
)

/** A model at a door that says in which talk it is. */
const contextOf = (stack: Stack, entity: Entity, session: string): DoorContext => ({
  stack,
  entity,
  caller: at('mcp', { session }),
  actor: 'test:model',
  model: 'model-1',
})

holds(
  'FIREWALL-CONTEXT',
  'no operation that reads gives a word out without a receipt of it and without lowering the floor',
  async () => {
    const receipts = new MemoryReceipts()
    const { stack } = await freshStack({ receipts })
    const entity = new Entity('door', { modelId: 'model-1' })
    await entity.attachStack(stack)
    const planted = await plant(stack)
    expect(READS.length).toBeGreaterThan(30)
    const gave = new Set<OperationName>()
    const lost: string[] = []
    for (const name of READS) {
      for (const [turn, input] of inputsFor(name, planted).entries()) {
        const session = `${name} ${turn}`
        let answer: unknown
        try {
          answer = await operate(contextOf(stack, entity, session), name, input)
        } catch (error) {
          if (!(error instanceof MunimentError)) throw error
          continue
        }
        const text = JSON.stringify(answer ?? null)
        const given = { text, asked: JSON.stringify(input), session }
        const found = await lostOf({ stack, receipts, planted }, given)
        if (found.hasGiven) gave.add(name)
        lost.push(...found.lost.map((what) => `${name} ${given.asked}: ${what}`))
      }
    }
    expect(lost).toEqual([])
    // Or nothing was looked at.
    for (const name of [
      'search',
      'recall',
      'render',
      'load',
      'list',
      'show',
      'why',
      'trace',
      'impact',
      'history',
      'diff',
      'uncertain',
      'ask',
      'line',
      'subject',
      'lines',
      'dump',
      'erase',
      'review',
      'prove',
    ] as const) {
      expect([...gave], name).toContain(name)
    }
  },
)
