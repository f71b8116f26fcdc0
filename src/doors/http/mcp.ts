import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { ScopeError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { toolsOf } from '../../protocol/tools.ts'
import { makeServer } from '../mcp/server.ts'
import { toolContexts } from '../mcp/tool-contexts.ts'
import { type Access, mayReach } from './access.ts'
import type { OpenStacks } from './stacks.ts'

export interface McpParts {
  readonly stacks: OpenStacks
  readonly version: string
  readonly log: (line: string) => void
  /** Tells of every call that is under way, so that the end can wait for it. */
  readonly underWay: (call: Promise<unknown>) => void
}

/** The agent's door on the port of this server: whoever comes through it is a model, token or not. */
export class McpDoor {
  readonly #parts: McpParts
  readonly #handlers = new Map<string, McpHttpHandler>()

  constructor(parts: McpParts) {
    this.#parts = parts
  }

  async answer(request: Request, access: Access, stackId: string): Promise<Response> {
    if (!mayReach(access, stackId)) throw new ScopeError('That stack is not for this token.')
    // What is asked is answered while the stack is held; a stream that goes on holds it, too.
    return this.#parts.stacks.use(stackId, async () => {
      const handler = this.#handlerFor(access, stackId)
      return handler.fetch(request)
    })
  }

  #handlerFor(access: Access, stackId: string): McpHttpHandler {
    const key = JSON.stringify([stackId, access.id])
    const known = this.#handlers.get(key)
    if (known) return known
    const { stacks, version, log, underWay } = this.#parts
    const made = createMcpHandler(
      () =>
        stacks.use(stackId, async ({ stack }) =>
          makeServer({
            version,
            tools: toolsOf('default'),
            contextFor: toolContexts({
              stack,
              session: null,
              model: null,
              grant: access.grant,
              actor: `${stackId}:${access.person ? 'model' : access.role}`,
            }),
            onFault: (error) =>
              log(`fault: ${error instanceof Error ? error.stack : String(error)}`),
            underWay,
          }),
        ),
      {
        onerror: (error) => log(`protocol: ${error.message}`),
        maxRequestBodySize: LIMITS.jsonBytesMax,
      },
    )
    if (this.#handlers.size >= HANDLERS_MAX) this.#handlers.clear()
    this.#handlers.set(key, made)
    return made
  }

  async close(): Promise<void> {
    await Promise.all([...this.#handlers.values()].map((handler) => handler.close()))
  }
}

const HANDLERS_MAX = 1_000
