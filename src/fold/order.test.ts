import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvariantError } from '../domain/errors.ts'
import type { Ref } from '../domain/ids.ts'
import { distancesFrom, type LineageNode, rootsFirst } from './lineage.ts'

const ref = (n: number | string): Ref => `note:${n}` as Ref // only compared here

const nodes = (edges: Readonly<Record<string, readonly (number | string)[]>>) =>
  Object.entries(edges).map(
    ([n, parents]): LineageNode => ({
      ref: ref(n),
      parents: parents.map((parent) => ref(parent)),
    }),
  )

const order = (start: number | string, graph: readonly LineageNode[]) =>
  rootsFirst(ref(start), graph).map(({ node, distance }) => [node.ref.slice(5), distance])

describe('roots first', () => {
  test('every memory comes after all of its parents, itself last', () => {
    expect(order('d', nodes({ a: [], b: ['a'], c: ['a'], d: ['b', 'c'] }))).toEqual([
      ['a', 2],
      ['b', 1],
      ['c', 1],
      ['d', 0],
    ])
  })

  test('the shortest way counts as distance', () => {
    expect(order('c', nodes({ a: [], b: ['a'], c: ['b', 'a'] }))).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 0],
    ])
  })

  test('a parent that is not there is passed over, and one cited twice comes once', () => {
    expect(order('b', nodes({ a: [], b: ['a', 'gone', 'a'] }))).toEqual([
      ['a', 1],
      ['b', 0],
    ])
    expect(order('nowhere', nodes({}))).toEqual([])
  })

  test('a chain of fifty thousand is as safe as one of three', () => {
    const length = 50_000
    const graph = Array.from({ length }, (_, n) => ({
      ref: ref(n),
      parents: n === 0 ? [] : [ref(n - 1)],
    }))
    const placed = rootsFirst(ref(length - 1), graph)
    expect(placed).toHaveLength(length)
    expect(placed[0]?.distance).toBe(length - 1)
  })

  test('a ladder of diamonds is walked once, not once for every way through it', () => {
    const rungs = 2_000
    const graph: LineageNode[] = [{ ref: ref(0), parents: [] }]
    for (let n = 1; n <= rungs; n += 1) {
      const below = [ref(`${n - 1}`)]
      for (const side of ['l', 'r']) graph.push({ ref: ref(`${n}${side}`), parents: below })
      graph.push({ ref: ref(n), parents: [ref(`${n}l`), ref(`${n}r`)] })
    }
    expect(rootsFirst(ref(rungs), graph)).toHaveLength(rungs * 3 + 1)
  })

  test.each([
    ['itself', { a: ['a'] }, 'a'],
    ['its child', { a: ['b'], b: ['a'] }, 'a'],
    ['a descendant far below', { a: ['d'], b: ['a'], c: ['b'], d: ['c'], e: ['d'] }, 'e'],
  ])('a memory made from %s stops it instead of being followed', (_, edges, start) => {
    expect(() => rootsFirst(ref(start), nodes(edges))).toThrow(InvariantError)
  })

  test('holds its promise on random lineages', () => {
    const graphs = fc.array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(graphs, (picks) => {
        const edges = picks.map((parents, n) => (n === 0 ? [] : parents.map((p) => p % n)))
        const graph = nodes(Object.fromEntries(edges.entries()))
        const placed = rootsFirst(ref(picks.length - 1), graph)
        const parentsOf = new Map(graph.map((node) => [node.ref, node.parents]))
        const distances = distancesFrom(ref(picks.length - 1), (of) => parentsOf.get(of) ?? [])
        expect(placed).toHaveLength(distances.size)
        const seen = new Set<Ref>()
        for (const { node, distance } of placed) {
          expect(distance).toBe(distances.get(node.ref))
          for (const parent of node.parents) expect(seen.has(parent)).toBe(true)
          expect(seen.has(node.ref)).toBe(false)
          seen.add(node.ref)
        }
        expect(placed.at(-1)?.node.ref).toBe(ref(picks.length - 1))
      }),
    )
  })
})

describe('distances', () => {
  test('go outwards from the start, each ref once', () => {
    const next = (of: Ref): readonly Ref[] =>
      ({ a: [ref('b'), ref('c')], b: [ref('d')], c: [ref('d'), ref('a')] })[of.slice(5)] ?? []
    const found = [...distancesFrom(ref('a'), next)].map(([of, far]) => [of.slice(5), far])
    expect(found).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 1],
      ['d', 2],
    ])
  })
})
