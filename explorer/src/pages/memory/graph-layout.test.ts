import { expect, test } from 'vitest'
import { type GraphNode, placed } from './graph-layout.ts'

const node = (ref: string, ...parents: string[]): GraphNode => ({ ref, parents })

const layers = (up: readonly GraphNode[], down: readonly GraphNode[]) =>
  Object.fromEntries(placed('me', up, down).map(({ ref, layer }) => [ref, layer]))

test('sources stand above, what rests on it below, each behind the longest way', () => {
  const up = [node('me', 'a', 'b'), node('a', 'b'), node('b', 'c'), node('c')]
  const down = [node('me'), node('x', 'me'), node('y', 'x', 'me')]
  expect(layers(up, down)).toEqual({ me: 0, a: -1, b: -2, c: -3, x: 1, y: 2 })
})

test('no two of a layer stand in one place, and the memory itself stands in the middle', () => {
  const up = [node('me', 'a', 'b', 'c'), node('a'), node('b'), node('c')]
  const places = placed('me', up, [node('me')])
  const xs = places.filter(({ layer }) => layer === -1).map(({ x }) => x)
  expect(new Set(xs).size).toBe(3)
  expect(xs.reduce((sum, x) => sum + x, 0)).toBe(0)
  expect(places.find(({ ref }) => ref === 'me')).toMatchObject({ x: 0, y: 0 })
})

test('a long chain of hundreds is placed at once', () => {
  const chain = Array.from({ length: 400 }, (_, at) =>
    node(at === 0 ? 'me' : `n${at}`, `n${at + 1}`),
  )
  const places = placed('me', [...chain, node('n400')], [node('me')])
  expect(Math.min(...places.map(({ layer }) => layer))).toBe(-400)
})
