import { describe, expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import { operate } from '../../src/operations/operate.ts'
import type { OperationName } from '../../src/operations/operations.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryReceipts } from '../../src/stores/memory/receipts.ts'
import { at, freshStack } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { plantBeside } from './support/planted-beside.ts'

const ask = async (
  { stack, entity }: { readonly stack: Stack; readonly entity: Entity },
  session: string,
  [name, input]: readonly [OperationName, object],
): Promise<string> => {
  const context = { stack, entity, caller: at('mcp', { session }), actor: 'agent', model: 'm' }
  try {
    return JSON.stringify((await operate(context, name, input)) ?? null)
  } catch (error) {
    if (!(error instanceof MunimentError)) throw error
    return ''
  }
}

async function sceneOf() {
  const receipts = new MemoryReceipts()
  const { stack } = await freshStack({ receipts })
  const entity = new Entity('door', { modelId: 'model-1' })
  await entity.attachStack(stack)
  return { stack, receipts, entity, planted: await plantBeside(stack) }
}

describe('words that a session of no standing put beside memories of some', () => {
  holds('SCOPE-BOUND', 'are given out for no use that takes more than they have', async () => {
    const scene = await sceneOf()
    const { planted } = scene
    for (const [name, more] of [
      ['why', {}],
      ['show', {}],
      ['why', { impact: true }],
      ['list', { all: true, limit: 100 }],
    ] as const) {
      for (const { ref } of planted) {
        const input = name === 'list' ? more : { ref, ...more }
        for (const use of ['plan', 'act'] as const) {
          const text = await ask(scene, `${name} ${use} ${ref}`, [name, { ...input, for: use }])
          expect(text).not.toBe('')
          expect(planted.filter(({ word }) => text.includes(word))).toEqual([])
        }
      }
    }
  })
})
