import { parseArgs } from 'node:util'
import { usageError } from '../failure.ts'
import type { CommonGiven } from '../session.ts'
import { COMMON } from './command.ts'

/** A parsed command line: the command, the common options, and the remaining words. */
export interface Split {
  readonly name: string | undefined
  readonly rest: readonly string[]
  readonly common: CommonGiven & {
    readonly help?: true
    readonly version?: true
    /** Prints lists one value a line. */
    readonly ndjson?: true
  }
}

/** Looked for before parsing, because a line that fails to parse must fail as JSON too. */
export function hasJsonFlag(args: readonly string[]): boolean {
  return hasFlag(args, '--json') || hasFlag(args, '--ndjson')
}

function hasFlag(args: readonly string[], flag: string): boolean {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).includes(flag)
}

const OPTIONS = {
  ...Object.fromEntries(
    COMMON.map(({ flag, takes }) => [
      flag,
      { type: takes === null ? 'boolean' : 'string' } as const,
    ]),
  ),
  version: { type: 'boolean' },
} as const

/** Separates the common options, wherever they stand, and the name of the command. */
export function splitArgs(args: readonly string[]): Split {
  const { tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const taken = new Set<number>()
  const common: Record<string, unknown> = {}
  let name: string | undefined
  for (const token of tokens) {
    if (token.kind === 'option-terminator') break
    if (token.kind === 'positional' && name === undefined) {
      name = token.value
      taken.add(token.index)
    }
    if (token.kind !== 'option') continue
    const flag =
      SHORT[args[token.index] ?? ''] ?? (token.rawName.startsWith('--') ? token.name : '')
    if (flag !== 'version' && !COMMON.some((each) => each.flag === flag)) continue
    if (flag === 'version' && name !== undefined) continue
    taken.add(token.index)
    const value = valueGiven(flag, token)
    if (value !== true && Object.hasOwn(common, flag)) {
      throw usageError(`--${flag} is given twice.`, 'Give it once.')
    }
    common[flag] = value
    if (!token.inlineValue && token.value !== undefined) taken.add(token.index + 1)
  }
  if (name === undefined && args[0] === '-v') common.version = true // as other programs take it
  const rest = args.filter((_, index) => !taken.has(index))
  return { name, rest, common } // common was filled by valueGiven, a text or a switch each
}

interface Token {
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

const SHORT: Readonly<Record<string, string>> = { '-h': 'help', '-v': 'verbose', '-V': 'version' }

/** A switch stands alone; every other option needs a value, and the next option is none. */
function valueGiven(flag: string, { value, inlineValue }: Token): string | true {
  const takes = COMMON.find((each) => each.flag === flag)?.takes ?? null
  if (takes === null) {
    if (value === undefined) return true
    throw usageError(`--${flag} takes no value.`, `Leave out “=${value}”.`)
  }
  if (value !== undefined && value !== '' && (inlineValue || !/^--\w/.test(value))) return value
  throw usageError(`--${flag} needs a value.`, `--${flag} ${takes}`)
}
