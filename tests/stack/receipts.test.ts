import { existsSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { MemoryId, Ref } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import { toInstant } from '../../src/domain/time.ts'
import type { SearchQuery } from '../../src/ports/component.ts'
import type { Receipt, Receipts } from '../../src/ports/receipts.ts'
import { MemoryReceipts } from '../../src/stores/memory/receipts.ts'
import { SqliteReceipts } from '../../src/stores/sqlite/receipts.ts'
import { fakeClock } from '../../src/testing/world.ts'
import { scratch } from '../cli/support/scratch.ts'
import { runReceiptsSuite } from '../conformance/receipts-suite.ts'
import { at, freshEntity, freshStack } from './support.ts'

const START = Date.parse('2026-01-01T00:00:00.000Z')
const DAY = 86_400_000

const receipt = (n: number, session = 's', ms = START): Receipt => ({
  time: toInstant(ms),
  session,
  turn: null,
  actor: 'test:host',
  door: 'lib',
  operation: 'search',
  ref: `note:01980000-0000-7000-8000-${String(n).padStart(12, '0')}` as Ref, // the shape of one
  tier: 1,
})

const unprinted = (receipt: Receipt) => ({ receipt, print: null })

/** Nobody asks these under a key. */
const KEYLESS = {
  begin: () => Promise.reject(new Error('not asked for')),
  answered: async () => undefined,
  drop: async () => undefined,
}

const refsOf = (receipts: readonly Receipt[]): readonly string[] => receipts.map(({ ref }) => ref)

describe.each([
  ['in memory', (rowsMax: number) => new MemoryReceipts({ rowsMax })],
  [
    'in a file',
    (rowsMax: number) => new SqliteReceipts({ path: path.join(scratch(), 'r'), rowsMax }),
  ],
] as const)('receipts %s', (_, make) => {
  runReceiptsSuite(() => make(100_000))

  test('are given back by session, oldest first', async () => {
    const receipts = make(100)
    const all = [receipt(1), receipt(2, 'other'), receipt(3)]
    await receipts.record(all.map(unprinted))
    expect(await receipts.of('s', toInstant(START))).toEqual([all[0], all[2]])
    expect(await receipts.of('nobody', toInstant(START))).toEqual([])
    await receipts.close()
  })

  test('are bounded: the oldest make room', async () => {
    const receipts = make(3)
    await receipts.record([1, 2].map((n) => unprinted(receipt(n))))
    await receipts.record([3, 4, 5].map((n) => unprinted(receipt(n))))
    const kept = refsOf(await receipts.of('s', toInstant(START)))
    expect(kept).toEqual(refsOf([3, 4, 5].map((n) => receipt(n))))
    await receipts.close()
  })

  test('every print of a memory that a session was served is told once, the latest first', async () => {
    const receipts = make(100)
    const [older, newer] = [Uint32Array.of(0, 0, 1), Uint32Array.of(0, 0, 2)]
    const one = receipt(1)
    for (const print of [newer, older, newer]) await receipts.record([{ receipt: one, print }])
    await receipts.record([unprinted(one)])
    const { ref } = one
    const told = [newer, older].map((print) => ({ ref, print }))
    expect(await receipts.told('s', toInstant(START))).toEqual(told)
    await receipts.close()
  })

  test('what is asked under a key is known again, until a day later or an erasure', async () => {
    const receipts = make(100)
    const [key, print] = ['k', 'p']
    const [first, second] = ['a', 'b'].map((end) => `01980000-0000-7000-8000-00000000000${end}`)
    const asked = (id: string | undefined, ms: number) => ({
      ...{ key, print, at: toInstant(ms) },
      id: id as MemoryId, // the shape of one
    })
    const begin = (id: string | undefined, ms = START) =>
      receipts.begin(asked(id, ms), toInstant(ms - DAY))
    expect(await begin(first)).toEqual({ ...asked(first, START), answer: null })
    expect(await begin(second, START + 1)).toMatchObject({ id: first, answer: null })
    await receipts.answered(key, '{"ref":"x"}')
    expect(await begin(second, START + DAY)).toMatchObject({ id: first, answer: '{"ref":"x"}' })
    expect(await begin(second, START + DAY + 1)).toMatchObject({ id: second, answer: null })
    await receipts.drop(key)
    expect(await begin(first)).toMatchObject({ id: first })
    await receipts.forget({ refs: [], actor: null })
    expect(await begin(second)).toMatchObject({ id: second })
    await receipts.close()
  })

  test('expire', async () => {
    const receipts = make(100)
    await receipts.record([unprinted(receipt(1))])
    await receipts.record([unprinted(receipt(2, 's', START + 31 * DAY))])
    expect(await receipts.of('s', toInstant(START + DAY))).toHaveLength(1)
    await receipts.close()
  })
})

/** A note, a belief on it, and a receipt for each read of them. */
async function told() {
  const fresh = await freshEntity()
  const note = await fresh.me.note('Two deploys failed on locks')
  const belief = await fresh.me.belief('Migrations go first', { derivedFrom: [note.ref] })
  return { ...fresh, note, belief }
}

describe('what a stack serves', () => {
  test('leaves a receipt for every memory, with session, turn, reader and tier', async () => {
    const { stack, note, belief } = await told()
    const [raw] = note.captures
    await stack.search('migrations', { session: 's', turn: 't1', actor: 'me' })
    await stack.load({ session: 's', turn: 't2', actor: 'me' })
    await stack.history.trace(belief.ref, { session: 's', actor: 'me' })
    await stack.history.why(belief.ref, { caller: at('mcp', { session: 's', turn: 't3' }) })
    const found = await stack.history.receipts('s')
    const of = (operation: string) => found.filter((each) => each.operation === operation)
    expect(of('search')).toMatchObject([
      { ref: belief.ref, turn: 't1', actor: 'me', door: 'lib', tier: 1 },
    ])
    expect(refsOf(of('load'))).toEqual([belief.ref, note.ref])
    expect(refsOf(of('trace'))).toEqual([raw, note.ref, belief.ref])
    expect(of('why')).toMatchObject([{}, {}, { door: 'mcp', turn: 't3', actor: 'test:model' }])
    expect(await stack.history.receipts('another')).toEqual([])
  })

  test('leaves receipts whichever way it is read', async () => {
    const { stack, note, belief } = await told()
    const by = { session: 's', actor: 'me' }
    const [, id = ''] = belief.ref.split(':')
    await stack.changes.weaken(note.ref, 1) // what rests on it waits for a look
    const reads: readonly (readonly [string, () => Promise<unknown>, string])[] = [
      ['get_memory', () => stack.getMemory('belief', id, by), belief.ref],
      ['get', () => stack.getBeliefs(by), belief.ref],
      ['list', () => stack.list('belief', by), belief.ref],
      ['history', () => stack.history.belief(belief.ref, by), belief.ref],
      ['impact', () => stack.history.impact(note.ref, by), belief.ref],
      ['uncertain', () => stack.history.uncertain({ threshold: 1, ...by }), belief.ref],
      [
        'contradictions',
        () => stack.claims.contradictions('Migrations never go first', by),
        belief.ref,
      ],
      ['diff', () => stack.history.diff(0, 100, by), belief.ref],
      ['review', () => stack.review.list(by), belief.ref],
    ]
    for (const [operation, read, ref] of reads) {
      await read()
      const left = (await stack.history.receipts('s')).filter(
        (each) => each.operation === operation,
      )
      expect(refsOf(left), operation).toContain(ref)
      expect(left[0], operation).toMatchObject({ actor: 'me', door: 'lib' })
    }
  })

  test('leaves none where no session is known', async () => {
    const recorded: Receipt[] = []
    const receipts: Receipts = {
      record: async (rows) => {
        const served = rows.filter(({ receipt }) => receipt.operation !== 'write') // its own words
        recorded.push(...served.map(({ receipt }) => receipt))
      },
      told: async () => [],
      all: async () => [],
      of: async () => recorded,
      ...KEYLESS,
      forget: async () => {},
      close: async () => {},
    }
    const { stack } = await freshStack({ receipts })
    const me = new Entity('me')
    await me.attachStack(stack)
    const { ref } = await me.note('Two deploys failed on locks')
    await stack.search('deploys')
    await stack.load()
    await stack.history.why(ref)
    expect(recorded).toEqual([])
    await stack.history.trace(ref, { session: 's' })
    expect(recorded).toHaveLength(2)
  })

  test('is served also when receipts cannot be written', async () => {
    const broken: Receipts = {
      record: async () => {
        throw new Error('the disk is full')
      },
      told: async () => [],
      all: async () => [],
      of: async () => [],
      ...KEYLESS,
      forget: async () => {},
      close: async () => {},
    }
    const { stack } = await freshStack({ receipts: broken })
    const me = new Entity('me')
    await me.attachStack(stack)
    await me.note('Two deploys failed on locks')
    expect(await stack.search('deploys', { session: 's' })).toHaveLength(1)
  })

  test('is not told to components: they see the question, not who asks', async () => {
    const asked: SearchQuery[] = []
    const spy = {
      name: 'spy',
      version: '1',
      required: false,
      needsInference: false,
      onSearch: (results: never[], query: SearchQuery) => {
        asked.push(query)
        return results
      },
    }
    const { stack } = await freshStack({ components: [spy] })
    await stack.search('anything', { session: 's', turn: 't', actor: 'a', caller: at('mcp') })
    expect(Object.keys(asked[0] ?? {}).sort()).toEqual(['limit', 'recordTypes', 'text'])
  })

  test('refuses a session that is not text', async () => {
    const { stack } = await freshStack()
    await expect(stack.search('x', { session: ' ' })).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'session' }],
    })
  })
})

