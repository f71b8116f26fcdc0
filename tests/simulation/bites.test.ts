import { describe, expect, test } from 'vitest'
import type { StackId } from '../../src/domain/ids.ts'
import type { Batch, Head } from '../../src/domain/waist.ts'
import type { CommitResult } from '../../src/ports/store.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { FaultyStore } from '../../src/testing/faulty-store.ts'
import { changesAreAllowed } from '../../src/testing/simulation/check-changes.ts'
import { entriesHoldNoContent } from '../../src/testing/simulation/check-ledger.ts'
import { NOTHING, type Observation } from '../../src/testing/simulation/observe.ts'
import { simulate } from '../../src/testing/simulation/simulate.ts'
import { holds } from '../support/holds.ts'

const SIMULATED = 'simulated' as StackId // as simulations name their stack

type Rows = ReturnType<MemoryStore['rows']>

/** A store that does one wrong thing, at its twentieth commit. */
class Vandal extends MemoryStore {
  readonly #damage: (rows: Rows) => void
  #commits = 0

  constructor(damage: (rows: Rows) => void) {
    super()
    this.#damage = damage
  }

  override async commit(stack: StackId, batch: Batch, expected: Head): Promise<CommitResult> {
    const result = await super.commit(stack, batch, expected)
    this.#commits += 1
    if (this.#commits === 20) this.#damage(this.rows(stack))
    return result
  }
}

/** A store that says once that it has written, and has not. */
class Forgetful extends MemoryStore {
  readonly #isForgotten: (batch: Batch) => boolean
  #commits = 0

  constructor(isForgotten: (batch: Batch) => boolean) {
    super()
    this.#isForgotten = isForgotten
  }

