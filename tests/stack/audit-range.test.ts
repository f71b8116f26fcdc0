import { expect, test } from 'vitest'
import { freshEntity } from './support.ts'

test('an audit tells how far it has got', async () => {
  const { me, stack } = await freshEntity()
  for (let count = 0; count < 300; count += 1) await me.raw(`this is number ${count}`)
  const { head } = await stack.audit()
  for (const only of [undefined, 'chain'] as const) {
    const told: number[] = []
    await stack.audit({
      ...(only ? { only } : {}),
      onProgress: ({ done, total }) => {
        expect(total).toBe(head.seq + 1)
        told.push(done)
      },
    })
    expect(told.at(-1)).toBe(head.seq + 1)
  }
})

test('a chain that was looked at up to an entry is taken up there', async () => {
  const { me, stack, store } = await freshEntity()
  for (let count = 0; count < 20; count += 1) await me.raw(`this is number ${count}`)
  const { head } = await stack.audit()
  const part = await stack.audit({ since: 10 })
  expect(part).toMatchObject({ ok: true, head, entries: head.seq - 9 })
  expect(await stack.audit({ since: 10_000 })).toMatchObject({ ok: true, entries: 0 })
  const rows = store.rows(stack.stackId)
  const row = rows.entries[12]
  if (!row) throw new Error('there is an entry 12')
  const bytes = Uint8Array.from(row.bytes)
  bytes[bytes.length - 2] = '2'.charCodeAt(0)
  rows.entries[12] = { ...row, bytes }
  expect((await stack.audit({ since: 10 })).problems[0]).toMatchObject({ seq: 12 })
  expect(await stack.audit({ since: 13 })).toMatchObject({ ok: true })
})
