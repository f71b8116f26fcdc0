import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
} from '@modelcontextprotocol/server'
import type { Use } from '../../domain/doors.ts'
import { ScopeError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Redactor } from '../../domain/words/secrets.ts'
import type { Trace } from '../../operations/context.ts'
import { toolsOf } from '../../operations/tools.ts'
import type { Log } from '../log.ts'
import { makeServer } from '../mcp/server.ts'
import { toolContexts } from '../mcp/tool-contexts.ts'
import { assertPersonal } from '../projects/personal-stack.ts'
import { mayReach } from './access.ts'
import { keyOf, type McpCall, McpSessions } from './mcp-sessions.ts'
import type { OpenStack, OpenStacks } from './stacks.ts'

export interface McpParts {
  readonly stacks: OpenStacks
  readonly version: string
  readonly now: () => number
  readonly log: Log
  readonly redact: Redactor
  readonly trace: Trace
  /** The least use of a model; a token may ask for a stricter use. */
  readonly use: Use
  /** Registers every running call, so shutdown can wait. */
  readonly underWay: (call: Promise<unknown>) => void
}

const HANDLERS_MAX = 1_000

/** The MCP door on this server's port: every caller here is a model, even with a token. */
export class McpDoor {
  readonly #parts: McpParts
  readonly #sessions: McpSessions
  readonly #handlers = new Map<string, McpHttpHandler>()

  constructor(parts: McpParts) {
    this.#parts = parts
    this.#sessions = new McpSessions({
      stacks: parts.stacks,
      now: parts.now,
      makeServer: (held, call, session) => this.#server(held, call, session),
    })
  }

  async answer(request: Request, call: McpCall): Promise<Response> {
    assertPersonal(call.stackId, false) // a model calls here, even with a token
    if (!mayReach(call.access, call.stackId)) {
      throw new ScopeError('That stack is not for this token.')
    }
    const limit = { maxRequestBodySize: LIMITS.jsonBytesMax }
    // The older protocol has sessions of its own, the newer names everything in each request.
    const isOlder = await isLegacyRequest(request.clone(), undefined, limit)
    return isOlder ? this.#sessions.answer(request, call) : this.#handlerFor(call).fetch(request)
  }

  #handlerFor(call: McpCall): McpHttpHandler {
    const key = keyOf(call)
    const known = this.#handlers.get(key)
    if (known) return known
    const { stacks, log } = this.#parts
    const made = createMcpHandler(
      () => stacks.use(call.stackId, async (held) => this.#server(held, call, null)),
      {
        legacy: 'reject',
        onerror: (error) => log.error(`protocol: ${error.message}`),
        maxRequestBodySize: LIMITS.jsonBytesMax,
      },
    )
    const [oldest] = this.#handlers.keys()
    if (this.#handlers.size >= HANDLERS_MAX && oldest !== undefined) this.#handlers.delete(oldest)
    this.#handlers.set(key, made)
    return made
  }

  #server(
    held: OpenStack,
    { access, stackId, toolset }: McpCall,
    session: string | null,
  ): McpServer {
    const { version, log, underWay, redact, trace, use } = this.#parts
    return makeServer({
      version,
      tools: toolsOf(toolset),
      contextFor: toolContexts({
        stack: held.stack,
        session,
        model: null,
        grant: access.grant,
        use: access.use ?? use,
        redact,
        trace,
        actor: `${stackId}:${access.person ? 'model' : access.role}`,
      }),
      onFault: (error) =>
        log.error(`fault: ${error instanceof Error ? error.stack : String(error)}`),
      underWay: (call) => {
        underWay(call)
        held.users += 1
        const over = (): void => {
          held.users -= 1
        }
        call.then(over, over)
      },
    })
  }

  async close(): Promise<void> {
    await this.#sessions.close()
    await Promise.all([...this.#handlers.values()].map((handler) => handler.close()))
  }
}