describe('beside the file of a stack', () => {
  const opened = (folder: string, clock = fakeClock()) =>
    openStack('demo', { path: path.join(folder, 'demo.db'), home: folder, clock })

  test('nothing is made before the first receipt, and it is private and outlives the process', async () => {
    const folder = scratch()
    const file = path.join(folder, 'demo.db-receipts')
    const stack = await opened(folder)
    const me = new Entity('me')
    await me.attachStack(stack)
    const said = { label: label.userAsserted() }
    const { ref } = await me.note('Two deploys failed on locks', said)
    await stack.search('deploys')
    expect(await stack.history.receipts('s')).toEqual([])
    expect(existsSync(file)).toBe(false)
    await stack.search('deploys', { session: 's', recordTypes: ['note'] })
    await stack.close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const again = await opened(folder)
    expect(refsOf(await again.history.receipts('s'))).toEqual([ref])
    await again.close()
  })

  test('are forgotten after thirty days', async () => {
    const folder = scratch()
    const clock = fakeClock()
    const stack = await opened(folder, clock)
    const me = new Entity('me')
    await me.attachStack(stack)
    await me.note('Two deploys failed on locks')
    await stack.search('deploys', { session: 's' })
    clock.advance({ days: 29 })
    expect(await stack.history.receipts('s')).toHaveLength(1)
    clock.advance({ days: 2 })
    expect(await stack.history.receipts('s')).toEqual([])
    await stack.close()
  })

  test('a file of somebody else is left alone', async () => {
    const folder = scratch()
    const file = path.join(folder, 'demo.db-receipts')
    writeFileSync(file, 'not a database')
    const stack = await opened(folder)
    const me = new Entity('me')
    await me.attachStack(stack)
    await me.note('Two deploys failed on locks')
    expect(await stack.search('deploys', { session: 's' })).toHaveLength(1)
    expect(statSync(file).size).toBe('not a database'.length)
    await stack.close()
  })
})
