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
  readonly does: 'read' | 'write' | 'delete'
  readonly run: (graph: StackGraph, input: unknown) => Promise<GraphAnswer>
}

export interface GraphAnswer {
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>>
}

const text = (description: string) => z.string().describe(description)
const texts = () => z.array(z.string())
const textsOf = (description: string) => texts().describe(description)

const entity = once(() =>
  z.object({
    name: text('The name of the entity'),
    entityType: text('The type of the entity'),
    observations: textsOf('An array of observation contents associated with the entity'),
  }),
)
const relation = once(() =>
  z.object({
    from: text('The name of the entity where the relation starts'),
    to: text('The name of the entity where the relation ends'),
    relationType: text('The type of the relation'),
  }),
)

/** Binds a tool's parsed input to its work: the input is of the schema beside. */
function tool<Input extends z.ZodObject>(
  given: Omit<GraphTool, 'title' | 'input' | 'run'> & {
    readonly input: Input
    readonly run: (graph: StackGraph, input: z.output<Input>) => Promise<GraphAnswer>
  },
): GraphTool {
  const title = given.name
    .replaceAll('_', ' ')
    .replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
  return { ...given, title, run: (graph, input) => given.run(graph, input as z.output<Input>) } // as parsed
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
const shown = (graph: object): GraphAnswer => ({ text: json(graph), structured: { ...graph } })
const listed = <T>(name: string, list: T): GraphAnswer => ({
  text: json(list),
  structured: { [name]: list },
})
const doneWith = (message: string): GraphAnswer => ({
  text: message,
  structured: { success: true, message },
})

export const GRAPH_TOOLS = once((): readonly GraphTool[] => {
  const entities = z.object({ entities: z.array(entity()) })
  const relations = z.object({ relations: z.array(relation()) })
  const graphShape = entities.extend(relations.shape)
  const done = z.object({ success: z.boolean(), message: z.string() })
  return [
    tool({
      name: 'create_entities',
      description: 'Create multiple new entities in the knowledge graph',
      input: entities,
      output: entities,
      does: 'write',
      run: async (graph, input) => listed('entities', await graph.createEntities(input.entities)),
    }),
    tool({
      name: 'create_relations',
      description:
        'Create multiple new relations between entities in the knowledge graph. Relations should be in active voice',
      input: relations,
      output: relations,
      does: 'write',
      run: async (graph, input) =>
        listed('relations', await graph.createRelations(input.relations)),
    }),
    tool({
      name: 'add_observations',
      description: 'Add new observations to existing entities in the knowledge graph',
      input: z.object({
        observations: z.array(
          z.object({
            entityName: text('The name of the entity to add the observations to'),
            contents: textsOf('An array of observation contents to add'),
          }),
        ),
      }),
      output: z.object({
        results: z.array(z.object({ entityName: z.string(), addedObservations: texts() })),
      }),
      does: 'write',
      run: async (graph, input) =>
        listed('results', await graph.addObservations(input.observations)),
    }),
    tool({
      name: 'delete_entities',
      description:
        'Delete multiple entities and their associated relations from the knowledge graph',
      input: z.object({ entityNames: textsOf('An array of entity names to delete') }),
      output: done,
      does: 'delete',
      run: async (graph, input) => {
        await graph.deleteEntities(input.entityNames)
        return doneWith('Entities deleted successfully')
      },
    }),
    tool({
      name: 'delete_observations',
      description: 'Delete specific observations from entities in the knowledge graph',
      input: z.object({
        deletions: z.array(
          z.object({
            entityName: text('The name of the entity containing the observations'),
            observations: textsOf('An array of observations to delete'),
          }),
        ),
      }),
      output: done,
      does: 'delete',
      run: async (graph, input) => {
        await graph.deleteObservations(input.deletions)
        return doneWith('Observations deleted successfully')
      },
    }),
    tool({
      name: 'delete_relations',
      description: 'Delete multiple relations from the knowledge graph',
      input: z.object({
        relations: z.array(relation()).describe('An array of relations to delete'),
      }),
      output: done,
      does: 'delete',
      run: async (graph, input) => {
        await graph.deleteRelations(input.relations)
        return doneWith('Relations deleted successfully')
      },
    }),
    tool({
      name: 'read_graph',
      description: 'Read the entire knowledge graph',
      input: z.object({}),
      output: graphShape,
      does: 'read',
      run: async (graph) => shown(await graph.readGraph()),
    }),
    tool({
      name: 'search_nodes',
      description: 'Search for nodes in the knowledge graph based on a query',
      input: z.object({
        query: text(
          'The search query to match against entity names, types, and observation content',
        ),
      }),
      output: graphShape,
      does: 'read',
      run: async (graph, input) => shown(await graph.searchNodes(input.query)),
    }),
    tool({
      name: 'open_nodes',
      description: 'Open specific nodes in the knowledge graph by their names',
      input: z.object({ names: textsOf('An array of entity names to retrieve') }),
      output: graphShape,
      does: 'read',
      run: async (graph, input) => shown(await graph.openNodes(input.names)),
    }),
  ]
})
