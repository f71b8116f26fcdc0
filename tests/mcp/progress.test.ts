import { expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { linkedTo } from './support/linked.ts'

async function connected() {
  const stack = await openStack('progress', { store: new MemoryStore() })
  const me = new Entity('me')
  await me.attachStack(stack)
  for (let i = 0; i < 600; i += 1) await me.raw(`words ${i}`)
  return linkedTo(stack)
}

test('long work tells how far it is', async () => {
  const { client } = await connected()
  const told: { progress: number; total?: number | undefined }[] = []
  const options = { onprogress: (each: (typeof told)[number]) => void told.push(each) }
  const said = await client.callTool({ name: 'meta_audit', arguments: {} }, options)
  expect(said.structuredContent).toMatchObject({ result: { ok: true } })
  expect(told.length).toBeGreaterThan(0)
  expect(told.at(-1)?.progress).toBe(told.at(-1)?.total)
})

test('what is called off ends without a fault, and the next call is answered', async () => {
  const { client, faults } = await connected()
  const ending = new AbortController()
  const options = { signal: ending.signal, onprogress: () => ending.abort() }
  await expect(client.callTool({ name: 'meta_audit', arguments: {} }, options)).rejects.toThrow()
  const said = await client.callTool({ name: 'meta_stats', arguments: {} })
  expect(said.structuredContent).toMatchObject({ result: { raw: 600 } })
  expect(faults).toEqual([])
})
