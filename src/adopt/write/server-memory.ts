import { listOf } from '../fields.ts'
import { SERVER_MEMORY_TAGS } from '../formats/server-memory.ts'
import type { OutMemory } from './memories.ts'

interface Entity {
  readonly name: string
  readonly entityType: string
  readonly observations: string[]
  /** The memory behind each observation; server-memory passes by members it does not know. */
  readonly muniment: string[]
}

/** The graph as lines of JSON. Memories of other sources are observations of their kind. */
export async function* serverMemoryLines(
  memories: AsyncIterable<OutMemory>,
): AsyncGenerator<string, void> {
  const entities = new Map<string, Entity>()
  const relations: string[] = []
  const entity = (name: string, entityType: string): Entity => {
    const key = JSON.stringify([name, entityType])
    const known = entities.get(key) ?? { name, entityType, observations: [], muniment: [] }
    entities.set(key, known)
    return known
  }
  for await (const memory of memories) {
    const [mark, type, to] = listOf(memory.body.contextTags).map(String)
    const { context } = memory.body
    const name = typeof context === 'string' ? context : ''
    if (mark === SERVER_MEMORY_TAGS.relation && type !== undefined && to !== undefined) {
      const relation = { type: 'relation', from: name, to, relationType: type }
      relations.push(line({ ...relation, muniment: memory.ref }))
    } else if (mark === SERVER_MEMORY_TAGS.entity && type !== undefined) entity(name, type)
    else if (mark === SERVER_MEMORY_TAGS.observation && type !== undefined) {
      add(entity(name, type), memory.text.slice(`${name}: `.length), memory.ref)
    } else add(entity(`muniment ${memory.kind}`, 'muniment'), memory.text, memory.ref)
  }
  for (const each of entities.values()) yield line({ type: 'entity', ...each })
  yield* relations
}

const line = (value: object): string => `${JSON.stringify(value)}\n`

function add({ observations, muniment }: Entity, text: string, ref: string): void {
  observations.push(text)
  muniment.push(ref)
}
