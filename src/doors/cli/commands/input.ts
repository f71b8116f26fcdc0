import { readFile } from 'node:fs/promises'
import { LimitError, MunimentError } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { MISSING, usageError } from '../failure.ts'
import type { Session } from '../session.ts'
import type { CommandInput, Positional } from '../spec/command.ts'

type Input = Readonly<Record<string, unknown>>

interface Typed {
  readonly session: Session
  readonly given: CommandInput
  readonly command: string
  readonly positionals: readonly Positional[]
}

/** Collects the typed arguments, with stdin or files read in. `operate` checks the schema. */
export async function readInput(typed: Typed): Promise<Input> {
  const { given, session, positionals } = typed
  if (given.inputFile !== null) return readWhole(session, given.inputFile)
  const fromStdin = positionals.filter(({ field }) => given.input[field] === '-')
  const [first, second] = fromStdin
  if (second) {
    throw usageError(
      'Only one argument can be “-”: stdin is read once.',
      `muniment help ${typed.command}`,
    )
  }
  const input = first ? { ...given.input, [first.field]: await readText(session) } : given.input
  const missing = positionals.filter(({ field, required }) => required && !(field in input))
  if (missing.length === 0) return input
  throw notGiven(typed.command, missing, {
    all: positionals,
    isPiped: !session.host.stdin.isTerminal,
  })
}

/** Long texts, likely to be piped; names and kinds are typed. */
const PIPED: ReadonlySet<string> = new Set([
  'content',
  'description',
  'file',
  'objective',
  'outcome',
  'query',
  'statement',
  'title',
])

interface HowGiven {
  readonly all?: readonly Positional[]
  readonly isPiped?: boolean
  /** Another possible meaning. */
  readonly otherwise?: string
}

export function notGiven(
  command: string,
  missing: readonly Positional[],
  { all = missing, isPiped = false, otherwise }: HowGiven = {},
): MunimentError {
  const place = ({ field, required }: Positional) => (required ? `<${field}>` : `[${field}]`)
  const [only, other] = missing
  const canBePiped = isPiped && other === undefined && PIPED.has(only?.field ?? '')
  const piped = all.map((each) => (each === only ? '-' : place(each))).join(' ')
  return usageError(
    `${command} needs ${missing.map(place).join(' and ')}.`,
    [
      `muniment ${command} ${all.map(place).join(' ')}`,
      ...(otherwise === undefined ? [] : [otherwise]),
      ...(canBePiped ? [`Or from stdin, which “-” stands for: muniment ${command} ${piped}`] : []),
    ].join('\n'),
    missing.map(({ field }) => ({ path: field, message: MISSING })),
  )
}

async function readWhole(session: Session, file: string): Promise<Input> {
  const text = file === '-' ? await stdinText(session) : await fileText(file)
  const value = (await session.host.jsonParser())(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Input // every member is checked by the operation's schema
  }
  throw usageError('--input takes one JSON object.', 'For example: {"content": "…"}')
}

export async function fileText(
  file: string,
  bytesMax: number = LIMITS.jsonBytesMax,
): Promise<string> {
  try {
    return decoded(await readFile(file), bytesMax)
  } catch (cause) {
    if (cause instanceof MunimentError) throw cause
    throw new MunimentError('invalid_input', `${file} cannot be read.`, {
      hint: 'Give a file that exists, or “-” for stdin.',
      cause,
    })
  }
}

export async function stdinText({ host, isJson }: Session): Promise<string> {
  if (host.stdin.isTerminal && !isJson) host.stderr.write('Type, then end with Ctrl-D.\n')
  return decoded(await host.stdin.read())
}

/** A shell appends the last line end, so the newline is no part of the text. */
const readText = async (session: Session): Promise<string> =>
  (await stdinText(session)).replace(/\r?\n$/, '')

/** Bytes that are not UTF-8 are refused: replacement characters would store words nobody said. */
function decoded(bytes: Uint8Array, bytesMax: number = LIMITS.jsonBytesMax): string {
  if (bytes.length > bytesMax) throw new LimitError('jsonBytesMax', bytesMax, bytes.length)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new MunimentError('invalid_input', 'The input is not UTF-8 text.', { cause })
  }
}
