import { type CommandPlace, typedAs } from '../../../operations/command-groups.ts'
import type { Lines } from '../../../operations/operation.ts'
import type { Page } from '../../../operations/text/page.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Session } from '../session.ts'

/** The conversion of an argument's text to a value. */
export type Reading =
  | { readonly type: 'text' }
  /** A memory, short or whole. */
  | { readonly type: 'ref' }
  /** A date, or a time with its zone; passed on in UTC to the millisecond. */
  | { readonly type: 'time' }
  | { readonly type: 'number' }
  | { readonly type: 'choice'; readonly of: readonly string[] }
  /** A switch, with the value to set. */
  | { readonly type: 'flag'; readonly sets: boolean }
  | { readonly type: 'json' }
  /** JSON if the text parses as JSON, otherwise the text itself. */
  | { readonly type: 'any' }
  /** An object as JSON, or a text for its only required member. */
  | { readonly type: 'item'; readonly essential: string }

export interface Option {
  /** The member of the input to fill. */
  readonly field: string
  readonly flag: string
  /** Other accepted spellings, not shown in help. */
  readonly aliases: readonly string[]
  readonly reading: Reading
  readonly many: boolean
  readonly group: 'body' | 'source' | 'common'
  readonly help: string
}

/** An argument without a flag. Each is also an option of the same field. */
export interface Positional {
  readonly field: string
  readonly reading: Reading
  readonly required: boolean
  readonly help: string
}

/** The typed input by field, not yet checked. */
export interface CommandInput {
  readonly input: Readonly<Record<string, unknown>>
  /** The file of --input, `-` for stdin. */
  readonly inputFile: string | null
}

/** A command's result: a value for programs, a page for people, and an exit code. */
export interface Answer {
  readonly json: unknown
  readonly text: (page: Page) => Lines | Promise<Lines>
  readonly exit: ExitCode
}

/** The answer of a call that did its work. */
export const ok = (json: unknown, text: Answer['text']): Answer => ({ json, text, exit: EXIT.ok })

export interface Command {
  readonly name: string
  readonly group: CommandPlace
  readonly summary: string
  readonly positionals: readonly Positional[]
  readonly options: readonly Option[]
  /** Whole lines as they would be typed. */
  readonly examples: readonly string[]
  readonly notes: readonly string[]
  readonly takesInput: boolean
  readonly run: (session: Session, given: CommandInput) => Promise<Answer>
}

/** The words that a person types for a command: `ledger prove`. */
export const typed = ({ name, group }: Pick<Command, 'name' | 'group'>): string =>
  typedAs(name, group)

type Common = Pick<Option, 'flag' | 'help'> & { readonly takes: string | null }

/**
 * Options of every command. They are known before a command is loaded, so the list stands alone.
 */
export const COMMON: readonly Common[] = [
  { flag: 'json', takes: null, help: 'Print one JSON value on stdout and nothing else.' },
  { flag: 'ndjson', takes: null, help: 'The same, one value of a list on each line.' },
  {
    flag: 'stack',
    takes: '<id>',
    help: 'Which stack. Otherwise $MUNIMENT_STACK, the stack of the project you are in, or "default".',
  },
  {
    flag: 'project',
    takes: '<dir>',
    help: 'Use the stack of the project in this folder, and no other: muniment stacks.',
  },
  {
    flag: 'home',
    takes: '<dir>',
    help: 'Where stacks are kept. Otherwise $MUNIMENT_HOME, otherwise ~/.muniment.',
  },
  {
    flag: 'store',
    takes: '<address>',
    help: 'Stacks in PostgreSQL: postgres://… Otherwise $MUNIMENT_STORE, otherwise files at home.',
  },
  { flag: 'session', takes: '<id>', help: 'The session this belongs to, for its provenance.' },
  {
    flag: 'token',
    takes: '<token>',
    help: 'A personal token, which makes this call a person’s. Otherwise $MUNIMENT_TOKEN.',
  },
  {
    flag: 'model',
    takes: '<id>',
    help: 'The model whose words these are. Otherwise $MUNIMENT_MODEL.',
  },
  {
    flag: 'config',
    takes: '<file>',
    help: 'A file of settings (muniment help settings). Otherwise $MUNIMENT_CONFIG.',
  },
  {
    flag: 'verbose',
    takes: null,
    help: 'Also show rules, tiers, labels and numbers of entries; -v for short.',
  },
  { flag: 'help', takes: null, help: 'Show this page.' },
]

const INPUT: Common = {
  flag: 'input',
  takes: '<file>',
  help: 'The whole input as JSON, from a file or from stdin with "-".',
}

export const commonOptions = (takesInput: boolean): readonly Common[] =>
  takesInput ? [INPUT, ...COMMON] : COMMON
