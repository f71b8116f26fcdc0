import type { KnowledgeGraph } from './graph.ts'

/** The graph as a resource of MCP, in the words of server-memory. */
export const GRAPH_RESOURCE = {
  name: 'knowledge-graph',
  uri: 'memory://knowledge-graph',
  title: 'Knowledge Graph',
  description: 'The full knowledge graph with all entities and relations',
  mimeType: 'application/json',
} as const

type Read = (uri: URL) => Promise<{
  contents: { uri: string; mimeType: string; text: string }[]
}>

/** The part of an `McpServer` that is needed, whichever version of the SDK the host has. */
interface ResourceServer {
  registerResource(
    name: string,
    uri: string,
    config: { title: string; description: string; mimeType: string },
    read: Read,
  ): unknown
}

/** The contents of the resource. */
export const contentsOf = (graph: KnowledgeGraph, uri: string = GRAPH_RESOURCE.uri) => {
  const { mimeType } = GRAPH_RESOURCE
  return { contents: [{ uri, mimeType, text: JSON.stringify(graph, null, 2) }] }
}

/** Offers a graph as a resource of the host's own server. */
export function registerKnowledgeGraphResource(
  server: ResourceServer,
  graph: { readGraph(): Promise<KnowledgeGraph> },
): void {
  const { name, uri, ...config } = GRAPH_RESOURCE
  server.registerResource(name, uri, config, async ({ href }) =>
    contentsOf(await graph.readGraph(), href),
  )
}
