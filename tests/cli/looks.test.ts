import { describe, expect, test } from 'vitest'
import { distance, nearest } from '../../src/doors/cli/suggest.ts'
import { COLOUR } from '../../src/operations/text/page.ts'
import { drawTree } from '../../src/operations/text/tree.ts'
import {
  age,
  clip,
  jsonText,
  oneLine,
  plain,
  shortRef,
  wrap,
} from '../../src/operations/text/words.ts'
import { AT_TERMINAL, Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

const ESC = '\u001b'
const OBEYED = new RegExp(`[${ESC}\u009b\u202e]`)

describe('colour', () => {
  test('only on a terminal, and never against NO_COLOR or a dumb terminal', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'plain words'])
    const shown = async (terminal: object, env = {}) =>
      (await desk.call(['list'], { terminal, env })).out.includes(ESC)
    expect(await shown(AT_TERMINAL)).toBe(true)
    expect(await shown({})).toBe(false)
    expect(await shown(AT_TERMINAL, { NO_COLOR: '1' })).toBe(false)
    expect(await shown(AT_TERMINAL, { TERM: 'dumb' })).toBe(false)
  })

  test('colour has no width: columns stand under one another with and without it', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'plain words'])
    const bare = await desk.person(['list'], { columns: 100 })
    const painted = await desk.call(['list'], { terminal: AT_TERMINAL, columns: 100 })
    const strip = (text: string) => text.replaceAll(new RegExp(`${ESC}\\[\\d+m`, 'g'), '')
    expect(strip(painted.out)).toBe(bare.out)
    expect(strip(COLOUR.bad('x'))).toBe('x')
  })
})

describe('a memory cannot repaint the page that explains it', () => {
  const evil = `${ESC}[2Jtier 3 · UserAsserted\u202e\u009b31m\nraw:00000000  just now`

  test('control characters and turns of direction are shown, not obeyed', () => {
    expect(plain(evil)).toBe('␛[2Jtier 3 · UserAsserted\\u202e\\u009b31m\nraw:00000000  just now')
    expect(oneLine(evil)).not.toContain('\n')
  })

  test('in every page, and in JSON the value is the same and the bytes are harmless', async () => {
    const desk = new Desk(scratch())
    const { ref } = (await desk.person(['note', evil, '--json'])).json() as { ref: string }
    for (const args of [['list'], ['show', ref], ['why', ref], ['why', ref, '--impact']]) {
      const { out } = await desk.person(args)
      expect(out).not.toMatch(OBEYED)
    }
    const said = await desk.person(['show', ref, '--json'])
    expect(said.out).not.toMatch(OBEYED)
    expect(said.json()).toMatchObject({ text: evil })
    expect(JSON.parse(jsonText(evil))).toBe(evil)
  })
})

describe('words', () => {
  test('ids are told apart by their end', () => {
    expect(shortRef('note:01a1df0e-5ed4-740c-b5bf-9f8d99b5027b')).toBe('note:99b5027b')
  })

  test.each<[string, string]>([
    ['2026-01-31T12:00:00.000Z', 'just now'],
    ['2026-01-31T11:58:00.000Z', '2 min ago'],
    ['2026-01-31T09:00:00.000Z', '3 h ago'],
    ['2026-01-30T09:00:00.000Z', 'yesterday'],
    ['2026-01-01T12:00:00.000Z', '30 days ago'],
    ['2025-01-01T12:00:00.000Z', '2025-01-01'],
    ['2027-01-01T12:00:00.000Z', '2027-01-01'],
  ])('%s is %s', (at, says) => {
    expect(age(at, Date.parse('2026-01-31T12:00:30.000Z'))).toBe(says)
  })

  test('clipping marks what it cut and prefers the end of a word', () => {
    expect(clip('short', 10)).toBe('short')
    expect(clip('a rather long sentence', 16)).toBe('a rather long…')
    expect(clip('abcdefghij', 5)).toBe('abcd…')
  })

  test('wrapping loses no word', () => {
    const text = 'the quick brown fox jumps over the lazy dog'
    expect(wrap(text, 10).join(' ')).toBe(text)
    expect(wrap(text, 10).every((line) => line.length <= 10)).toBe(true)
  })

  test('a guess is near or not made at all', () => {
    expect(distance('epsiode', 'episode')).toBe(1)
    expect(nearest('beleif', ['belief', 'relationship'])).toBe('belief')
    expect(nearest('nope', ['home', 'json'])).toBe(undefined)
    expect(nearest('xyzzy', ['belief', 'note'])).toBe(undefined)
  })
})

describe('a tree', () => {
  const drawing = (next: Readonly<Record<string, readonly string[]>>) => ({
    keyOf: (node: string) => node,
    next: (node: string) => next[node] ?? [],
    lines: (node: string, { again }: { readonly again: boolean }) => [
      again ? `(${node})` : node,
      '.',
    ],
  })

  test('a node met twice is drawn once', () => {
    const tree = drawTree('a', drawing({ a: ['b', 'c'], b: ['d'], c: ['d'] }))
    expect(tree).toEqual([
      ...['a', '│  .', '├─ b', '│  │  .', '│  └─ d', '│        .'],
      ...['└─ c', '   │  .', '   └─ (d)', '         .'],
    ])
  })

  test('a hundred thousand levels are drawn, and the margin stops growing', () => {
    const depth = 100_000
    const tree = drawTree<number>(0, {
      keyOf: String,
      next: (node) => (node < depth ? [node + 1] : []),
      lines: (node) => [String(node)],
    })
    expect(tree.length).toBe(depth + 1)
    expect(Math.max(...tree.slice(-10).map((line) => line.length))).toBeLessThan(60)
  })
})
