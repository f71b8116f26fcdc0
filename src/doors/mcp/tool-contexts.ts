import { Entity } from '../../agent/entity.ts'
import type { Caller, LabelTiers, Use } from '../../domain/doors.ts'
import type { Redactor } from '../../domain/words/secrets.ts'
import type { Trace } from '../../operations/context.ts'
import type { ToolContext } from '../../operations/tool.ts'
import type { Stack } from '../../stack.ts'
import { turnOf } from '../hook/session-record.ts'
import type { Client } from './server.ts'

export interface Connection {
  readonly stack: Stack
  readonly personal?: Stack | null
  /** One for each connection; null where the client keeps none, and shares a daily session. */
  readonly session: string | null
  /** The calling model, if named; otherwise provenance names the client. */
  readonly model: string | null
  /** The rights of the token, if shown: at this door a grant only narrows. */
  readonly grant: LabelTiers | null
  readonly actor?: string
  /** The least use of the connection, as fixed by its host: `plan` unless given. */
  readonly use?: Use | undefined
  readonly redact?: Redactor | undefined
  readonly trace?: Trace | undefined
  /** The session and turn announced by the client's hook for a call; unset without hooks. */
  readonly announced?: (
    callId: string,
  ) => Promise<{ readonly session: string; readonly turn: string | null } | null>
}

export interface Requested {
  readonly name: string
  readonly client: Client
  /** The client's id of the call; null where the client gives none. */
  readonly callId: string | null
}

export type ContextFor = (requested: Requested) => Promise<ToolContext>

const CORE = 'muniment-mcp'

/** The context of a tool call: the connection names the caller, never the input. */
export function toolContexts(connection: Connection): ContextFor {
  const { stack, model, grant, redact, trace } = connection
  const actor = connection.actor ?? `${stack.stackId}:model`
  const entities = new Map<string, Promise<Entity>>()
  const places = new ClientPlaces(connection)
  return async ({ name, client, callId }) => {
    const place = await places.of(callId)
    const use = connection.use ?? 'plan'
    const caller: Caller = { door: 'mcp', operation: name, person: false, grant, use, ...place }
    const modelId = model ?? `unknown:${client.name}/${client.version}`
    const entity = (): Promise<Entity> => {
      const made = entities.get(modelId) ?? attached(modelId, stack)
      entities.set(modelId, made)
      return made
    }
    const { personal = null } = connection
    return { stack, personal, caller, actor, entity, model: modelId, redact, trace }
  }
}

type Place = Pick<Caller, 'session' | 'turn'>

/** The session and turn of each call over a connection. */
class ClientPlaces {
  readonly #connection: Connection
  #session: string | null

  constructor(connection: Connection) {
    this.#connection = connection
    this.#session = connection.session
  }

  /**
   * An announced call belongs to the client's session and turn. A call without an announcement
   * stays in the connection's last session, and names no turn.
   */
  async of(callId: string | null): Promise<Place> {
    const { stack, announced } = this.#connection
    const found = callId === null ? null : ((await announced?.(callId)) ?? null)
    if (found === null) return { session: this.#session, turn: null }
    const { session } = found
    const turn = found.turn ?? (await turnOf(stack, session))
    this.#session = session
    return { session, turn }
  }
}

async function attached(modelId: string, stack: Stack): Promise<Entity> {
  const entity = new Entity(CORE, { modelId })
  await entity.attachStack(stack)
  return entity
}
