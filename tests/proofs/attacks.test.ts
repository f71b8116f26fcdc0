import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Entry } from '../../src/domain/entry.ts'
import { readEntry, storeEntry } from '../../src/ledger/ledger.ts'
import { appendLeaf, emptyFrontier } from '../../src/ledger/merkle.ts'
import { verifyHeads } from '../../src/ledger/verify/index.ts'
import type { Rows } from '../../src/stores/memory/rows.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { linesOf, restored } from '../stack/bundles.ts'
import { freshEntity } from '../stack/support.ts'
import { testSha256 } from '../support/world.ts'

/** Somebody who owns the file: entries as he likes them, and every hash worked out anew. */
function rewrite(rows: Rows, edit: (entries: Entry[]) => void): void {
  const entries = rows.entries.map(({ bytes }) => readEntry(bytes))
  edit(entries)
  rows.entries = []
  let prevHash = entries[0]?.prevHash
  let tree = emptyFrontier
  for (const [seq, entry] of entries.entries()) {
    if (prevHash === undefined) return
    const stored = storeEntry(testSha256, { ...entry, seq, prevHash })
    rows.entries.push({ seq, bytes: stored.bytes, hash: stored.hash, prevHash })
    tree = appendLeaf(testSha256, tree, stored.hash)
    prevHash = stored.hash
  }
  const last = entries.at(-1)
  if (!last || prevHash === undefined) return
  rows.tip = {
    head: { ...rows.tip.head, seq: entries.length - 1, hash: prevHash },
    time: last.time,
    tree,
  }
}

const ATTACKS: readonly (readonly [
  what: string,
  attack: (entries: Entry[]) => void,
  code: string,
])[] = [
  [
    'an entry edited, every hash worked out anew',
    (entries) => {
      const [entry] = entries.splice(6, 1)
      if (entry) entries.splice(6, 0, { ...entry, time: entries[5]?.time ?? entry.time, tier: 3 })
    },
    'head.rewritten',
  ],
  [
    'two entries swapped',
    (entries) => {
      const [entry] = entries.splice(5, 1)
      if (entry) entries.splice(6, 0, entry)
    },
    'head.rewritten',
  ],
  [
    'an entry inserted',
    (entries) => {
      const entry = entries[5]
      if (entry) entries.splice(5, 0, entry)
    },
    'head.rewritten',
  ],
  ['the log cut short', (entries) => void entries.splice(6), 'head.rollback'],
]

describe('with a head that somebody else holds', () => {
  for (const [what, attack, code] of ATTACKS) {
    test(`${what}: the chain alone may be fooled, the head is not`, async () => {
      const { me, stack, store } = await freshEntity()
      for (const word of ['one', 'two', 'three', 'four', 'five', 'six']) await me.raw(word)
      const { note } = await stack.ledger.checkpoint()
      expect((await stack.ledger.auditAgainst(note)).ok).toBe(true)
      rewrite(store.rows(stack.stackId), attack)
      const chain = await stack.ledger.audit({ only: 'chain' })
      // Entries that were moved still carry their sealed rows elsewhere; the links all agree.
      expect(chain.problems.every(({ code: each }) => !each.startsWith('entry.'))).toBe(true)
      const against = await (await reopened(stack, store)).ledger.auditAgainst(note)
      expect(against.ok).toBe(false)
      expect(against.problems.map((problem) => problem.code)).toContain(code)
    })
  }

  test('a later cut than the head is not seen: the time between heads is the exposure', async () => {
    const { me, stack, store } = await freshEntity()
    await me.raw('one')
    const { note } = await stack.ledger.checkpoint()
    await me.raw('two')
    rewrite(store.rows(stack.stackId), (entries) => void entries.pop())
    const { problems } = await (await reopened(stack, store)).ledger.auditAgainst(note)
    expect(problems.some(({ code }) => code.startsWith('head.r'))).toBe(false)
  })

  test('a process that hashed the log before it was rewritten is not fooled either', async () => {
    const { me, stack, store } = await freshEntity()
    for (let at = 0; at < 270; at += 1) await me.raw(`word ${at}`) // more than is remembered as one
    const { note } = await stack.ledger.checkpoint()
    expect((await stack.ledger.auditAgainst(note)).ok).toBe(true)
    rewrite(store.rows(stack.stackId), (entries) => {
      const [entry] = entries.splice(6, 1)
      if (entry) entries.splice(6, 0, { ...entry, tier: 3 })
    })
    const { problems } = await stack.ledger.auditAgainst(note)
    expect(problems.map(({ code }) => code)).toContain('head.rewritten')
  })

  test('an entry appended around the gate is an extension like any other, whatever time it claims', async () => {
    const { me, stack, store } = await freshEntity()
    await me.raw('one')
    const { note } = await stack.ledger.checkpoint()
    const claimed = '1999-01-01T00:00:00.000Z'
    const old = await me.raw('two', { eventTime: claimed })
    expect(await stack.getMemory('raw', old.id ?? '')).toMatchObject({
      provenance: { eventTime: claimed },
    })
    expect((await stack.ledger.auditAgainst(note)).ok).toBe(true)
    rewrite(store.rows(stack.stackId), (entries) => {
      const last = entries.pop()
      if (last) entries.push({ ...last, time: entries.at(-1)?.time ?? last.time })
    })
    const { problems } = await (await reopened(stack, store)).ledger.auditAgainst(note)
    expect(problems.filter(({ code }) => code.startsWith('head.'))).toEqual([])
  })

  test('two readers who were shown two logs find out when they compare heads', async () => {
    const { me, stack } = await freshEntity()
    await me.raw('one')
    const shared = await linesOf(stack.transfer.bundle())
    const other = new MemoryStore()
    await restored(other, shared)
    const twin = await openStack(stack.stackId, { store: other })
    const them = new Entity('my-agent')
    await them.attachStack(twin)
    await me.raw('told to one')
    await them.raw('told to the other')
    const [ours, theirs] = [await stack.ledger.checkpoint(), await twin.ledger.checkpoint()]
    expect((await stack.ledger.auditAgainst(ours.note)).ok).toBe(true)
    expect((await twin.ledger.auditAgainst(theirs.note)).ok).toBe(true)
    const { problems } = await stack.ledger.auditAgainst(theirs.note)
    expect(problems[0]?.code).toMatch(/^head\.(rewritten|rollback)$/)
    const proof = await twin.ledger.proveConsistency(ours.size) // which began as a replica, and is longer
    expect(verifyHeads(ours, theirs, proof)).toEqual({ ok: false, codes: ['consistency.fail'] })
  })

  test('the head of another stack says nothing about this one', async () => {
    const { stack } = await freshEntity()
    const other = await freshEntity()
    await other.me.raw('elsewhere')
    const { note } = await other.stack.ledger.checkpoint()
    const foreign = note.replace(/^muniment\/[0-9a-f]+/, `muniment/${'0'.repeat(32)}`)
    expect((await stack.ledger.auditAgainst(foreign)).problems).toMatchObject([
      { code: 'head.foreign' },
    ])
  })
})

