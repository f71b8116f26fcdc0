import { expect, test } from 'vitest'
import { checkCycles, cyclesOf } from './cycles.ts'

const file = (name: string, ...targets: readonly string[]) => ({
  path: `src/a/${name}.ts`,
  text: targets.map((target) => `import type { ${target} } from './${target}.ts'`).join('\n'),
})

const ring = (...names: readonly string[]) =>
  names.map((name, at) => file(name, names[(at + 1) % names.length] ?? name))

test('three files may import each other by type, and four may not', () => {
  expect(checkCycles(ring('b', 'c', 'd'))).toEqual([])
  expect(checkCycles(ring('b', 'c', 'd', 'e'))).toEqual([
    {
      path: 'src/a/b.ts',
      line: 1,
      message: '4 files import each other: src/a/b.ts, src/a/c.ts, src/a/d.ts, src/a/e.ts',
    },
  ])
})

test('a chain is no cycle, and two rings that share a file are a single one', () => {
  expect(cyclesOf([file('b', 'c'), file('c', 'd'), file('d')])).toEqual([])
  const shared = [file('b', 'c', 'e'), file('c', 'b'), file('e', 'b')]
  expect(cyclesOf(shared)).toEqual([['src/a/b.ts', 'src/a/c.ts', 'src/a/e.ts']])
})

test('only files of src count, without tests', () => {
  const test = { path: 'src/a/b.test.ts', text: `import './c.ts'` }
  expect(cyclesOf([test, { path: 'src/a/c.ts', text: `import './b.test.ts'` }])).toEqual([])
  const scripts = ring('b', 'c').map(({ path, text }) => ({
    path: path.replace('src', 'bin'),
    text,
  }))
  expect(cyclesOf(scripts)).toEqual([])
})
