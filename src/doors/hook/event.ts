import { MunimentError } from '../../domain/errors.ts'

export const HOOKS = ['prompt', 'call', 'tool', 'start', 'compact', 'end'] as const
export type Hook = (typeof HOOKS)[number]

/**
 * A hook's report, read leniently: names differ between versions of clients, and a failing hook
 * helps nobody.
 */
export interface HookEvent {
  readonly name: string | null
  readonly session: string | null
  /** The folder in which the client works. */
  readonly cwd: string | null
  /** The client's own name for the turn, if any. */
  readonly turn: string | null
  readonly prompt: string | null
  readonly tool: string | null
  /** The client's id of a tool call. */
  readonly callId: string | null
  readonly toolInput: Readonly<Record<string, unknown>>
  readonly toolResult: unknown
  /** A sub-agent of the client reports: no person talks to a sub-agent. */
  readonly isSubagents: boolean
  /** The reason for a compaction, or for the end. */
  readonly reason: string | null
  /** The person's instructions for the compaction. */
  readonly instructions: string | null
}

type Members = Readonly<Record<string, unknown>>

export function readEvent(given: unknown): HookEvent {
  if (!isMembers(given)) throw new MunimentError('invalid_input', 'The event is no JSON object.')
  const text = (...names: readonly string[]): string | null => {
    const found = names.map((name) => given[name]).find((value) => isText(value))
    return typeof found === 'string' ? found : null
  }
  const firstOf = (...names: readonly string[]): unknown =>
    names.map((name) => given[name]).find((value) => value !== undefined && value !== null)
  const toolInput = firstOf('tool_input', 'toolInput', 'input', 'parameters')
  return {
    name: text('hook_event_name', 'hookEventName'),
    session: text('session_id', 'sessionId', 'conversation_id'),
    cwd: text('cwd'),
    turn: text('prompt_id', 'promptId', 'turn_id', 'generation_id'),
    prompt: text('prompt', 'user_prompt', 'message'),
    tool: text('tool_name', 'toolName'),
    callId: text('tool_use_id', 'toolUseId'),
    toolInput: isMembers(toolInput) ? toolInput : {},
    toolResult: firstOf(
      'tool_response',
      'toolResponse',
      'tool_output',
      'tool_result',
      'result',
      'error',
    ),
    isSubagents: text('agent_id', 'agentId') !== null,
    reason: text('trigger', 'reason', 'source'),
    instructions: text('custom_instructions', 'customInstructions'),
  }
}

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
