import { expect, test } from 'vitest'
import { checkExports } from './exports.ts'

const found = (path: string, text: string): number =>
  checkExports([{ path, text }], ['src/index.ts', 'src/testing/index.ts']).length

test.each([
  'export default 1',
  'export default function f() {}',
  'export default class A {}',
  'const a = 1\nexport { a as default }',
  "export { default } from './b.ts'\nexport const c = 1",
])('a default export is refused: %s', (text) => {
  expect(found('src/gate/a.ts', text)).toBe(1)
  expect(found('tests/support/a.ts', text)).toBe(1)
})

test('a tool that asks for a default export gets one', () => {
  expect(found('vitest.config.ts', 'export default {}')).toBe(0)
})

test('an index is refused unless users import it', () => {
  expect(found('src/gate/index.ts', 'export const a = 1')).toBe(1)
  expect(found('src/testing/index.ts', "export { a } from './a.ts'")).toBe(0)
})

test('a file that only passes names on is a barrel, whatever it is called', () => {
  expect(found('src/gate/all.ts', "export * from './a.ts'\nexport { b } from './b.ts'")).toBe(1)
  expect(found('src/gate/all.ts', "export * from './a.ts'\nexport const b = 1")).toBe(0)
  expect(found('src/index.ts', "export * from './gate/a.ts'")).toBe(0)
})
