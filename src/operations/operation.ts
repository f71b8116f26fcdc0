import type { z } from 'zod'
import { once } from '../domain/errors.ts'
import type { LabelName } from '../domain/labels.ts'
import type { CommandPlace } from './command-groups.ts'
import type { DoorContext } from './context.ts'
import type { Page } from './text/page.ts'

/** Callers allowed: readers, writers of memories, or only a person or the host process. */
export type Right = 'read' | 'write' | 'person'

/** Another right, where a field is given, or one of several. */
interface RightOverride {
  readonly field: string | readonly string[]
  readonly right: Right
}

/** The caller of a command, and the sign that told a person from a program. */
export interface Speaker {
  readonly person: boolean
  readonly label: LabelName
  readonly by: 'token' | 'terminal' | 'agent' | 'no terminal'
  /** The deciding sign, in words. */
  readonly because: string
}

/** Length of the whole review queue, where a page of the queue is not complete. */
export interface WaitingCount {
  readonly total: number
  readonly hasMore: boolean
}

/** The call behind an answer, for its text. */
export interface TextContext {
  readonly input: Readonly<Record<string, unknown>>
  readonly who: Speaker
  readonly page: Page
  readonly waiting?: WaitingCount
}

export type Lines = readonly string[]

/** The end of a call, as a script reads it from the exit code. */
export type Outcome = 'ok' | 'refused' | 'review' | 'audit'

interface Description<Output, Result> {
  readonly name: string
  readonly group: CommandPlace
  readonly summary: string
  readonly right: Right
  /** A field that asks for more: looking at the queue is for everyone, answering it is not. */
  readonly rises?: RightOverride
  /** A field that asks for less: a plan of forgetting is for everyone, forgetting is not. */
  readonly falls?: RightOverride
  /** The shape of the answer. Strict, so that a test finds members that the shape leaves out. */
  readonly output: () => Output
  /** Inputs that are run as tests and shown in help; refs in them are made by the example before. */
  readonly example: Readonly<Record<string, unknown>>
  /** Optional fields that a command also takes without their flag, in order. */
  readonly places?: readonly string[]
  /** Notes of the help page, and further examples. */
  readonly notes?: readonly string[]
  readonly examples?: readonly string[]
  /** The noun that a long operation counts while it reports progress. */
  readonly progress?: string
  /**
   * The subject of the tool in the full set, `meta` unless given. `default`: a tool of the default
   * set, in `tools/`, serves the operation. Null: no model may call the operation.
   */
  readonly tool?: 'memory' | 'default' | null
  /** Holds words of others or search terms: redaction must not alter them. */
  readonly isTakenAsIs?: true
  /** A command reports the caller's label with the answer. */
  readonly isSaid?: true
  /** The page of a terminal; text that few calls need is imported by this function. */
  readonly text: (result: Result, context: TextContext) => Lines | Promise<Lines>
  readonly outcome?: (result: Result) => Outcome
  /** The value of a command with --json, where it is not the answer itself. */
  readonly json?: (result: Result, input: TextContext['input']) => unknown
}

/** A use case with everything that a door needs. A door translates to and from this, and decides nothing. */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Result = unknown,
> extends Omit<Description<Output, Result>, 'text' | 'outcome' | 'json'> {
  readonly input: Input
  run(context: DoorContext, input: z.output<Input>): Promise<Result>
  text(result: Result, context: TextContext): Lines | Promise<Lines>
  outcome?(result: Result): Outcome
  json?(result: Result, input: TextContext['input']): unknown
}

/** An operation as it is declared: its input is built on demand, because most calls need one of sixty. */
type Declared<Input extends z.ZodObject, Output extends z.ZodType, Result> = Description<
  Output,
  Result
> & {
  readonly input: () => Input
  readonly run: (context: DoorContext, input: z.output<Input>) => Promise<Result>
}

export function defineOperation<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Result extends z.input<Output>,
>(operation: Declared<Input, Output, Result>): Operation<Input, Output, Result> {
  const input = once(operation.input)
  return Object.defineProperty({ ...operation } as never, 'input', { get: input, enumerable: true })
}

/** The right that a call with this input needs. */
export function rightOf(
  { right, rises, falls }: Pick<Operation, 'right' | 'rises' | 'falls'>,
  input: Readonly<Record<string, unknown>>,
): Right {
  const isGiven = (override: RightOverride | undefined): boolean =>
    [override?.field ?? []]
      .flat()
      .some((field) => input[field] !== undefined && input[field] !== false)
  return [rises, falls].find(isGiven)?.right ?? right
}
