import type { Entity } from '../../agent/entity.ts'
import type { Caller } from '../../domain/doors.ts'
import type { Redactor } from '../../domain/secrets.ts'
import type { Stack } from '../../stack.ts'
import type { Trace } from '../trace.ts'

/** What every call of a tool brings: who calls is the door's to say, never the input's. */
export interface ToolContext {
  readonly stack: Stack
  /** The person's own stack, where this project may read it. No tool writes to it. */
  readonly personal?: Stack | null
  readonly caller: Caller
  readonly actor: string
  /** The core that writes, bound to the model on the other side. Made by the first write. */
  readonly entity: () => Promise<Entity>
  /** The model on the other side, as provenance names it. */
  readonly model: string
  readonly redact?: Redactor | undefined
  readonly trace?: Trace | undefined
  /** Told while long work goes on, where the client listens; throws once the client has called it off. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** What a tool has to say: data for programs, and a text for the model. */
export interface ToolAnswer {
  readonly structured: Readonly<Record<string, unknown>>
  readonly text: string
  /** The structured part is a fenced text already. */
  readonly isFenced?: boolean
}
