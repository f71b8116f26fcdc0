import { z } from 'zod'
import { once } from '../../domain/errors.ts'
import type { StackGraph } from './graph.ts'

/** A tool of `@modelcontextprotocol/server-memory`, with the same name, words, input and output. */
export interface GraphTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly isReading: boolean
  readonly deletes: boolean
  readonly run: (graph: StackGraph, input: unknown) => Promise<GraphAnswer>
}

export interface GraphAnswer {
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>>
}

const texts = () => z.array(z.string())

const entity = once(() =>
  z.object({
    name: z.string().describe('The name of the entity'),
    entityType: z.string().describe('The type of the entity'),
    observations: texts().describe('An array of observation contents associated with the entity'),
  }),
)
const relation = once(() =>
  z.object({
    from: z.string().describe('The name of the entity where the relation starts'),
    to: z.string().describe('The name of the entity where the relation ends'),
    relationType: z.string().describe('The type of the relation'),
  }),
)
const graphShape = once(() =>
  z.object({ entities: z.array(entity()), relations: z.array(relation()) }),
)
const done = once(() => z.object({ success: z.boolean(), message: z.string() }))

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** Binds a tool's parsed input to its work: the input is of the schema beside. */
function tool<Input extends z.ZodObject>(
  given: Omit<GraphTool, 'input' | 'run'> & {
    readonly input: Input
    readonly run: (graph: StackGraph, input: z.output<Input>) => Promise<GraphAnswer>
  },
): GraphTool {
  return { ...given, run: (graph, input) => given.run(graph, input as z.output<Input>) } // as parsed
}

const writes = { isReading: false, deletes: false } as const
const removes = { isReading: false, deletes: true } as const
const reads = { isReading: true, deletes: false } as const

const doneWith = (message: string): GraphAnswer => ({
  text: message,
  structured: { success: true, message },
})

export const GRAPH_TOOLS = once((): readonly GraphTool[] => [
  tool({
    name: 'create_entities',
    title: 'Create Entities',
    description: 'Create multiple new entities in the knowledge graph',
    input: z.object({ entities: z.array(entity()) }),
    output: z.object({ entities: z.array(entity()) }),
    ...writes,
    run: async (graph, input) => {
      const entities = await graph.createEntities(input.entities)
      return { text: json(entities), structured: { entities } }
    },
  }),
  tool({
    name: 'create_relations',
    title: 'Create Relations',
    description:
      'Create multiple new relations between entities in the knowledge graph. Relations should be in active voice',
    input: z.object({ relations: z.array(relation()) }),
    output: z.object({ relations: z.array(relation()) }),
    ...writes,
    run: async (graph, input) => {
      const relations = await graph.createRelations(input.relations)
      return { text: json(relations), structured: { relations } }
    },
  }),
  tool({
    name: 'add_observations',
    title: 'Add Observations',
    description: 'Add new observations to existing entities in the knowledge graph',
    input: z.object({
      observations: z.array(
        z.object({
          entityName: z.string().describe('The name of the entity to add the observations to'),
          contents: texts().describe('An array of observation contents to add'),
        }),
      ),
    }),
    output: z.object({
      results: z.array(z.object({ entityName: z.string(), addedObservations: texts() })),
    }),
    ...writes,
    run: async (graph, input) => {
      const results = await graph.addObservations(input.observations)
      return { text: json(results), structured: { results } }
    },
  }),
  tool({
    name: 'delete_entities',
    title: 'Delete Entities',
    description: 'Delete multiple entities and their associated relations from the knowledge graph',
    input: z.object({
      entityNames: texts().describe('An array of entity names to delete'),
    }),
    output: done(),
    ...removes,
    run: async (graph, input) => {
      await graph.deleteEntities(input.entityNames)
      return doneWith('Entities deleted successfully')
    },
  }),
  tool({
    name: 'delete_observations',
    title: 'Delete Observations',
    description: 'Delete specific observations from entities in the knowledge graph',
    input: z.object({
      deletions: z.array(
        z.object({
          entityName: z.string().describe('The name of the entity containing the observations'),
          observations: texts().describe('An array of observations to delete'),
        }),
      ),
    }),
    output: done(),
    ...removes,
    run: async (graph, input) => {
      await graph.deleteObservations(input.deletions)
      return doneWith('Observations deleted successfully')
    },
  }),
  tool({
    name: 'delete_relations',
    title: 'Delete Relations',
    description: 'Delete multiple relations from the knowledge graph',
    input: z.object({
      relations: z.array(relation()).describe('An array of relations to delete'),
    }),
    output: done(),
    ...removes,
    run: async (graph, input) => {
      await graph.deleteRelations(input.relations)
      return doneWith('Relations deleted successfully')
    },
  }),
  tool({
    name: 'read_graph',
    title: 'Read Graph',
    description: 'Read the entire knowledge graph',
    input: z.object({}),
    output: graphShape(),
    ...reads,
    run: async (graph) => shown(await graph.readGraph()),
  }),
  tool({
    name: 'search_nodes',
    title: 'Search Nodes',
    description: 'Search for nodes in the knowledge graph based on a query',
    input: z.object({
      query: z
        .string()
        .describe('The search query to match against entity names, types, and observation content'),
    }),
    output: graphShape(),
    ...reads,
    run: async (graph, input) => shown(await graph.searchNodes(input.query)),
  }),
  tool({
    name: 'open_nodes',
    title: 'Open Nodes',
    description: 'Open specific nodes in the knowledge graph by their names',
    input: z.object({
      names: texts().describe('An array of entity names to retrieve'),
    }),
    output: graphShape(),
    ...reads,
    run: async (graph, input) => shown(await graph.openNodes(input.names)),
  }),
])

const shown = (graph: Awaited<ReturnType<StackGraph['readGraph']>>): GraphAnswer => ({
  text: json(graph),
  structured: { ...graph },
})
