import type { Entity } from '../../agent/entity.ts'
import type { Caller } from '../../domain/doors.ts'
import type { Redactor } from '../../domain/words/secrets.ts'
import type { Trace } from '../../operations/context.ts'
import type { Stack } from '../../stack.ts'

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
