import {
  type CallToolResult,
  type Tool as ListedTool,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { SERVER_MEMORY, StackGraph } from '../../adapters/server-memory/graph.ts'
import { contentsOf, GRAPH_RESOURCE } from '../../adapters/server-memory/resource.ts'
import { GRAPH_TOOLS, type GraphTool } from '../../adapters/server-memory/tools.ts'
import { MunimentError } from '../../domain/errors.ts'
import { redacted } from '../../domain/words/secrets.ts'
import { withoutSecrets } from '../../operations/redaction.ts'
import type { ToolContext } from '../../operations/tool.ts'
import type { Stack } from '../../stack.ts'
import { GROUND } from '../ground.ts'
import type { ServerParts } from './server.ts'

interface GraphServerParts extends Omit<ServerParts, 'tools'> {
  readonly graphs: Graphs
}

/** The one graph that every client of server-memory's tools shares in a stack. */
export class Graphs {
  readonly #documents: ReturnType<typeof StackGraph.documentsIn>
  readonly #actor: string

  constructor(stack: Stack) {
    this.#actor = `${stack.stackId}:${SERVER_MEMORY}`
    this.#documents = StackGraph.documentsIn(stack, this.#actor)
  }

  /** The graph as a call sees it: the connection names the caller, never the input. */
  for({ caller, model }: Pick<ToolContext, 'caller' | 'model'>): StackGraph {
    const author = { actor: this.#actor, modelId: model }
    // The name of the seat, and of no tool: the seat shows only what came through the seat.
    const by = { ...caller, operation: SERVER_MEMORY }
    return new StackGraph(this.#documents, async () => ({ ...author, caller: by }))
  }
}

/**
 * A server with the nine tools of `@modelcontextprotocol/server-memory`. Words come back unfenced,
 * because only words written through these tools come back.
 */
export function makeGraphServer(parts: GraphServerParts): McpServer {
  const info = { name: 'muniment', title: 'Muniment', version: parts.version }
  const mcp = new McpServer(info, { capabilities: { tools: {}, resources: { subscribe: true } } })
  const graphFor = async (name: string): Promise<Graphed> => {
    const client = { name: 'mcp-client', version: '0', ...mcp.server.getClientVersion() }
    const context = await parts.contextFor({ name, client, callId: null })
    return { context, graph: parts.graphs.for(context) }
  }
  mcp.server.setRequestHandler('tools/list', () => ({ tools: GRAPH_TOOLS().map(listed) }))
  let isSubscribed = false
  mcp.server.setRequestHandler('tools/call', ({ params }) => {
    const call = answer(parts, graphFor, params)
    parts.underWay(call)
    const { does = 'read' } = GRAPH_TOOLS().find(({ name }) => name === params.name) ?? {}
    if (!isSubscribed || does === 'read') return call
    return call.finally(() => mcp.server.sendResourceUpdated({ uri: GRAPH_RESOURCE.uri }))
  })
  const subscribes =
    (isMeant: boolean) =>
    ({ params: { uri } }: { params: { uri: string } }) => {
      if (uri === GRAPH_RESOURCE.uri) isSubscribed = isMeant
      return {}
    }
  mcp.server.setRequestHandler('resources/subscribe', subscribes(true))
  mcp.server.setRequestHandler('resources/unsubscribe', subscribes(false))
  mcp.server.setRequestHandler('resources/list', () => ({ resources: [GRAPH_RESOURCE] }))
  mcp.server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  mcp.server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    if (uri !== GRAPH_RESOURCE.uri) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Resource ${uri} not found`)
    }
    const { graph } = await graphFor('resource')
    return contentsOf(await graph.readGraph())
  })
  return mcp
}

interface Graphed {
  readonly context: ToolContext
  readonly graph: StackGraph
}

function listed({ name, title, description, input, output, ...tool }: GraphTool): ListedTool {
  return {
    name,
    title,
    description,
    // Plain JSON, as theirs is.
    inputSchema: input.toJSONSchema({
      target: 'draft-7',
      io: 'input',
    }) as ListedTool['inputSchema'],
    outputSchema: output.toJSONSchema({ target: 'draft-7' }) as NonNullable<
      ListedTool['outputSchema']
    >,
    annotations: {
      readOnlyHint: tool.does === 'read',
      destructiveHint: tool.does === 'delete',
      idempotentHint: tool.does !== 'write',
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  }
}

/** Failures are results with the words of server-memory, as its clients know them. */
async function answer(
  { onFault }: Pick<ServerParts, 'onFault'>,
  graphFor: (name: string) => Promise<Graphed>,
  { name, arguments: given }: { readonly name: string; readonly arguments?: object | undefined },
): Promise<CallToolResult> {
  const tool = GRAPH_TOOLS().find((each) => each.name === name)
  if (!tool) return failed(`MCP error -32602: Tool ${name} not found`)
  const parsed = tool.input.safeParse(given ?? {})
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ message, path }) => `${message} at ${pathText(path)}`)
    return failed(
      `MCP error -32602: Input validation error: Invalid arguments for tool ${name}: ${issues.join('\n')}`,
    )
  }
  try {
    const { context, graph } = await graphFor(name)
    const input = withoutSecrets(parsed.data, context.redact ?? redacted)
    const { text, structured } = await tool.run(graph, input)
    return { content: [{ type: 'text', text }], structuredContent: structured }
  } catch (error) {
    const ground = error instanceof MunimentError ? GROUND[error.code] : undefined
    if (ground !== undefined) onFault(error)
    return failed(ground ?? (error instanceof Error ? error.message : String(error)))
  }
}

const failed = (text: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text }],
})

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('')
