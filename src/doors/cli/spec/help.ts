import { GROUPS, type GroupName } from '../../../operations/command-groups.ts'
import type { Page } from '../../../operations/text/page.ts'
import { wrap } from '../../../operations/text/words.ts'
import type { Command, Option, Positional, Reading } from './command.ts'
import { commonOptions, typed } from './command.ts'

const COLUMN_MAX = 30 // a longer name gets a line of its own

export function commandHelp(command: Command, page: Page): string {
  const { ink } = page
  const isFree = (option: Option): boolean =>
    command.positionals.some(({ field }) => field === option.field)
  const inGroup = (group: Option['group']): readonly Row[] =>
    command.options.filter((option) => option.group === group && !isFree(option)).map(optionRow)
  const common = commonOptions(command.takesInput).map(
    ({ flag, takes, help }): Row => [`--${flag}${takes === null ? '' : ` ${takes}`}`, help],
  )
  return [
    command.summary,
    '',
    `${ink.strong('Usage')}: muniment ${usage(command)}`,
    ...section(
      'Arguments',
      command.positionals.map((each) => positionalRow(each, command.takesInput)),
      page,
    ),
    ...section('Options', inGroup('body'), page),
    ...section('How it came to be', inGroup('source'), page),
    ...section('Always', common, page),
    ...(command.notes.length > 0 ? ['', ...command.notes] : []),
    '',
    ink.strong(command.examples.length > 1 ? 'Examples' : 'Example'),
    ...command.examples.map((line) => `  ${line}`),
    '',
  ].join('\n')
}

/** The commands of a group, each with its summary. */
export function groupHelp(group: GroupName, commands: readonly Command[], page: Page): string {
  const rows = commands.map(({ name, summary }): Row => [name, summary])
  return [
    `${page.ink.strong(`muniment ${group}`)}: ${GROUPS[group]}`,
    ...section('Commands', rows, page),
    '',
    `Help on one: muniment help ${group} <command>`,
    '',
  ].join('\n')
}

type Row = readonly [name: string, help: string]

export function usage(command: Command): string {
  const places = command.positionals.map(({ field, required }) =>
    required ? `<${field}>` : `[${field}]`,
  )
  return [typed(command), ...places, '[options]'].join(' ')
}

/** A dash stands for stdin only in commands with --input; elsewhere a text names a file. */
function positionalRow({ field, reading, required, help }: Positional, takesInput: boolean): Row {
  const canBePiped = takesInput && reading.type === 'text' && required
  const parts = [help, choices(reading), canBePiped ? '“-” reads stdin.' : '']
  return [required ? `<${field}>` : `[${field}]`, parts.filter((part) => part !== '').join(' ')]
}

const optionRow = ({ flag, reading, many, help }: Option): Row => [
  `--${flag}${placeholder(reading)}`,
  [help, choices(reading), many ? 'Repeat for more.' : ''].filter((part) => part !== '').join(' '),
]

const choices = (reading: Reading): string =>
  reading.type === 'choice' ? `One of ${reading.of.join(', ')}.` : ''

function placeholder(reading: Reading): string {
  switch (reading.type) {
    case 'text':
    case 'item':
      return ' <text>'
    case 'ref':
      return ' <ref>'
    case 'time':
      return ' <time>'
    case 'number':
      return ' <number>'
    case 'choice':
      return ' <word>'
    case 'json':
    case 'any':
      return ' <json>'
    case 'flag':
      return ''
  }
}

function section(title: string, rows: readonly Row[], { ink, width }: Page): readonly string[] {
  if (rows.length === 0) return []
  const column = Math.min(COLUMN_MAX, Math.max(...rows.map(([name]) => name.length)))
  const margin = ' '.repeat(column + 4)
  const lines = rows.flatMap(([name, help]) => {
    const [first = '', ...rest] = wrap(help, width - column - 4)
    const head =
      name.length > column
        ? [`  ${name}`, `${margin}${first}`]
        : [`  ${name.padEnd(column)}  ${first}`]
    return [...head, ...rest.map((line) => `${margin}${line}`)]
  })
  return ['', ink.strong(title), ...lines.map((line) => line.trimEnd())]
}
