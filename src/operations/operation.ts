import type { z } from 'zod'
import { once } from '../domain/once.ts'

/** Who may call: readers, writers of memories, or only a person or the host process. */
export type Right = 'read' | 'write' | 'person'

/** Another right, where a field is given, or one of several. */
interface Bending {
  readonly field: string | readonly string[]
  readonly right: Right
}

/** A use case as every door sees it. A door translates to and from this and decides nothing. */
export interface Operation<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly summary: string
  readonly right: Right
  /** A field that asks for more: looking at the queue is for everyone, answering it is not. */
  readonly rises?: Bending
  /** A field that asks for less: saying what would be forgotten is for everyone, forgetting is not. */
  readonly falls?: Bending
  readonly input: Input
  /** Inputs that are run as tests and shown in help; refs in them are made by the example before. */
  readonly example: Readonly<Record<string, unknown>>
}

/** An operation as it is written down. Most calls need one input of sixty: each is made on demand. */
type Described<Input extends z.ZodObject> = Omit<Operation<Input>, 'input'> & {
  readonly input: () => Input
}

export function defineOperation<Input extends z.ZodObject>(
  operation: Described<Input>,
): Operation<Input> {
  const input = once(operation.input)
  return {
    ...operation,
    get input() {
      return input()
    },
  }
}

/** The right that this very call needs. */
export function rightOf(
  { right, rises, falls }: Pick<Operation, 'right' | 'rises' | 'falls'>,
  input: Readonly<Record<string, unknown>>,
): Right {
  const isGiven = (bending: Bending | undefined): boolean =>
    [bending?.field ?? []]
      .flat()
      .some((field) => input[field] !== undefined && input[field] !== false)
  return [rises, falls].find(isGiven)?.right ?? right
}
