import { describe, expect, test } from 'vitest'
import { operationCommand } from '../../src/doors/cli/commands/operation.ts'
import { allCommands, findCommand } from '../../src/doors/cli/commands/registry.ts'
import { FIRST_SCREEN } from '../../src/doors/cli/overview.ts'
import { argumentsOf, exampleArgs, TIME_FIELDS } from '../../src/doors/cli/spec/arguments.ts'
import { COMMON, typed } from '../../src/doors/cli/spec/command.ts'
import { kebab } from '../../src/doors/cli/spec/names.ts'
import { FIELD_WORDS } from '../../src/operations/field-words.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { OPERATIONS, type OperationName } from '../../src/operations/operations.ts'
import { REF_FIELDS } from '../../src/operations/refs.ts'
import { commandWords } from './support/command-words.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

const operations: readonly Operation[] = Object.values(OPERATIONS)

const wordsOf = ({ name }: Operation): readonly string[] => commandWords(name as OperationName)

const commandOf = async (name: string) => {
  const command = await operationCommand(name)
  if (!command) throw new Error(`no command for ${name}`)
  return command
}

describe('commands come from the table of operations', () => {
  test('every operation has a command, and is found by what a person types', async () => {
    const commands = await allCommands()
    const names = commands.map(({ name }) => name)
    for (const { name } of operations) expect(names).toContain(kebab(name))
    for (const command of commands) {
      expect(await findCommand(typed(command).split(' '))).toMatchObject({
        command: { name: command.name },
      })
    }
  })

  test('the first screen shows each command that belongs there, and no other', async () => {
    const first = (await allCommands()).filter(({ group }) => group === 'first')
    expect(Object.keys(FIRST_SCREEN).sort()).toEqual(first.map(({ name }) => name).sort())
  })

  test('every example of the table works as a command line, in order, on a fresh stack', async () => {
    const desk = new Desk(scratch())
    const made = new Map<string, string>()
    for (const operation of operations.filter(({ name }) => name !== 'import')) {
      const { positionals, options } = argumentsOf(operation)
      const { example } = operation
      const args = exampleArgs({ positionals, options, example }, (kind) => made.get(kind) ?? kind)
      const said = await desk.person([...wordsOf(operation), ...args, '--json'])
      expect(said.code, `${operation.name}: ${said.out}`).toBe(0)
      const { ref } = said.json() as { ref?: string }
      if (ref !== undefined && !made.has(operation.name)) made.set(operation.name, ref)
    }
  })

  test('no option of an operation hides a common one, or another of its own', () => {
    for (const operation of operations) {
      const { options } = argumentsOf(operation)
      const flags = options.map(({ flag }) => flag)
      expect(new Set(flags).size, operation.name).toBe(flags.length)
      for (const { flag } of COMMON) expect(flags, operation.name).not.toContain(flag)
      expect(flags).not.toContain('input')
    }
  })

  test('every field has words in help, and no words are left over', () => {
    const fields = operations.flatMap((operation) => argumentsOf(operation).options)
    for (const { field, help } of fields) expect(help, field).not.toBe('')
    const known = new Set(fields.map(({ field }) => field))
    const leftOver = [...Object.keys(FIELD_WORDS), ...REF_FIELDS, ...TIME_FIELDS].filter(
      (field) => !known.has(field),
    )
    expect(leftOver).toEqual([])
  })

  test('what an operation needs stands without a flag; lists have flags in the singular', async () => {
    const { positionals, options } = await commandOf('episode')
    expect(positionals.map(({ field }) => field)).toEqual(['objective', 'outcome'])
    const flagOf = (field: string) => options.find((option) => option.field === field)?.flag
    expect(flagOf('lessons')).toBe('lesson')
    expect(flagOf('derivedFrom')).toBe('from')
    expect(flagOf('emotionalTags')).toBe('emotional-tag')
    const note = await commandOf('note')
    expect(note.options.find(({ field }) => field === 'noteType')?.flag).toBe('type')
  })
})

describe('help of one command', () => {
  test.each(operations.map((operation) => wordsOf(operation).join(' ')))(
    '%s shows its usage and an example',
    async (words) => {
      const said = await new Desk(scratch()).person(['help', ...words.split(' ')])
      expect(said.code).toBe(0)
      expect(said.out).toContain(`Usage: muniment ${words}`)
      expect(said.out).toContain(`  muniment ${words}`)
      expect(said.out).toContain('--json')
    },
  )

  test('--help after a command is the same page', async () => {
    const desk = new Desk(scratch())
    const [after, before] = [
      await desk.person(['note', '--help']),
      await desk.person(['help', 'note']),
    ]
    expect(after.out).toBe(before.out)
  })
})
