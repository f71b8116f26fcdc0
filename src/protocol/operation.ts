import type { z } from 'zod'

/** Who may call: readers, writers of memories, or only a person or the host process. */
export type Right = 'read' | 'write' | 'person'

/** A use case as every door sees it. A door translates to and from this and decides nothing. */
export interface Operation<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly summary: string
  readonly right: Right
  readonly input: Input
  /** Inputs that are run as tests and shown in help; refs in them are made by the example before. */
  readonly example: Readonly<Record<string, unknown>>
}

export const defineOperation = <Input extends z.ZodObject>(
  operation: Operation<Input>,
): Operation<Input> => operation
