import { expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import type { DoorContext } from '../../src/operations/context.ts'
import { operate } from '../../src/operations/operate.ts'
import type { OperationName } from '../../src/operations/operations.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryReceipts } from '../../src/stores/memory/receipts.ts'
import { at, freshStack } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { lostOf, plant } from './support/planted.ts'
import { GIVING, inputsFor, READS } from './support/reads.ts'

/** A model at a door that says in which talk it is. */
const contextOf = (stack: Stack, entity: Entity, session: string): DoorContext => ({
  stack,
  entity,
  caller: at('mcp', { session }),
  actor: 'test:model',
  model: 'model-1',
})

holds(
  'READ-RECEIPT',
  'no operation that reads gives a word out without a receipt of it',
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
    for (const name of GIVING) expect([...gave], name).toContain(name)
  },
)
