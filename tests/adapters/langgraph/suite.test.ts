import { InMemoryStore } from '@langchain/langgraph-checkpoint'
import { describe, expect, test } from 'vitest'
import { StackStore } from '../../../src/adapters/langgraph/index.ts'
import { openStack } from '../../../src/compose/open-stack.ts'
import { LANGGRAPH_STORE_SUITE } from '../../../src/testing/conformance/langgraph-store-suite.ts'
import { scratch } from '../../cli/support/scratch.ts'
import { freshStack } from '../../stack/support.ts'
import { runCases } from '../../support/holds.ts'

describe('LangGraph’s own store in memory', () => {
  runCases(LANGGRAPH_STORE_SUITE, () => ({ store: new InMemoryStore() }))
})

describe('a store over a stack in memory', () => {
  runCases(LANGGRAPH_STORE_SUITE, async () => ({
    store: new StackStore((await freshStack()).stack),
  }))
})

describe('a store over a stack in a file', () => {
  runCases(LANGGRAPH_STORE_SUITE, async (context) => {
    const stack = await openStack('items', { home: scratch() })
    context.onTestFinished(() => stack.close())
    return { store: new StackStore(stack) }
  })
})

/** A store that forgets to keep what it is told to. */
class DeafStore extends InMemoryStore {
  override async put(): Promise<void> {}
}

test('the suite fails a store that keeps nothing', async () => {
  const failed: string[] = []
  for (const { title, run } of LANGGRAPH_STORE_SUITE) {
    await Promise.resolve(run({ store: new DeafStore() })).catch(() => failed.push(title))
  }
  expect(failed.length).toBeGreaterThan(LANGGRAPH_STORE_SUITE.length / 2)
})
