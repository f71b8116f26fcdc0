import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { publicMembers } from './support/public-methods.ts'

vi.setConfig({ testTimeout: 120_000 }) // the compiler reads the whole engine

const page = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

/** What stands in the first column of a table, several to a cell. */
const listed = (text: string): readonly string[] =>
  [...text.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )

test('the page of methods lists every public one of a stack, once, and no other', () => {
  const members = publicMembers('src/stack.ts', 'Stack')
  expect(members).toContain('claims.ask(question)')
  expect(members).toContain('search(query, options?)')
  expect([...listed(page('docs/api.md'))].sort()).toEqual([...members].sort())
})

test('the README links it', () => {
  expect(page('README.md')).toContain('(docs/api.md)')
})
