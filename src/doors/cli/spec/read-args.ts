import { parseArgs } from 'node:util'
import type { FieldIssue } from '../../../domain/errors.ts'
import { usageError } from '../failure.ts'
import type { ParseJson } from '../host.ts'
import { nearest } from '../suggest.ts'
import type { Command, CommandInput, Option } from './command.ts'
import { commonOptions } from './common.ts'
import { readValue } from './read-value.ts'

const helpLine = (command: Command): string => `muniment help ${command.name}`

/** Parses the words after the command's name. Common options were removed before. */
export function readArgs(
  command: Command,
  args: readonly string[],
  parseJson: ParseJson,
): CommandInput {
  const known = flagsOf(command)
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries([...known].map(([flag, target]) => [flag, typeOf(target)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const input: Record<string, unknown> = {}
  const issues: FieldIssue[] = []
  const free: string[] = []
  let inputFile: string | null = null
  for (const token of tokens) {
    if (token.kind === 'positional') free.push(token.value)
    if (token.kind !== 'option') continue
    const target = known.get(token.name)
    if (target === undefined) throw unknownOption(command, token.rawName)
    const text = textGiven(target, token)
    if (target === 'input') inputFile = text
    else take(target, { text, rawName: token.rawName, input, issues, parseJson })
  }
  takeFree(command, { free, input, issues, parseJson })
  if (issues.length > 0) throw badValues(command, issues)
  if (inputFile !== null && Object.keys(input).length > 0) {
    throw usageError(
      '--input gives the whole input; nothing else can be given beside it.',
      helpLine(command),
    )
  }
  return { input, inputFile }
}

type Target = Option | 'input'

function flagsOf(command: Command): ReadonlyMap<string, Target> {
  const flags = new Map<string, Target>()
  if (command.takesInput) flags.set('input', 'input')
  for (const option of command.options) {
    for (const flag of [option.flag, ...option.aliases]) {
      if (!flags.has(flag)) flags.set(flag, option)
    }
  }
  return flags
}

const typeOf = (target: Target) =>
  ({
    type: typeof target === 'object' && target.reading.type === 'flag' ? 'boolean' : 'string',
    multiple: true,
  }) as const

interface OptionToken {
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

/** A flag followed directly by another flag has no value. */
function textGiven(target: Target, { rawName, value, inlineValue }: OptionToken): string {
  if (typeOf(target).type === 'boolean') return value ?? 'true'
  if (value === undefined || (!inlineValue && /^--\w/.test(value))) {
    throw usageError(`${rawName} needs a value.`, `${rawName} "…"`)
  }
  return value
}

interface Taking {
  readonly text: string
  readonly rawName: string
  readonly input: Record<string, unknown>
  readonly issues: FieldIssue[]
  readonly parseJson: ParseJson
}

function take(option: Option, { text, rawName, input, issues, parseJson }: Taking): void {
  const read = readValue(option.reading, text, parseJson)
  if (!read.ok) {
    issues.push({ path: rawName, message: read.problem })
    return
  }
  if (option.many) {
    const before = input[option.field] as readonly unknown[] | undefined // only this line fills the field
    input[option.field] = [...(before ?? []), read.value]
  } else if (Object.hasOwn(input, option.field)) {
    issues.push({ path: rawName, message: 'is given twice' })
  } else input[option.field] = read.value
}

/** Arguments without a flag fill, in order, the fields no flag has filled. */
function takeFree(
  command: Command,
  {
    free,
    input,
    issues,
    parseJson,
  }: Omit<Taking, 'text' | 'rawName'> & {
    readonly free: readonly string[]
  },
): void {
  const places = command.positionals.filter(({ field }) => !Object.hasOwn(input, field))
  for (const [index, text] of free.entries()) {
    const place = places[index]
    if (!place) throw tooMany(command, free.slice(index))
    const read = readValue(place.reading, text, parseJson)
    if (read.ok) input[place.field] = read.value
    else issues.push({ path: place.field, message: read.problem })
  }
}

function tooMany(command: Command, left: readonly string[]) {
  const quotes = command.positionals.some(({ reading }) => reading.type === 'text')
  return usageError(
    `“${left.join(' ')}” is more than ${command.name} takes.`,
    `${quotes ? 'A text with spaces goes in quotation marks. ' : ''}See: ${helpLine(command)}`,
  )
}

function unknownOption(command: Command, rawName: string) {
  const flags = [
    ...command.options.map(({ flag }) => flag),
    ...commonOptions(command.takesInput).map(({ flag }) => flag),
  ]
  const meant = nearest(rawName.replace(/^-+/, ''), flags)
  const guess = meant === undefined ? '' : `Did you mean --${meant}? `
  const dash = /^-[^-]/.test(rawName) ? ' Text that begins with a dash goes after “--”.' : ''
  return usageError(
    `${command.name} has no option ${rawName}.${dash}`,
    `${guess}${guess === '' ? '' : 'See: '}${helpLine(command)}`,
  )
}

const badValues = (command: Command, issues: readonly FieldIssue[]) =>
  usageError(
    `${command.name}: not valid: ${issues.map(({ path }) => path).join(', ')}.`,
    helpLine(command),
    issues,
  )