  override async commit(stack: StackId, batch: Batch, expected: Head): Promise<CommitResult> {
    const isCurrent = this.rows(stack).tip.head.rev === expected.rev
    if (this.#commits >= 10 && isCurrent && this.#isForgotten(batch)) {
      this.#commits = Number.NEGATIVE_INFINITY
      return { committed: true }
    }
    this.#commits += 1
    return super.commit(stack, batch, expected)
  }
}

const dated = (bytes: Uint8Array, from: string, to: string): Uint8Array =>
  Buffer.from(Buffer.from(bytes).toString().replace(`"time":"${from}`, `"time":"${to}`))

const changeFirst = (rows: Rows, change: (row: object) => object): void => {
  const [first] = rows.memories.values()
  if (first) rows.memories.set(first.ref, change(first) as typeof first)
}

const DAMAGES: readonly (readonly [string, (rows: Rows) => void, string])[] = [
  [
    'an old entry is rewritten',
    (rows) => {
      const entry = rows.entries[2]
      if (entry) rows.entries[2] = { ...entry, bytes: dated(entry.bytes, '2026', '2025') }
    },
    'an entry changed',
  ],
  ['the last entry is dropped', (rows) => rows.entries.pop(), 'step'],
  [
    'content is rewritten',
    (rows) => {
      const [row] = rows.sealed.values()
      if (row) rows.sealed.set(row.seq, { ...row, bytes: row.bytes.map((byte) => byte ^ 1) })
    },
    'content changed',
  ],
  [
    'content is dropped',
    (rows) => {
      const [seq] = rows.sealed.keys()
      if (seq !== undefined) rows.sealed.delete(seq)
    },
    'content changed',
  ],
  [
    'a memory is dropped',
    (rows) => {
      const [ref] = rows.memories.keys()
      if (ref) rows.memories.delete(ref)
    },
    'changed',
  ],
  ['a tier is raised', (rows) => changeFirst(rows, (row) => ({ ...row, tier: 3 })), 'changed'],
  [
    'a confidence is raised',
    (rows) => changeFirst(rows, (row) => ({ ...row, confidence: { value: 1, at: '' } })),
    'changed',
  ],
  [
    'a memory is made to look used',
    (rows) => changeFirst(rows, (row) => ({ ...row, accesses: 7 })),
    'changed',
  ],
]

/** Fails with the sentence that a person needs: the seed, the step, and what is wrong. */
async function failureOf(store: MemoryStore, seed: number): Promise<string> {
  try {
    await simulate({ seed, steps: 60, store })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing was noticed'
}

describe('the simulation notices', () => {
  test.each(DAMAGES)('when %s', async (_, damage, said) => {
    const message = await failureOf(new Vandal(damage), 5)
    expect(message).toMatch(/^seed 5, step \d+: /)
    expect(message).toContain(said)
  })

  test.each([
    ['a write', (batch: Batch) => batch.memories.length > 0],
    ['a repeat', (batch: Batch) => batch.entries.length === 0 && batch.tallies.length > 0],
  ])('when %s was acknowledged and never kept', async (_, isForgotten) => {
    expect(await failureOf(new Forgetful(isForgotten), 5)).toMatch(/^seed 5, step \d+: /)
  })

  const told = (entry: object) => {
    const memory = { ref: 'note:1', label: 'UserAsserted', parents: [], anchors: [], flags: [] }
    const raw = { ref: 'raw:1', kind: 'raw', label: 'ModelDerived', parents: [], flags: [] }
    const child = { ref: 'belief:1', parents: ['note:1'], flags: [] }
    const all = [memory, raw, child]
    const byRef = new Map(all.map((each) => [each.ref, each]))
    const before = { ...NOTHING, memories: all, byRef } as unknown as Observation // as much as is read
    const after = { ...before, entries: [{ seq: 0, entry: { ref: 'note:1', ...entry } }] }
    return () => changesAreAllowed({ before, after } as never)
  }
  const facts = (of: object) => ({ decision: { rule: 'admit', facts: of } })
  const [MODEL, HOST] = [{ type: 'ModelDerived' }, { type: 'External', kind: 'ExternalFirstHand' }]
  const span = (from: number, to: number) => ({ from, to })

  test.each([
    ['a model that forgets', { op: 'memory.forgotten', label: MODEL, ...facts({}) }],
    ['a model that clears', { op: 'memory.cleared', label: MODEL, ...facts({}) }],
    ['an access that counts double', access(0.5, 0.55)],
    ['a model for a witness', verified(['raw:1'])],
    ['a child that is not told', { op: 'memory.forgotten', label: HOST, ...facts({}) }],
  ])('%s', (_, entry) => {
    expect(told(entry)).toThrow()
    expect(told({ ...access(0.5, 0.52) })).not.toThrow()
  })

  function access(from: number, to: number) {
    return { op: 'memory.accessed', label: HOST, ...facts({ strength: span(from, to) }) }
  }

  function verified(anchors: readonly string[]) {
    const confidence = span(0.5, 0.6)
    return { op: 'memory.verified', label: HOST, ...facts({ anchors, confidence }) }
  }

  test('words in an entry', () => {
    const entry = { seq: 0, text: '{"decision":{"facts":{"said":"Ann likes KANARI"}}}' }
    const after = { ...NOTHING, entries: [entry] } as unknown as Observation // as much as is read
    expect(() => entriesHoldNoContent({ before: NOTHING, after } as never)).toThrow('words in them')
  })
})

test('a failure is lived again from its seed, step for step', async () => {
  const damage = DAMAGES[0]?.[1] ?? (() => undefined)
  const [first, second] = [
    await failureOf(new Vandal(damage), 9),
    await failureOf(new Vandal(damage), 9),
  ]
  expect(second).toBe(first)
})

test('equal seeds live equal histories, and others do not', async () => {
  const [one, again, other] = [new MemoryStore(), new MemoryStore(), new MemoryStore()]
  const report = await simulate({ seed: 3, steps: 30, store: one })
  expect(await simulate({ seed: 3, steps: 30, store: again })).toEqual(report)
  await simulate({ seed: 4, steps: 30, store: other })
  const headOf = (store: MemoryStore) => store.rows(SIMULATED).tip.head.hash
  expect(headOf(again)).toBe(headOf(one))
  expect(headOf(other)).not.toBe(headOf(one))
})

holds('STORE-SAME', 'a seed lives the same history on SQLite, entry for entry', async () => {
  for (const seed of [21, 22, 23]) {
    const reference = new MemoryStore()
    const store = new SqliteStore({ path: ':memory:' })
    const expected = await simulate({ seed, steps: 40, store: reference })
    expect(await simulate({ seed, steps: 40, store })).toEqual(expected)
    const { tip } = await store.read(SIMULATED, { type: 'standing' })
    expect(tip).toEqual(reference.rows(SIMULATED).tip)
    await store.close()
  }
})

describe('a faulty store', () => {
  const failing = (fault: Parameters<FaultyStore['failNext']>[0]) => {
    const store = new FaultyStore(new MemoryStore())
    store.failNext(fault)
    return store
  }

  test('fails once, at the call that can meet the fault, and then works', async () => {
    const store = failing('before_commit')
    const stack = 'x' as StackId // a stack id as it stands
    const { tip } = await store.read(stack, { type: 'standing' })
    const batch = { ...EMPTY, tip: { ...tip, head: { ...tip.head, rev: 1 } } }
    await expect(store.commit(stack, batch, tip.head)).rejects.toThrow('as it was told to')
    expect(await store.commit(stack, batch, tip.head)).toEqual({ committed: true })
  })

  test('tells whether the fault was met', () => {
    expect(failing('gather').heal()).toBe(false)
    expect(new FaultyStore(new MemoryStore()).heal()).toBe(true)
  })
})

const EMPTY: Omit<Batch, 'tip'> = {
  entries: [],
  sealed: [],
  memories: [],
  texts: [],
  actorKeys: [],
  tallies: [],
  bursts: [],
  tombstones: [],
  stack: NOTHING.stack,
}
