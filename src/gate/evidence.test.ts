import { describe, expect, test } from 'vitest'
import { testPolicy } from '../../tests/support/gate-bench.ts'
import type { Ref } from '../domain/ids.ts'
import type { MemoryState } from '../domain/state.ts'
import { independentAnchors } from './evidence.ts'

const POLICY = testPolicy()
const refOf = (kind: string, n: number): Ref =>
  `${kind}:00000000-0000-7000-8000-${String(n).padStart(12, '0')}` as Ref

const memoryOf = (ref: Ref, parents: readonly Ref[], more: Partial<MemoryState> = {}) =>
  ({
    ref,
    parents,
    kind: ref.slice(0, ref.indexOf(':')),
    label: 'ExternalFirstHand',
    disposition: 'CommittedCheap',
    strength: { value: 1 },
    anchors: [],
    captured: false,
    ...more,
  }) as unknown as MemoryState // what evidence reads of it

/** Memories that are looked up, and how often they were. */
function knownOf(memories: readonly MemoryState[]) {
  const byRef = new Map(memories.map((memory) => [memory.ref, memory]))
  const known = {
    policy: POLICY,
    looks: 0,
    memory: (ref: Ref) => {
      known.looks += 1
      return byRef.get(ref)
    },
  }
  return known
}

const isOwn = () => false

describe('evidence', () => {
  test('comes down to raws outside the memory’s ancestry and descent, each once', () => {
    const [shared, other, hidden] = [refOf('raw', 1), refOf('raw', 2), refOf('raw', 3)]
    const belief = memoryOf(refOf('belief', 4), [shared])
    const above = memoryOf(refOf('value', 5), [belief.ref, hidden])
    const note = memoryOf(refOf('note', 6), [other, shared])
    const raws = [shared, other, hidden].map((ref) => memoryOf(ref, []))
    const known = knownOf([...raws, belief, above, note])
    const anchors = (evidence: readonly Ref[]) =>
      independentAnchors(belief, evidence, { known, isOwn, spends: true })
    expect(anchors([note.ref, other, note.ref])).toEqual([other])
    expect(anchors([above.ref])).toEqual([])
    // What a descendant rests on beside the memory counts only when it is cited for itself.
    expect(anchors([above.ref, note.ref])).toEqual([other])
    expect(anchors([above.ref, hidden])).toEqual([hidden])
  })

  test('costs as much as there are memories, however often they are met with', () => {
    const deep = 3_000
    const raw = memoryOf(refOf('raw', 0), [])
    const chain = [raw]
    for (let n = 1; n <= deep; n += 1) {
      const before = chain.at(-1) ?? raw
      chain.push(memoryOf(refOf('claim', n), [before.ref]))
    }
    const last = chain.at(-1) ?? raw
    const cited = Array.from({ length: 1_000 }, (_, n) =>
      memoryOf(refOf('note', 10_000 + n), [last.ref]),
    )
    const belief = memoryOf(refOf('belief', 99_999), [])
    const known = knownOf([...chain, ...cited, belief])
    const evidence = cited.map(({ ref }) => ref)
    expect(independentAnchors(belief, evidence, { known, isOwn, spends: true })).toEqual([raw.ref])
    expect(known.looks).toBeLessThan(5 * (deep + cited.length + 2))
  })
})
