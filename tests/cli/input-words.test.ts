import { describe, expect, test } from 'vitest'
import { allCommands } from '../../src/doors/cli/commands/registry.ts'
import { type Command, type Reading, typed } from '../../src/doors/cli/spec/command.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

/** Phrases of the validator; a person reads what the field takes instead. */
const VALIDATOR =
  /Invalid|expected (?:string|number|int|object|array|boolean|record|nonoptional|one of "|")|received|Unrecognized|Too (?:small|big)|NaN|nonoptional|zod|\bnull\b.*expected|fault in muniment|TypeError/

/** Commands that work outside a stack: on clients, servers, pipes and other files. */
const OUTSIDE: ReadonlySet<string> = new Set([
  ...['hook', 'mcp', 'serve', 'demo', 'setup', 'adopt'],
  ...['backup', 'move', 'restore'],
])

const GOOD: Readonly<Partial<Record<Reading['type'], string>>> = {
  ref: 'note:00000000',
  number: '1',
  time: '2026-01-01',
}

const BAD: Readonly<Record<Reading['type'], readonly string[]>> = {
  text: ['', 'x'.repeat(70_000)],
  ref: ['zz', 'note:', '9'],
  time: ['yesterday', '2026-13-45'],
  number: ['-1', '1e9', 'abc', '1.5'],
  choice: ['nope'],
  json: ['[]', '{', '"x"', '5', '{"a":{"b":1}}'],
  any: ['', '{"a":[{}]}'],
  item: ['', '{}', '[1]', '{"x":1}'],
  flag: ['maybe'],
}

const goodFor = (reading: Reading): string =>
  (reading.type === 'choice' ? reading.of[0] : GOOD[reading.type]) ?? 'x'

/** Every field wrong once, as an option, as an argument and as the whole input. */
function wrongCalls(command: Command): readonly { args: readonly string[]; stdin?: string }[] {
  const words = typed(command).split(' ')
  const needed = command.positionals.filter(({ required }) => required)
  const good = needed.map(({ reading }) => goodFor(reading))
  const byOption = command.options.flatMap(({ flag, reading }) =>
    BAD[reading.type].map((text) => ({ args: [...words, ...good, `--${flag}=${text}`] })),
  )
  const byPlace = needed.flatMap(({ reading }, at) =>
    BAD[reading.type].map((text) => ({ args: [...words, ...good.with(at, text)] })),
  )
  const fields = [...command.options, ...command.positionals].map(({ field }) => field)
  const whole = [{ a: 1 }, 7, [null], '', -1.5, true].map((value) =>
    JSON.stringify(Object.fromEntries(fields.map((field) => [field, value]))),
  )
  const inputs = command.takesInput ? ['[]', '5', 'null', '{"nothing":1}', ...whole] : []
  return [
    ...byOption,
    ...byPlace,
    ...inputs.map((stdin) => ({ args: [...words, '--input', '-'], stdin })),
  ]
}

const commands = (await allCommands()).filter(({ name }) => !OUTSIDE.has(name))

describe('wrong input is answered in plain words', () => {
  test.each(commands.map((command) => [typed(command), command] as const))(
    '%s',
    async (_words, command) => {
      const desk = new Desk(scratch())
      await desk.person(['note', 'Deploys freeze on Friday'])
      for (const { args, stdin } of wrongCalls(command)) {
        const { code, err } = await desk.person(args, stdin === undefined ? {} : { stdin })
        const lines = err.split('\n').filter((line) => VALIDATOR.test(line))
        expect({ args: args.map((arg) => arg.slice(0, 40)), stdin, lines }).toMatchObject({
          lines: [],
        })
        expect(code).not.toBe(70)
      }
    },
  )
})
