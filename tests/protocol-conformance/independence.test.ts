import { describe, expect, expectTypeOf, test } from 'vitest'
import type { StackProtocol } from '../../src/engine/protocol.ts'
import type { Stack } from '../../src/stack.ts'
import { freshStack } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { importsOf, resolveRelative } from '../support/imports.ts'
import { projectFiles } from '../support/project-files.ts'

const BEYOND = /^src\/(agent|components|doors|adapters|stores|compose|operations)\//
const PARSER = 'zod' // drafts of models are parsed in engine/processing

describe('a stack by itself', () => {
  holds('S-01', 'knows memories and no model, plugin, core or door', async () => {
    const isOwn = /^src\/(engine\/.*|stack)(?<!\.test)\.ts$/
    const files = projectFiles().filter(({ path }) => isOwn.test(path))
    expect(files.length).toBeGreaterThan(30)
    const reached = files.flatMap((file) =>
      importsOf(file).flatMap(({ specifier }) =>
        specifier === undefined ? [] : [resolveRelative(file.path, specifier) ?? specifier],
      ),
    )
    expect(reached.length).toBeGreaterThan(100)
    expect(reached.filter((target) => !target.startsWith('src/') && target !== PARSER)).toEqual([])
    expect(reached.filter((target) => BEYOND.test(target))).toEqual([])
    const { stack } = await freshStack({ components: [] })
    expect(Object.keys(stack).filter((name) => /model|plugin/i.test(name))).toEqual([])
  })

  test('is what the protocol says, and the protocol can be implemented by others', () => {
    expectTypeOf<Stack>().toExtend<StackProtocol>()
  })
})
