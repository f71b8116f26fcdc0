import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StackMemoryTool } from '../../../src/adapters/anthropic/index.ts'
import { freshStack } from '../../stack/support.ts'
import { answerOf, type Command, localTool } from './support.ts'

const name = fc.constantFrom('a', 'b.md', 'c', '.hidden', 'node_modules', 'ü n')
const path = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .array(name, { minLength: 1, maxLength: 4 })
      .map((names) => `/memories/${names.join('/')}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/memories',
      '/memories/',
      '/memoriesa',
      '/memories//a/./b.md',
      '/memories/a/../c',
      '/memories/../memories/a',
      '/memories/../secret',
      '/memories/../../../etc/passwd',
      '/elsewhere/a',
      '',
    ),
  },
)
const line = fc.constantFrom('one', 'two', 'two two', '', '$& $1', 'Ende\r', 'ü', '  tab\t')
const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'))
const number = fc.integer({ min: -2, max: 8 })

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ command: fc.constant('create' as const), path, file_text: text }),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      { command: fc.constant('view' as const), path, view_range: fc.tuple(number, number) },
      { requiredKeys: ['command', 'path'] },
    ) as fc.Arbitrary<Command>,
  },
  {
    weight: 3,
    arbitrary: fc.record({
      command: fc.constant('str_replace' as const),
      path,
      old_str: line,
      new_str: text,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      command: fc.constant('insert' as const),
      path,
      insert_line: number,
      insert_text: text,
    }),
  },
  { weight: 1, arbitrary: fc.record({ command: fc.constant('delete' as const), path }) },
  {
    weight: 2,
    arbitrary: fc.record({
      command: fc.constant('rename' as const),
      old_path: path,
      new_path: path,
    }),
  },
)

const VIEW: Command = { command: 'view', path: '/memories' }

test('every answer and error is that of the SDK’s own tool for a folder', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
      const { stack } = await freshStack()
      const ours = new StackMemoryTool(stack)
      const theirs = await localTool()
      try {
        for (const each of [...commands, VIEW]) {
          const expected = await answerOf(theirs.run, each)
          expect({ each, answer: await answerOf(ours.execute, each) }).toEqual({
            each,
            answer: expected,
          })
          compared += 1
        }
      } finally {
        await theirs.close()
        await stack.close()
      }
    }),
    { numRuns: 120 },
  )
  expect(compared).toBeGreaterThan(1_000)
})
