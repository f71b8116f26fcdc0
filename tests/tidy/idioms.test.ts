import { expect, test } from 'vitest'
import { checkIdioms } from './idioms.ts'

const found = (text: string): number => checkIdioms([{ path: 'src/a/b.ts', text }]).length

test.each([
  'let x: any',
  'const x = y as any',
  'type Y = Map<string, any>',
  '// @ts-ignore\nf()',
  '// @ts-nocheck\nf()',
  '// @ts-expect-error\nf()',
  'function f() {\n  g()\n  // TODO: later\n}',
  'const x = 1 // FIXME',
  '/* HACK */ const x = 1',
  "test.only('x', f)",
  "describe.only('x', f)",
  "test.only.each([1])('x', f)",
  "test.skip('x', f)",
  "describe.skip.each([1])('x', f)",
  '// skip: why\ntest.skip("one word is no reason", f)',
  'context.skip()',
])('refused: %j', (text) => {
  expect(found(text)).toBe(1)
})

test.each([
  'const many = anything',
  "const text = '@ts-ignore and TODO'",
  '// @ts-expect-error a number is no string\nf(1)',
  "// skip: sqlite has no such type\ntest.skip('x', f)",
  "test.skip('x', f) // skip: sqlite has no such type",
  "context.skip('the server has no pgvector')",
  "test.skipIf(windows)('x', f)",
  'const x = options.skip',
])('allowed: %j', (text) => {
  expect(found(text)).toBe(0)
})