test('nothing is signed that the stored bytes do not give', async () => {
  const { me, stack, store } = await freshEntity()
  await me.raw('one')
  const rows = store.rows(stack.stackId)
  const row = rows.entries[2]
  if (!row) throw new Error('no entry')
  const bytes = Uint8Array.from(row.bytes)
  bytes[20] = (bytes[20] ?? 0) ^ 1
  rows.entries[2] = { ...row, bytes }
  await expect(stack.ledger.checkpoint()).rejects.toMatchObject({ code: 'store_corrupt' })
  expect(await stack.ledger.checkpoints()).toEqual([])
})

test('a log that is no extension of the last signed head is not signed', async () => {
  const { me, stack, store } = await freshEntity()
  for (const word of ['one', 'two', 'three']) await me.raw(word)
  await stack.ledger.checkpoint()
  rewrite(store.rows(stack.stackId), (entries) => void entries.splice(4))
  await expect(stack.ledger.checkpoint()).rejects.toMatchObject({ code: 'store_corrupt' })
})

test('a line that is no head does not hide that the log is no extension of the last one', async () => {
  const { me, stack, store } = await freshEntity()
  for (const word of ['one', 'two', 'three']) await me.raw(word)
  await stack.ledger.checkpoint()
  const notes = (await stack.ledger.checkpoints()) as string[] // the shelf's own, in memory
  notes.push('no note at all')
  rewrite(store.rows(stack.stackId), (entries) => void entries.splice(4))
  await expect(stack.ledger.checkpoint()).rejects.toMatchObject({ code: 'store_corrupt' })
})

test('an entry that is not text is told as damage when the ledger is read', async () => {
  const { me, stack, store } = await freshEntity()
  await me.raw('one')
  const rows = store.rows(stack.stackId)
  const [row] = rows.entries.splice(2, 1)
  if (!row) throw new Error('no entry')
  rows.entries.splice(2, 0, { ...row, bytes: Uint8Array.of(0xff, ...row.bytes) })
  await expect(stack.ledger.entries()).rejects.toMatchObject({ code: 'store_corrupt' })
  expect((await stack.ledger.audit()).problems).toContainEqual(
    expect.objectContaining({ code: 'entry.unreadable', seq: 2 }),
  )
})

/** The same stack in another process, which remembers nothing of the tree. */
async function reopened(
  stack: Awaited<ReturnType<typeof freshEntity>>['stack'],
  store: Awaited<ReturnType<typeof freshEntity>>['store'],
) {
  return openStack(stack.stackId, { store })
}
