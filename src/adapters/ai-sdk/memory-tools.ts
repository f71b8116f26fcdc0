import type { ToolSet } from 'ai'
import { Entity } from '../../agent/entity.ts'
import type { Caller, Use } from '../../domain/doors.ts'
import { MunimentError } from '../../domain/errors.ts'
import { redacted } from '../../domain/words/secrets.ts'
import { callTool } from '../../operations/call-tool.ts'
import type { Tool, ToolContext, Toolset } from '../../operations/tool.ts'
import { toolsOf } from '../../operations/tools.ts'
import type { Stack } from '../../stack.ts'
import { Seat, type SeatOptions } from '../common/seat.ts'

export interface MemoryToolsOptions extends SeatOptions {
  /** The conversation's seat, from `withMemory`: what the tools write then belongs to its turn. */
  readonly seat?: Seat
  readonly toolset?: Toolset
  /** The least use of what the tools read: `plan` unless given. */
  readonly use?: Use
}

export const AI_SDK = 'ai_sdk'

/**
 * The tools of the MCP server for `generateText` and `streamText`. A model calls these tools, so they have
 * the rights of a model whichever way they came.
 */
export function memoryTools(stack: Stack, options: MemoryToolsOptions = {}): ToolSet {
  const { seat = new Seat(stack, AI_SDK, options), toolset = 'default', use = 'plan' } = options
  const entityOf = (): Promise<Entity> => attached(stack, seat.modelId)
  let entity: Promise<Entity> | null = null
  const contextFor = async (name: string): Promise<ToolContext> => {
    const { caller } = await seat.author()
    const model: Caller = { ...caller, door: 'mcp', operation: name, use }
    return {
      stack,
      caller: model,
      actor: seat.actor,
      model: seat.modelId,
      redact: options.redact ?? redacted,
      entity: () => {
        entity ??= entityOf()
        return entity
      },
    }
  }
  const tools = toolsOf(toolset).map((tool) => [tool.name, sdkTool(tool, contextFor)] as const)
  return Object.fromEntries(tools)
}

type ContextFor = (name: string) => Promise<ToolContext>

function sdkTool(tool: Tool, contextFor: ContextFor): ToolSet[string] {
  return {
    title: tool.title,
    description: tool.description,
    inputSchema: tool.input,
    execute: async (given: unknown) => {
      try {
        return (await callTool(await contextFor(tool.name), tool, given)).text
      } catch (error) {
        throw readable(error)
      }
    },
  }
}

/** The SDK shows a model only the message of an error. */
function readable(error: unknown): unknown {
  if (!(error instanceof MunimentError) || error.hint === undefined) return error
  return new Error(`${error.message} ${error.hint}`, { cause: error })
}

async function attached(stack: Stack, modelId: string): Promise<Entity> {
  const entity = new Entity(AI_SDK, { modelId })
  await entity.attachStack(stack)
  return entity
}
