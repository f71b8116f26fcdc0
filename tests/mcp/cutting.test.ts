import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { cutTo } from '../../src/operations/text/words.ts'
import type { ToolContext } from '../../src/operations/tool.ts'
import { runVerify as verify } from '../../src/operations/tools/verify.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'

test('a text is cut between characters, never inside of one', () => {
  expect(cutTo('ab👩cd', 3)).toBe('ab')
  expect(cutTo('ab👩cd', 4)).toBe('ab👩')
  expect(cutTo('short', 100)).toBe('short')
  expect(cutTo('\ud83dx', 5)).toBe('\ufffdx')
})

async function atTool() {
  const stack = await openStack('cut', { store: new MemoryStore() })
  const me = new Entity('me')
  await me.attachStack(stack)
  const { ref } = await me.note('Two deploys failed')
  const context: ToolContext = {
    stack,
    caller: {
      door: 'mcp',
      operation: 'meta_verify',
      person: false,
      grant: null,
      session: null,
      turn: null,
    },
    actor: 'cut:model',
    entity: async () => me,
    model: 'unknown:me',
  }
  return { ref, call: (evidence: string[]) => verify(context, { memory_id: ref, evidence }) }
}

describe('the words of meta_verify', () => {
  test('are kept whole up to their limit', async () => {
    const { call } = await atTool()
    const said = await call(['👩'.repeat(500)])
    expect(said.structured).toMatchObject({ verified: false })
  })

  test('are refused beyond it, by the name of the field they came in', async () => {
    const { call } = await atTool()
    await expect(call(['x'.repeat(600), 'y'.repeat(600)])).rejects.toMatchObject({
      code: 'limit_exceeded',
      issues: [{ path: 'evidence' }],
    })
    await expect(call(['fine', 'half \ud83d'])).rejects.toMatchObject({
      issues: [{ path: 'evidence.1' }],
    })
  })
})
