import type { z } from 'zod'

/** Who may call: readers, writers of memories, or only a person or the host process. */
export type Right = 'read' | 'write' | 'person'

/** A use case as every door sees it. A door translates to and from this and decides nothing. */
export interface Operation<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly summary: string
  readonly right: Right
  /** A field that asks for more: looking at the queue is for everyone, answering it is not. */
  readonly rises?: { readonly field: string; readonly right: Right }
  readonly input: Input
  /** Inputs that are run as tests and shown in help; refs in them are made by the example before. */
  readonly example: Readonly<Record<string, unknown>>
}

export const defineOperation = <Input extends z.ZodObject>(
  operation: Operation<Input>,
): Operation<Input> => operation

/** The right that this very call needs. */
export function rightOf(
  { right, rises }: Pick<Operation, 'right' | 'rises'>,
  input: Readonly<Record<string, unknown>>,
): Right {
  const given = rises === undefined ? undefined : input[rises.field]
  return rises === undefined || given === undefined || given === false ? right : rises.right
}
