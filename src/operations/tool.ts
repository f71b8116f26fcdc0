import type { z } from 'zod'
import type { Kind } from '../domain/ids.ts'
import type { OperationName } from './operations.ts'

/** Which tools a client is shown: few by default, since every description is read by a model. */
export type Toolset = 'default' | 'full'

/** What a call of a tool may do, as clients ask it before they let a model call it. */
export interface ToolEffects {
  readonly readOnly: boolean
  readonly idempotent: boolean
}

/** A tool as a model sees it. The door maps it to a call; the table says all that is shown. */
export interface Tool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly toolset: Toolset
  readonly effects: ToolEffects
  /** Names in snake case, as the seed has them. */
  readonly input: Input
  readonly output: Output
  /** The kind that it makes, where it makes one. */
  readonly makes?: Kind
  /** The operation that it is, where it is no more than that. */
  readonly operation?: OperationName
}

export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> => tool

export const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
