import { expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { type ErrorCode, MunimentError } from '../../src/domain/errors.ts'
import type { StackId } from '../../src/domain/ids.ts'
import type { Answer, Reader, ReadQuery } from '../../src/ports/store.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { linkedTo } from './support/linked.ts'

const PLACE = '/srv/somewhere/stacks/default.db'

/** A store whose reading fails as if the disk did. */
class Failing extends MemoryStore {
  code: ErrorCode | null = null

  #give(): void {
    if (this.code !== null) throw new MunimentError(this.code, `${PLACE} is gone`, { hint: PLACE })
  }

  override async read<Q extends ReadQuery>(stack: StackId, query: Q): Promise<Answer<Q>> {
    this.#give()
    return super.read(stack, query)
  }

  override async snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    this.#give()
    return super.snapshot(work)
  }
}

async function connected() {
  const store = new Failing()
  const stack = await openStack('ground', { store })
  await stack.control.activate()
  return { ...(await linkedTo(stack)), store }
}

const GIVING_WAY = ['store_unavailable', 'store_corrupt', 'data_loss'] as const

test.each(GIVING_WAY)('a tool tells of %s by its code, and the log has the rest', async (code) => {
  const { client, faults, store } = await connected()
  const before = await client.callTool({ name: 'meta_stats', arguments: {} })
  expect(before.isError ?? false).toBe(false)
  store.code = code
  const said = await client.callTool({ name: 'meta_stats', arguments: {} })
  expect(said.isError).toBe(true)
  expect(JSON.stringify(said)).toContain(code)
  expect(JSON.stringify(said)).not.toContain('somewhere')
  expect(faults).toMatchObject([{ code, message: `${PLACE} is gone` }])
})

test('resources and prompts tell no more than tools do', async () => {
  const { client, faults, store } = await connected()
  await client.readResource({ uri: 'memory://stats' })
  store.code = 'store_unavailable'
  const read = client.readResource({ uri: 'memory://stats' })
  await expect(read).rejects.toThrow('store_unavailable: The store cannot be reached.')
  const prompt = client.getPrompt({ name: 'review', arguments: {} })
  await expect(prompt).rejects.toThrow('store_unavailable: The store cannot be reached.')
  expect(faults).toHaveLength(2)
})

test('what passes by itself is no fault for the log', async () => {
  const { client, faults, store } = await connected()
  store.code = 'store_busy'
  const said = await client.callTool({ name: 'meta_stats', arguments: {} })
  expect(JSON.stringify(said)).toContain('again in a moment')
  expect(JSON.stringify(said)).not.toContain('somewhere')
  expect(faults).toEqual([])
})
