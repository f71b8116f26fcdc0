import { randomUUID } from 'node:crypto'
import {
  type McpServer,
  WebStandardStreamableHTTPServerTransport as Transport,
} from '@modelcontextprotocol/server'
import { MunimentError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Toolset } from '../../operations/tool.ts'
import type { Access } from './access.ts'
import { HttpError } from './problem.ts'
import type { OpenStack, OpenStacks } from './stacks.ts'

/** A request for a stack, by a caller, with a toolset. */
export interface McpCall {
  readonly access: Access
  readonly stackId: string
  readonly toolset: Toolset
}

/** Keeps sessions of different callers, stacks and toolsets apart. */
export const keyOf = ({ access, stackId, toolset }: McpCall): string =>
  JSON.stringify([stackId, access.id, toolset])

export interface SessionParts {
  readonly stacks: OpenStacks
  readonly now: () => number
  readonly makeServer: (held: OpenStack, call: McpCall, session: string) => McpServer
}

interface Open {
  readonly key: string
  /** The id of the session's first caller. */
  readonly by: string
  readonly transport: Transport
  readonly release: () => void
  seen: number
}

const SESSIONS_MAX = 1_000
const OF_ONE_MAX = 200 // sessions of a caller
const IDLE_MS = 3_600_000

/**
 * Sessions of the 2025 protocol: each is made here and bound to its first caller; receipts use the
 * session's name.
 */
export class McpSessions {
  readonly #parts: SessionParts
  readonly #open = new Map<string, Open>()

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  async answer(request: Request, call: McpCall): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#begin(request, call)
    const open = this.#open.get(id)
    // Another caller's session is reported as missing.
    if (!open || open.key !== keyOf(call)) throw noSession()
    open.seen = this.#parts.now()
    return open.transport.handleRequest(request)
  }

  /**
   * A first request other than initialize is answered by the protocol's rules, and leaves no
   * session.
   */
  async #begin(request: Request, call: McpCall): Promise<Response> {
    await this.#makeRoom(call.access.id)
    const session = randomUUID()
    const { held, release } = await this.#parts.stacks.hold(call.stackId)
    const transport = new Transport({
      sessionIdGenerator: () => session,
      onsessioninitialized: (id) => {
        const seen = this.#parts.now()
        this.#open.set(id, { key: keyOf(call), by: call.access.id, transport, release, seen })
      },
      onsessionclosed: (id) => this.#drop(id),
      maxRequestBodySize: LIMITS.jsonBytesMax,
    })
    try {
      await this.#parts.makeServer(held, call, session).connect(transport)
      const response = await transport.handleRequest(request)
      if (!this.#open.has(session)) release()
      return response
    } catch (error) {
      release()
      throw error
    }
  }

  #drop(id: string): void {
    this.#open.get(id)?.release()
    this.#open.delete(id)
  }

  async #end(id: string): Promise<void> {
    const open = this.#open.get(id)
    this.#drop(id)
    await open?.transport.close()
  }

  /** A caller with too many sessions loses the session idle longest; other callers keep theirs. */
  async #makeRoom(by: string): Promise<void> {
    const idleSince = this.#parts.now() - IDLE_MS
    for (const [id, { seen }] of this.#open) if (seen < idleSince) await this.#end(id)
    const own = [...this.#open].filter(([, open]) => open.by === by)
    const [oldest] = own.sort(([, a], [, b]) => a.seen - b.seen)
    const isFull = own.length >= OF_ONE_MAX || this.#open.size >= SESSIONS_MAX
    if (isFull && oldest !== undefined) await this.#end(oldest[0])
    if (this.#open.size < SESSIONS_MAX) return
    throw new MunimentError('backpressure', 'Too many sessions are open.')
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.#end(id)))
  }
}

const noSession = (): HttpError =>
  new HttpError(404, new MunimentError('not_found', 'There is no such session; begin a new one.'))
