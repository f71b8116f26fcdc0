import { describe, expect, expectTypeOf, test } from 'vitest'
import type { StackProtocol } from '../../src/engine/protocol.ts'
import type { Stack } from '../../src/stack.ts'
import { freshStack } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { importsOf } from '../support/imports.ts'
import { projectFiles } from '../support/project-files.ts'

const BEYOND = /(^|\/)(core|components|doors|adapters|stores|compose|protocol)\//

describe('a stack by itself', () => {
  holds('S-01', 'knows memories and no model, plugin, core or door', async () => {
    const isOwn = /^src\/stack\/.*(?<!\.test)\.ts$/
    const files = projectFiles().filter(({ path }) => isOwn.test(path))
    expect(files.length).toBeGreaterThan(30)
    const reached = files.flatMap((file) =>
      importsOf(file).flatMap(({ specifier }) => specifier ?? []),
    )
    expect(reached.length).toBeGreaterThan(100)
    expect(reached.filter((specifier) => !specifier.startsWith('.'))).toEqual([])
    expect(reached.filter((specifier) => BEYOND.test(specifier))).toEqual([])
    const { stack } = await freshStack({ components: [] })
    expect(Object.keys(stack).filter((name) => /model|plugin/i.test(name))).toEqual([])
  })

  test('is what the protocol says, and the protocol can be implemented by others', () => {
    expectTypeOf<Stack>().toExtend<StackProtocol>()
  })
})
