import { describe, expect, test } from 'vitest'
import { checkImports } from './imports.ts'
import { allows, ROOMS } from './rooms.ts'

const messages = (path: string, text: string): readonly string[] =>
  checkImports([{ path, text }]).map(({ message }) => message)

describe('the table', () => {
  test('names only rooms that it has', () => {
    const named = Object.values(ROOMS).flatMap(({ rooms, types = [] }) => [...rooms, ...types])
    const names = [...Object.keys(ROOMS), 'facade']
    const isOne = (name: string): boolean => names.some((room) => allows(name, room))
    expect(named.filter((name) => !isOne(name))).toEqual([])
  })

  test('keeps each pure room to pure rooms', () => {
    const leaks = Object.entries(ROOMS).filter(
      ([, room]) => room.pure && room.rooms.some((name) => !ROOMS[name]?.pure),
    )
    expect(leaks).toEqual([])
  })
})

describe('an import is refused', () => {
  test.each([
    ['from a room not listed', 'src/domain/a.ts', `import { b } from '../stores/b.ts'`],
    ['by re-export', 'src/domain/a.ts', `export { b } from '../stores/b.ts'`],
    ['by dynamic import', 'src/gate/a.ts', `await import('../engine/b.ts')`],
    ['by import type', 'src/gate/a.ts', `import type { B } from '../engine/b.ts'`],
    ['by a type that imports', 'src/gate/a.ts', `type B = import('../engine/b.ts').B`],
    ['by require', 'src/gate/a.ts', `const b = require('../engine/b.ts')`],
    ['for its side effect', 'src/gate/a.ts', `import '../engine/b.ts'`],
    ['of the platform in a pure room', 'src/ledger/a.ts', `import { hash } from 'node:crypto'`],
    ['of the platform by its old name', 'src/stores/a.ts', `import fs from 'fs'`],
    ['of a package not listed', 'src/gate/a.ts', `import { z } from 'zod'`],
    [
      'of values where types are allowed',
      'src/ledger/verify/a.ts',
      `import { b } from '../../domain/b.ts'`,
    ],
    [
      'of values beside types',
      'src/ledger/verify/a.ts',
      `import { type C, b } from '../../domain/b.ts'`,
    ],
    ['of a computed name', 'src/doors/a.ts', 'await import(name)'],
    ['of a test support file', 'src/gate/a.ts', `import { b } from '../../tests/support/b.ts'`],
    ['of the public entry', 'src/agent/a.ts', `import { b } from '../index.ts'`],
    ['of doors by the public entry', 'src/index.ts', `export { b } from './doors/b.ts'`],
    ['of a store by a test of the gate', 'src/gate/a.test.ts', `import '../stores/b.ts'`],
    ['of one store by another', 'src/stores/postgres/a.ts', `import '../sqlite/b.ts'`],
    ['of a store by what they share', 'src/stores/sql/a.ts', `import '../sqlite/b.ts'`],
    ['across folders that share a name', 'src/domain/a.ts', `import '../domain-extra/b.ts'`],
  ])('%s', (_, path, text) => {
    expect(messages(path, text)).toHaveLength(1)
  })

  test('in a file that stands in no room', () => {
    expect(messages('src/stray.ts', '')).toHaveLength(1)
    expect(messages('src/attic/a.ts', '')).toHaveLength(1)
  })

  test('with the line on which it stands', () => {
    const file = { path: 'src/ledger/a.ts', text: `const a = 1\n\nimport 'node:fs'` }
    expect(checkImports([file])).toEqual([
      { path: 'src/ledger/a.ts', line: 3, message: 'ledger may not import node:fs' },
    ])
  })
})

describe('an import is allowed', () => {
  test.each([
    ['inside the room', 'src/engine/audit/replay/a.ts', `import { b } from '../b.ts'`],
    ['by a store of what SQL stores share', 'src/stores/sqlite/a.ts', `import '../sql/b.ts'`],
    ['from a room listed', 'src/gate/rules/a.ts', `import { b } from '../../domain/b.ts'`],
    ['of a package listed', 'src/domain/a.ts', `import { z } from 'zod'`],
    ['of a part of a package listed', 'src/domain/a.ts', `import { z } from 'zod/mini'`],
    [
      'of types where types are allowed',
      'src/ledger/verify/a.ts',
      `import type { B } from '../../domain/b.ts'`,
    ],
    [
      'of only types, each so marked',
      'src/ledger/verify/a.ts',
      `import { type B } from '../../domain/b.ts'`,
    ],
    ['of the platform in a store', 'src/stores/sqlite/a.ts', `import fs from 'node:fs'`],
    ['of compose by the program', 'src/doors/cli/main.ts', `import '../../compose/open.ts'`],
    ['of the suites by a test', 'src/gate/a.test.ts', `import '../testing/arbitraries.ts'`],
    ['of support by a test', 'src/gate/a.test.ts', `import '../../tests/support/holds.ts'`],
    ['of any package by a test', 'src/gate/a.test.ts', `import fc from 'fast-check'`],
  ])('%s', (_, path, text) => {
    expect(messages(path, text)).toEqual([])
  })
})
