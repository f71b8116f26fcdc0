import { Entity } from '../../core/entity.ts'
import type { Caller, LabelTiers } from '../../domain/doors.ts'
import type { Redactor } from '../../domain/secrets.ts'
import type { Stack } from '../../stack/stack.ts'
import type { Trace } from '../trace.ts'
import type { ToolContext } from './context.ts'
import type { Client } from './server.ts'

export interface Connection {
  readonly stack: Stack
  readonly personal?: Stack | null
  /** One for each connection; null where the client keeps none, and shares one with others of the day. */
  readonly session: string | null
  /** The model on the other side, where somebody says; otherwise the client is named. */
  readonly model: string | null
  /** What a token allows, where one was shown: at this door it only narrows. */
  readonly grant: LabelTiers | null
  readonly actor?: string
  readonly redact?: Redactor | undefined
  readonly trace?: Trace | undefined
}

const CORE = 'muniment-mcp'

/** What a call of a tool works with: who calls is said by the connection, never by the input. */
export function toolContexts(
  connection: Connection,
): (name: string, client: Client) => ToolContext {
  const { stack, session, model, grant, redact, trace } = connection
  const entities = new Map<string, Promise<Entity>>()
  return (name, client) => {
    const caller: Caller = {
      door: 'mcp',
      operation: name,
      person: false,
      grant,
      session,
      turn: null,
    }
    const modelId = model ?? `unknown:${client.name}/${client.version}`
    const entity = (): Promise<Entity> => {
      const made = entities.get(modelId) ?? attached(modelId, stack)
      entities.set(modelId, made)
      return made
    }
    const actor = connection.actor ?? `${stack.stackId}:model`
    const { personal = null } = connection
    return { stack, personal, caller, actor, entity, model: modelId, redact, trace }
  }
}

async function attached(modelId: string, stack: Stack): Promise<Entity> {
  const entity = new Entity(CORE, { modelId })
  await entity.attachStack(stack)
  return entity
}
