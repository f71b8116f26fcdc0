import { MunimentError } from '../domain/errors.ts'
import { splitRef } from '../domain/ids.ts'
import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { BodyInputOf } from '../domain/kinds/table.ts'
import { type Instant, toMs } from '../domain/time.ts'
import type { CaptureRequest } from '../stack/requests.ts'
import type { Stack } from '../stack/stack.ts'

/** Where somebody is in his work: what he needs to go on. */
export interface WorkingState {
  readonly task: string
  readonly pending?: readonly string[]
  readonly context?: string
  /** Anything else, as JSON. */
  readonly state?: JsonObject
}

export interface Resumed extends WorkingState {
  readonly ref: string
  readonly savedAt: Instant
  readonly ageMinutes: number
}

export const CHECKPOINT = 'checkpoint'
const FORMAT = 'muniment/checkpoint/1'
const MINUTE_MS = 60_000
const LOOKED_AT_MAX = 50 // checkpoints that are gone through for one's own

/** A note that people can read, made from a capture that can be read back. */
export function checkpointOf(
  { task, pending = [], context, state }: WorkingState,
  at: Instant,
): readonly [BodyInputOf<'note'>, readonly CaptureRequest[]] {
  if (typeof task !== 'string' || task.trim() === '') {
    throw new MunimentError('invalid_input', 'A checkpoint says what the task is.', {
      issues: [{ path: 'task', message: 'expected text that is not empty' }],
    })
  }
  const content = [
    `Working state of ${at}: ${task}`,
    ...(pending.length === 0 ? [] : ['Still to do:', ...pending.map((each) => `- ${each}`)]),
    ...(context === undefined ? [] : [context]),
  ].join('\n')
  const kept = {
    format: FORMAT,
    task,
    pending,
    ...(context && { context }),
    ...(state && { state }),
  }
  const raw = { content: JSON.stringify(kept), capturedFrom: CHECKPOINT }
  const body = { content, noteType: 'reference', tags: [CHECKPOINT] } as const
  return [body, [{ kind: 'raw', body: raw }]]
}

/** The newest that this core saved; those of other cores and of hooks are not its own. */
export async function resumedFrom(stack: Stack, coreId: string): Promise<Resumed | null> {
  const notes = await stack.getNotes({ tags: [CHECKPOINT], limit: LOOKED_AT_MAX })
  for (const { ref, provenance, createdAt } of notes) {
    const [raw] = provenance.derivedFrom
    if (provenance.sourceId !== coreId || raw === undefined) continue
    const captured = await stack.getMemory('raw', splitRef(raw).id)
    const state = captured && stateIn(captured.body.content)
    if (!state) continue
    const ageMinutes = (toMs(await stack.now()) - toMs(createdAt)) / MINUTE_MS
    return { ...state, ref, savedAt: createdAt, ageMinutes }
  }
  return null
}

function stateIn(content: string): WorkingState | null {
  try {
    const { format, task, pending = [], context, state } = JSON.parse(content)
    if (format !== FORMAT || typeof task !== 'string') return null
    return { task, pending, ...(context && { context }), ...(state && { state }) }
  } catch {
    return null
  }
}
