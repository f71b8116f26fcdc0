import { describe, expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import type { WriteRequest } from '../../src/engine/write/write-request.ts'
import { countingIds } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'
import { at, entriesOf, freshStack, opsOf, papersFor, saying } from './support.ts'

const raw = (content: string, more: Partial<WriteRequest> = {}): WriteRequest => ({
  kind: 'raw',
  body: { content },
  provenance: saying('ExternalFirstHand'),
  ...more,
})

describe('a batch', () => {
  holds(
    ['GATE-ONE-ENTRY', 'LEDGER-ATOMIC'],
    'is written whole, in its order, in one commit',
    async () => {
      const { stack, store } = await freshStack()
      const written = await stack.writeAll([raw('one'), raw('two'), raw('three')])
      expect(written.refused).toBe(false)
      const { head } = store.rows(stack.stackId).tip
      expect([head.seq, head.rev]).toEqual([5, 1])
      expect((await stack.getRaw()).map(({ text }) => text)).toEqual(['three', 'two', 'one'])
      if (!written.refused) {
        expect(written.results.map(({ entry }) => entry.seq)).toEqual([3, 4, 5])
      }
    },
  )

  holds(
    'LINE-REAL',
    'may cite what comes earlier in it, and nothing that comes later',
    async () => {
      const { stack } = await freshStack()
      const ids = countingIds(40)
      const [rawId, noteId] = [ids.next(0), ids.next(0)]
      const source = raw('the source', { id: rawId })
      const note: WriteRequest = {
        kind: 'note',
        id: noteId,
        body: { content: 'made from it' },
        provenance: saying('ExternalFirstHand', { derivedFrom: [`raw:${rawId}` as Ref] }),
      }
      expect(await stack.writeAll([note, source])).toMatchObject({
        refused: true,
        index: 0,
        result: { reasons: ['parent_missing'] },
      })
      expect(await stack.getStats()).toEqual({ total: 0 })
      expect(await stack.writeAll([source, note])).toMatchObject({ refused: false })
      expect(await stack.getStats()).toEqual({ raw: 1, note: 1, total: 2 })
    },
  )

  holds(
    ['GATE-ONE-ENTRY', 'LEDGER-ATOMIC'],
    'with one bad draft leaves one refusal that names its index, and no memory',
    async () => {
      const { stack, store } = await freshStack()
      const orphan: WriteRequest = {
        kind: 'note',
        body: { content: 'made from nothing' },
        provenance: saying('ExternalFirstHand'),
      }
      const written = await stack.writeAll([raw('one'), raw('two'), orphan, raw('four')])
      expect(written).toMatchObject({
        refused: true,
        index: 2,
        result: { rule: 'lineage', ref: null },
      })
      expect(await stack.getStats()).toEqual({ total: 0 })
      expect(opsOf(store, stack)).toEqual(['genesis', 'policy', 'memory.refused'])
      expect(entriesOf(store, stack).at(-1)?.decision).toMatchObject({
        rule: 'lineage',
        disposition: 'Rejected',
        reasons: ['source_needed'],
        facts: { index: 2, drafts: 4 },
      })
      expect(stack.state).toBe('INITIALIZING')
      expect((await stack.ledger.audit()).ok).toBe(true)
    },
  )

  test('with a draft that cannot be read is an error that says which, and leaves nothing', async () => {
    const { stack, store } = await freshStack()
    const forged = raw('two', {
      provenance: saying('ExternalFirstHand', { contentHash: 'f'.repeat(64) as never }),
    })
    await expect(stack.writeAll([raw('one'), forged])).rejects.toMatchObject({
      code: 'invalid_provenance',
      message: expect.stringContaining('1'),
    })
    await expect(stack.writeAll([raw('one'), raw('')])).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect(store.rows(stack.stackId).entries).toEqual([])
  })

  holds('PROV-DOOR', 'is bounded by its door like a single write', async () => {
    const { stack } = await freshStack()
    const person = raw('I am the user', { provenance: saying('UserAsserted') })
    expect(await stack.writeAll([raw('x'), person], at('mcp'))).toMatchObject({
      refused: true,
      index: 0,
      result: { rule: 'origin' },
    })
    expect(await stack.getStats()).toEqual({ total: 0 })
  })

  test('of nothing is nothing', async () => {
    const { stack, store } = await freshStack()
    expect(await stack.writeAll([])).toEqual({ refused: false, results: [] })
    expect(await stack.saveNotesBatch([])).toEqual([])
    expect(store.rows(stack.stackId).entries).toEqual([])
  })

  holds(
    'LINE-ACYCLIC',
    'saves and does not revise, so that it cannot close a circle within itself',
    async () => {
      const { stack } = await freshStack()
      const ids = countingIds(41)
      const [one, two, source] = [ids.next(0), ids.next(0), ids.next(0)]
      await stack.write(raw('the source', { id: source }))
      const claim = (id: string, from: string, value: number): WriteRequest => ({
        kind: 'claim',
        id,
        body: { subject: 'a', predicate: 'b', value },
        provenance: saying('ModelDerived', { derivedFrom: [from as Ref] }),
      })
      await stack.write(claim(one, `raw:${source}`, 1))
      const revised = { ...claim(one, `claim:${two}`, 3), revises: { expectedVersion: 1 } }
      await expect(stack.writeAll([claim(two, `claim:${one}`, 2), revised])).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('revise'),
      })
      expect(await stack.getStats()).toEqual({ raw: 1, claim: 1, total: 2 })
      // Nor can two writes that only happen to wait together.
      const [child, circle] = await Promise.all([
        stack.write(claim(two, `claim:${one}`, 2)),
        stack.write(revised),
      ])
      expect([child?.ref, circle?.ref]).toEqual([`claim:${two}`, null])
      expect(await stack.history.trace(`claim:${one}`)).toHaveLength(2)
      expect((await stack.ledger.audit()).ok).toBe(true)
    },
  )
})

test('the low-level batches save all or throw', async () => {
  const { stack } = await freshStack()
  const first = await stack.write(raw('one'))
  const bodies = ['a', 'b', 'c'].map((letter) => ({ content: `note ${letter}` }))
  const derivedFrom = first.ref ? [first.ref] : []
  const records = await Promise.all(
    bodies.map(async (body) => ({
      ...body,
      provenance: await papersFor(stack, 'note', body, { derivedFrom }),
    })),
  )
  const ids = await stack.saveNotesBatch(records)
  expect(ids).toHaveLength(3)
  const [bad] = records
  if (!bad) throw new Error('there are three')
  const orphan = { ...bad, content: 'note d' }
  const provenance = await papersFor(stack, 'note', { content: 'note d' })
  await expect(stack.saveNotesBatch([bad, { ...orphan, provenance }])).rejects.toMatchObject({
    code: 'refused',
    facts: { rule: 'lineage' },
  })
  expect(await stack.getStats()).toMatchObject({ note: 3 })
})
