import type { z } from 'zod'
import type { Entity } from '../agent/entity.ts'
import type { Caller } from '../domain/doors.ts'
import type { Kind } from '../domain/ids.ts'
import type { Redactor } from '../domain/words/secrets.ts'
import type { Stack } from '../stack.ts'
import type { Trace } from './context.ts'
import type { OperationName } from './operations.ts'

/** The context of every tool call: the door names the caller, never the input. */
export interface ToolContext {
  readonly stack: Stack
  /** The person's own stack, if this project may read it. No tool writes there. */
  readonly personal?: Stack | null
  readonly caller: Caller
  readonly actor: string
  /** The core for writes, bound to the calling model. Made by the first write. */
  readonly entity: () => Promise<Entity>
  /** The calling model, as provenance names the model. */
  readonly model: string
  readonly redact?: Redactor | undefined
  readonly trace?: Trace | undefined
  /** Reports progress of long work; throws once the client has cancelled. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** A tool's answer: data for programs, and a text for the model. */
export interface ToolAnswer {
  readonly structured: Readonly<Record<string, unknown>>
  readonly text: string
  /** The structured part is a fenced text already. */
  readonly isFenced?: boolean
}

/** Which tools a client is shown: few by default, since every description is read by a model. */
export type Toolset = 'default' | 'full'

/** What a call of a tool may do, as clients ask it before they let a model call it. */
interface ToolEffects {
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
  run(context: ToolContext, input: z.output<Input>): Promise<ToolAnswer>
}

export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> => tool

export const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
