import { expect, test } from 'vitest'
import { checkPlaces } from './places.ts'

// Put together from parts, so that this file does not name what it looks for.
const path = (...parts: readonly string[]): string => `/${parts.join('/')}`
const windows = (slash: string): string => ['C:', 'Users', 'ann'].join(slash)
const host = (...parts: readonly string[]): string => parts.join('.')

test.each([
  path('work', 'main', 'src'),
  `see ${path('root', '.npmrc')}`,
  `'${path('home', 'ann', 'muniment')}'`,
  path('Users', 'ann'),
  `file://${path('work', 'x')}`,
  windows('\\'),
  windows('\\\\'),
  host('registry', 'npmjs', 'org'),
  `https://${host('registry', 'example', 'test')}/zod`,
  `https://${host('packages', 'example', 'test')}/verdaccio/zod`,
  ['registry', 'http://localhost:4000'].join('='),
  ['@scope:registry', 'http://localhost:4000'].join('='),
  ['//localhost/:_auth', 'secret'].join('='),
  `"resolved": ${JSON.stringify(`https://${host('example', 'test')}/zod.tgz`)}`,
])('refused: %s', (text) => {
  expect(checkPlaces([{ path: 'docs/a.md', text: `first line\n${text}\n` }])).toMatchObject([
    { path: 'docs/a.md', line: 2 },
  ])
})

test.each([
  'src/work/item.ts',
  '~/.muniment/stacks/demo.db',
  'the root/branch of homework/users',
  'a component registry = none',
  'registry = new Map()',
  "registry.add('embedding')",
  '"resolved": "explorer"',
])('allowed: %s', (text) => {
  expect(checkPlaces([{ path: 'docs/a.md', text }])).toEqual([])
})
