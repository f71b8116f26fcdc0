import { MunimentError } from '../domain/errors.ts'
import { splitRef } from '../domain/ids.ts'
import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { BodyInputOf } from '../domain/kinds/table.ts'
import { type Instant, toMs } from '../domain/time.ts'
import type { Memory } from '../engine/read/memory-view.ts'
import type { CaptureRequest } from '../engine/write/write-request.ts'
import type { Stack } from '../stack.ts'

/** The state of a task: everything an agent needs to continue. */
export interface WorkingState {
  readonly task: string
  readonly pending?: readonly string[]
  readonly context?: string
  /** Further state, as JSON. */
  readonly state?: JsonObject
}

/** The working state of the last checkpoint, and its age. */
export interface Resumed extends WorkingState {
  readonly ref: string
  readonly savedAt: Instant
  readonly ageMinutes: number
}

export const CHECKPOINT = 'checkpoint'
const FORMAT = 'muniment/checkpoint/1'
const MINUTE_MS = 60_000
const PAGE = 50 // checkpoints read at a time

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
  if (!Array.isArray(pending) || pending.some((each) => typeof each !== 'string')) {
    throw new MunimentError('invalid_input', 'What is pending is a list of texts.', {
      issues: [{ path: 'pending', message: 'expected a list of texts' }],
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

/** The newest checkpoint of this core; checkpoints of other cores and of hooks are left out. */
export async function resumedFrom(stack: Stack, coreId: string): Promise<Resumed | null> {
  for (let after: string | undefined; ; ) {
    const from = after === undefined ? {} : { after }
    const notes = await stack.getNotes({ tags: [CHECKPOINT], limit: PAGE, ...from })
    for (const note of notes) {
      const resumed = note.provenance.sourceId === coreId ? await resumedAt(stack, note) : null
      if (resumed) return resumed
    }
    const last = notes.at(-1)
    if (last === undefined || notes.length < PAGE) return null
    after = last.id
  }
}

async function resumedAt(
  stack: Stack,
  { ref, provenance, createdAt }: Memory<'note'>,
): Promise<Resumed | null> {
  const [raw] = provenance.derivedFrom
  const captured = raw && (await stack.getMemory('raw', splitRef(raw).id))
  const state = captured && stateIn(captured.body.content)
  if (!state) return null
  const ageMinutes = (toMs(await stack.health.now()) - toMs(createdAt)) / MINUTE_MS
  return { ...state, ref, savedAt: createdAt, ageMinutes }
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
