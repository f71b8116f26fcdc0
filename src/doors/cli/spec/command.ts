import type { ExitCode } from '../exit-codes.ts'
import type { Page } from '../render/page.ts'
import type { Session } from '../session.ts'

/** How the text of an argument becomes a value. */
export type Reading =
  | { readonly type: 'text' }
  /** A memory, short or whole. */
  | { readonly type: 'ref' }
  /** A date or a time with its zone; given on in UTC to the millisecond. */
  | { readonly type: 'time' }
  | { readonly type: 'number' }
  | { readonly type: 'choice'; readonly of: readonly string[] }
  /** A switch: what it sets when it is given. */
  | { readonly type: 'flag'; readonly sets: boolean }
  | { readonly type: 'json' }
  /** JSON where it reads as JSON, otherwise the text itself. */
  | { readonly type: 'any' }
  /** An object as JSON, or a text for its one essential member. */
  | { readonly type: 'item'; readonly essential: string }

export interface Option {
  /** The member of the input that it fills. */
  readonly field: string
  readonly flag: string
  /** Other spellings that are taken and not shown. */
  readonly aliases: readonly string[]
  readonly reading: Reading
  /** May be given several times. */
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

/** What was typed, by field, not yet checked by anyone. */
export interface Given {
  readonly input: Readonly<Record<string, unknown>>
  /** The file of --input, `-` for stdin. */
  readonly inputFile: string | null
}

/** What a command has to say: one value for programs, a page for people, and how it ends. */
export interface Answer {
  readonly json: unknown
  readonly text: (page: Page) => readonly string[]
  readonly exit: ExitCode
}

export interface Command {
  readonly name: string
  readonly summary: string
  readonly positionals: readonly Positional[]
  readonly options: readonly Option[]
  /** Whole lines as they would be typed. */
  readonly examples: readonly string[]
  readonly notes: readonly string[]
  /** Other arguments that it takes in the place of its own. */
  readonly alsoUsed?: readonly string[]
  /** Whether `--input` makes sense here. */
  readonly takesInput: boolean
  readonly run: (session: Session, given: Given) => Promise<Answer>
}
