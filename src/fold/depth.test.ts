import { describe, expect, test } from 'vitest'
import type { LabelName, SourceType } from '../domain/labels.ts'
import { type DepthParent, depthOf, isOverCap, NO_DEPTH } from './lineage.ts'

const MODEL = { label: 'ModelDerived', sourceType: 'inference' } as const
const FIRST_HAND = { label: 'ExternalFirstHand', sourceType: 'observation' } as const

const parent = (kind: DepthParent['kind'], near: number | null, far = near): DepthParent => ({
  kind,
  depthNearest: near,
  depthFarthest: far,
})

/** Kinds that may cite the one they revise; the edge to it adds no hop. */
const REVISES: readonly string[] = ['belief', 'playbook', 'self_narrative']

const depth = (
  kind: DepthParent['kind'],
  how: { readonly label: LabelName; readonly sourceType: SourceType },
  parents: readonly DepthParent[],
) => {
  const subject = { kind, revises: REVISES.includes(kind), ...how }
  const { depthNearest, depthFarthest } = depthOf(subject, parents)
  return [depthNearest, depthFarthest]
}

describe('depth', () => {
  test('of what was met with first-hand is nothing, whatever it cites', () => {
    expect(depth('raw', FIRST_HAND, [])).toEqual([0, 0])
    expect(depth('note', FIRST_HAND, [parent('raw', null)])).toEqual([0, 0])
    const said = { label: 'UserAsserted', sourceType: 'direct_experience' } as const
    expect(depth('claim', said, [parent('claim', 4)])).toEqual([0, 0])
  })

  test('of what was reasoned is one more than its sources', () => {
    expect(depth('belief', MODEL, [parent('note', 0)])).toEqual([1, 1])
    const reasoned = { label: 'UserAsserted', sourceType: 'inference' } as const
    expect(depth('belief', reasoned, [parent('note', 2)])).toEqual([3, 3])
    const merged = { label: 'ExternalFirstHand', sourceType: 'consolidation' } as const
    expect(depth('summary', merged, [parent('note', 1)])).toEqual([2, 2])
  })

  test('keeps the farthest beside the nearest', () => {
    const sources = [parent('note', 0), parent('claim', 2, 5)]
    expect(depth('belief', MODEL, sources)).toEqual([1, 6])
  })

  test('has no farthest where one source leads to nothing first-hand', () => {
    expect(depth('belief', MODEL, [parent('note', 0), parent('note', null)])).toEqual([1, null])
    expect(depth('belief', MODEL, [parent('note', null)])).toEqual([null, null])
    expect(depth('belief', MODEL, [])).toEqual([null, null])
    expect(NO_DEPTH).toEqual({ depthNearest: null, depthFarthest: null })
  })

  test('is not added to by what is revised, and is by everything else of the same kind', () => {
    expect(depth('belief', MODEL, [parent('note', 0), parent('belief', 3)])).toEqual([1, 3])
    expect(depth('claim', MODEL, [parent('claim', 1)])).toEqual([2, 2])
    expect(depth('summary', MODEL, [parent('summary', 1)])).toEqual([2, 2])
  })

  test('of an echo is that of what it came from, and none without it', () => {
    const echo = { label: 'RecallReEntry', sourceType: 'external' } as const
    expect(depth('note', echo, [parent('raw', 0)])).toEqual([0, 0])
    expect(depth('raw', echo, [])).toEqual([null, null])
  })

  test('is over the cap when it is deeper, or unknown', () => {
    expect(isOverCap(3, 3)).toBe(false)
    expect(isOverCap(4, 3)).toBe(true)
    expect(isOverCap(null, 1_000)).toBe(true)
  })
})
