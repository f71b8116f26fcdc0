// Lies that fit every hash: what the naive verifier sees, an audit must see too.

import { beforeAll, describe, expect, test } from 'vitest'
import { type History, longHistory } from './history.ts'
import { isObject, type Json } from './naive-canonical.ts'
import {
  auditOutcome,
  type Copy,
  copyOf,
  type EntryRow,
  type Members,
  membersOf,
  naiveProblems,
  rechain,
  rowAt,
  sealedAt,
  withMembers,
} from './vandal.ts'

let history: History

beforeAll(async () => {
  history = await longHistory()
})

const isOp = (op: string) => (row: EntryRow) => membersOf(row).op === op

/** Changes the first entry of an operation and makes every hash after it fit. */
function rewrite({ rows }: Copy, op: string, change: (truth: Members) => Members): void {
  const seq = rows.entries.findIndex(isOp(op))
  const row = rowAt(rows, seq)
  rows.entries[seq] = withMembers(row, change(membersOf(row)))
  rechain(rows, seq)
}

function withFacts(truth: Members, changed: { [fact: string]: Json }): Members {
  const { decision } = truth
  if (!isObject(decision) || !isObject(decision.facts)) throw new Error('a decision has facts')
  return { ...truth, decision: { ...decision, facts: { ...decision.facts, ...changed } } }
}

const GAPS: [name: string, vandalise: (copy: Copy) => void][] = [
  [
    'secrets that were taken out, and no count of them',
    (copy) => rewrite(copy, 'memory.saved', (truth) => withFacts(truth, { redacted: 0 })),
  ],
  [
    'a memory that no hook captured, and that a person is said to vouch for',
    (copy) => rewrite(copy, 'memory.saved', (truth) => withFacts(truth, { vouched: true })),
  ],
  [
    'an entry that lies behind the head',
    ({ rows }) => {
      const last = rowAt(rows, rows.entries.length - 1)
      rows.entries.push({ ...last, seq: last.seq + 1 })
    },
  ],
  [
    'a sealed row that lies behind the head',
    ({ rows }) => {
      const seq = rows.entries.length
      rows.sealed.set(seq, { ...sealedAt(rows, 2), seq })
    },
  ],
  [
    'a sealed row under the name of another memory',
    ({ rows }) => rows.sealed.set(2, { ...sealedAt(rows, 2), ref: sealedAt(rows, 3).ref }),
  ],
  [
    'a source that was never there while sources were asked for',
    (copy) => rewrite(copy, 'enforcement.off', (truth) => ({ ...truth, op: 'enforcement.on' })),
  ],
  [
    'a state left that was not the state',
    (copy) => rewrite(copy, 'state', (truth) => withFacts(truth, { from: 'MAINTENANCE' })),
  ],
  [
    'a tally of an entry that is not earlier',
    (copy) => rewrite(copy, 'tally', (truth) => withFacts(truth, { of: Number(truth.seq) })),
  ],
  [
    'a format that is another',
    (copy) => rewrite(copy, 'genesis', (truth) => withFacts(truth, { format: 'another' })),
  ],
  [
    'a birth that calls itself a refusal',
    (copy) => rewrite(copy, 'memory.saved', (truth) => ({ ...truth, op: 'memory.refused' })),
  ],
  [
    'a collapse onto a memory that does not exist',
    (copy) => rewrite(copy, 'memory.collapsed', (truth) => ({ ...truth, ref: NOBODY })),
  ],
  [
    'a time that is no time',
    (copy) => rewrite(copy, 'memory.collapsed', (truth) => ({ ...truth, time: null })),
  ],
]

const NOBODY = 'note:00000000-0000-7000-8000-00000000ffff'

describe.each(GAPS)('%s', (_name, vandalise) => {
  test('is noticed by the naive verifier', () => {
    const copy = copyOf(history)
    vandalise(copy)
    expect(naiveProblems(copy)).not.toEqual([])
  })

  test('is noticed by an audit', async () => {
    const copy = copyOf(history)
    vandalise(copy)
    expect(await auditOutcome(copy)).toBe('problems')
  })
})
