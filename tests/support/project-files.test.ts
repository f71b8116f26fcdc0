import { expect, test } from 'vitest'
import { ignoredBy, projectFiles } from './project-files.ts'

test('the project is read from its root, without what git leaves out', () => {
  const paths = projectFiles().map(({ path }) => path)
  expect(paths).toContain('package.json')
  expect(paths).toContain('tests/support/project-files.ts')
  expect(paths.filter((path) => /(^|\/)(node_modules|dist|\.git)\//.test(path))).toEqual([])
})

test('folders, suffixes and names are ignored; a form it cannot read stops it', () => {
  const ignored = ignoredBy('# why\nout/\n*.db\n.env\n')
  expect(ignored('out', true)).toBe(true)
  expect(ignored('out', false)).toBe(false)
  expect(ignored('demo.db', false)).toBe(true)
  expect(ignored('.env', false)).toBe(true)
  expect(ignored('source.ts', false)).toBe(false)
  expect(() => ignoredBy('!kept/**/x')).toThrow('cannot read the pattern')
})
