import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Hash, Ref } from '../../src/domain/ids.ts'
import type { MemoryState } from '../../src/domain/state.ts'
import type { Batch, Head } from '../../src/domain/waist.ts'
import type { ClaimRow } from '../../src/ports/store.ts'
import { KnownLines } from '../../src/stores/sqlite/known-lines.ts'

const LINE = 'aa' as Hash
const OTHER = 'bb' as Hash
const HEAD = { seq: 10_000, hash: 'c0', rev: 0 } as Head
const NEXT = { seq: 20_000, hash: 'c1', rev: 0 } as Head

const CLAIM = { overruledBy: null, word: null, endedAt: null, span: { until: null }, sure: 1 }

/** A claim as far as it is looked at here. */
const stateOf = (seq: number, more: object = {}): MemoryState =>
  ({
    ref: `claim:${seq}` as Ref,
    seq,
    kind: 'claim',
    line: LINE,
    label: 'UserAsserted',
    disposition: 'CommittedCheap',
    facets: { subtype: 'Functional' },
    claim: CLAIM,
    ...more,
  }) as unknown as MemoryState // the rest of it is nothing to a line

const gaveWay = (seq: number): MemoryState =>
  stateOf(seq, { disposition: 'Superseded', claim: { ...CLAIM, overruledBy: 'claim:1' } })

const rowsOf = (count: number, sealed: string, line = LINE) => ({
  at: '',
  claims: Array.from(
    { length: count },
    (_, seq) => ({ state: stateOf(seq, { line }), sealed }) as unknown as ClaimRow, // likewise
  ),
  tellers: new Set<Ref>(),
  gaveWay: 0,
  standing: count,
})

const statesOf = (count: number, from = 0, line = LINE) => ({
  tellers: new Set([from]),
  states: new Map(
    Array.from({ length: count }, (_, at) => [from + at, stateOf(from + at, { line })] as const),
  ),
})

const batchOf = (...memories: readonly MemoryState[]): Batch =>
  ({ memories, tip: { head: NEXT } }) as unknown as Batch // what else is written tells of no line

describe('what is known of long lines', () => {
  it('weighs long values: two lines that are too much together are not both kept', () => {
    const known = new KnownLines()
    const long = 'x'.repeat(250_000)
    known.keepRows(LINE, HEAD, rowsOf(64, long))
    expect(known.rowsOf(LINE, HEAD)?.claims).toHaveLength(64)
    known.keepRows(OTHER, HEAD, rowsOf(64, long, OTHER))
    expect([known.hasRows(LINE), known.hasRows(OTHER)]).toEqual([false, true])
  })

  it('keeps as many claims of short values beside each other', () => {
    const known = new KnownLines()
    known.keepRows(LINE, HEAD, rowsOf(64, 'short'))
    known.keepRows(OTHER, HEAD, rowsOf(64, 'short', OTHER))
    expect([known.hasRows(LINE), known.hasRows(OTHER)]).toEqual([true, true])
  })

  it('takes in a claim that stands, and none that gave way within its own group', () => {
    const known = new KnownLines()
    known.keepStates(LINE, HEAD, statesOf(64))
    known.committed(batchOf(gaveWay(10_001), stateOf(10_002)), HEAD)
    const seqs = [...(known.statesOf(LINE, NEXT)?.states.keys() ?? [])]
    expect(seqs).toContain(10_002)
    expect(seqs).not.toContain(10_001)
    expect(seqs).toHaveLength(65)
  })

  it('stays within its bounds when a line grows claim by claim', () => {
    const known = new KnownLines()
    known.keepStates(OTHER, HEAD, statesOf(4_096, 4_096, OTHER))
    known.keepStates(LINE, HEAD, statesOf(4_096))
    expect(known.statesOf(OTHER, HEAD)).toBeDefined()
    known.committed(batchOf(stateOf(10_001)), HEAD)
    expect(known.statesOf(LINE, NEXT)?.states.size).toBe(4_097)
    expect(known.statesOf(OTHER, NEXT)).toBeUndefined()
  })
})

describe('a process that asks no more', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('lets go of the words it kept at hand', () => {
    const known = new KnownLines()
    known.keepRows(LINE, HEAD, rowsOf(64, 'words'))
    known.keepStates(LINE, HEAD, statesOf(64))
    vi.advanceTimersByTime(9_000)
    expect(known.rowsOf(LINE, HEAD)).toBeDefined() // asked, so that it is not idle
    vi.advanceTimersByTime(9_000)
    expect(known.hasRows(LINE)).toBe(true)
    vi.advanceTimersByTime(1_001)
    expect(known.hasRows(LINE)).toBe(false)
    expect(known.statesOf(LINE, HEAD)).toBeUndefined()
  })
})
