import { parseArgs } from 'node:util'
import type { FieldIssue } from '../../../domain/errors.ts'
import { toInstant } from '../../../domain/time.ts'
import { usageError } from '../failure.ts'
import type { ParseJson } from '../host.ts'
import { nearest } from '../suggest.ts'
import {
  type Command,
  type CommandInput,
  commonOptions,
  type Option,
  type Reading,
  typed,
} from './command.ts'

const helpLine = (command: Command): string => `muniment help ${typed(command)}`

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
      '--input gives the whole input: leave out all other options.',
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

function take(option: Option, taking: Taking): void {
  for (const text of isNames(option) ? namesIn(taking.text, option) : [taking.text]) {
    takeOne(option, { ...taking, text })
  }
}

/** Lists of names may be typed with commas: `--tags a,b`. Sentences are never cut. */
const isNames = ({ many, field, reading }: Option): boolean =>
  many && (/tags$/i.test(field) || reading.type === 'ref' || reading.type === 'choice')

const REF = /^(?:[a-z_]+:)?[0-9a-f-]{4,36}$/

function namesIn(text: string, { reading }: Option): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  const given = names.filter((name) => name !== '')
  const isWords = reading.type === 'ref' && !given.every((name) => REF.test(name))
  return given.length === 0 || isWords ? [text] : given
}

function takeOne(option: Option, { text, rawName, input, issues, parseJson }: Taking): void {
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
    `“${left.join(' ')}” is more than ${typed(command)} takes.`,
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
    `${typed(command)} has no option ${rawName}.${dash}`,
    `${guess}${guess === '' ? '' : 'See: '}${helpLine(command)}`,
  )
}

const badValues = (command: Command, issues: readonly FieldIssue[]) =>
  usageError(
    `${typed(command)}: not valid: ${issues.map(({ path }) => path).join(', ')}.`,
    helpLine(command),
    issues,
  )

type Read =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string }

const value = (of: unknown): Read => ({ ok: true, value: of })

const problem = (of: string): Read => ({ ok: false, problem: of })

/** Converts an argument. The operation's own schema checks everything beyond the type. */
export function readValue(reading: Reading, text: string, parseJson: ParseJson): Read {
  switch (reading.type) {
    case 'text':
    case 'ref':
      return value(text)
    case 'time':
      return value(asInstant(text))
    case 'number': {
      const number = Number(text)
      return text.trim() !== '' && Number.isFinite(number)
        ? value(number)
        : problem('expected a number')
    }
    case 'choice':
      return choose(reading.of, text)
    case 'flag':
      return text === 'true' || text === 'false'
        ? value((text === 'true') === reading.sets)
        : problem('takes no value')
    case 'json':
      return asJson(text, parseJson)
    case 'any':
      return readAny(text, parseJson)
    case 'item': {
      const read = text.trimStart().startsWith('{') ? readAny(text, parseJson) : value(text)
      return read.ok && typeof read.value === 'string' ? value({ [reading.essential]: text }) : read
    }
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** A day means its first moment in UTC. The schema refuses a text that is no time. */
function asInstant(text: string): string {
  const ms = DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isFinite(ms) ? toInstant(ms) : text
}

/** Ignores case and dashes, and accepts plurals: nobody should have to look up a spelling. */
function choose(choices: readonly string[], text: string): Read {
  const folded = text.toLowerCase().replaceAll('-', '_')
  const match =
    choices.find((choice) => choice === text) ??
    choices.find((choice) => choice.toLowerCase() === folded) ??
    choices.find((choice) => pluralsOf(choice.toLowerCase()).includes(folded))
  return match === undefined ? problem(`expected one of ${choices.join(', ')}`) : value(match)
}

const pluralsOf = (word: string): readonly string[] => [`${word}s`, word.replace(/y$/, 'ies')]

function asJson(text: string, parseJson: ParseJson): Read {
  try {
    return value(parseJson(text))
  } catch (error) {
    return problem(error instanceof Error ? error.message : 'expected JSON')
  }
}

const looksLikeJson = (text: string): boolean => /^\s*[{[]/.test(text) && isLooseJson(text)

function isLooseJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** `42` is a number and `Berlin` a text; a number too long for exact parsing stays text. */
function readAny(text: string, parseJson: ParseJson): Read {
  const read = asJson(text, parseJson)
  if (!read.ok) return looksLikeJson(text) ? read : value(text)
  return typeof read.value === 'number' && String(read.value) !== text ? value(text) : read
}
