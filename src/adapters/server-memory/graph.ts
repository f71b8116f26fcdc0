import type { Stack } from '../../stack.ts'
import { type Document, Documents, type Live, type Plan } from '../common/documents.ts'
import type { Author } from '../common/seat.ts'
import type { FileRecord } from './memory-file.ts'

/** Records as `@modelcontextprotocol/server-memory` names and writes them. */
export interface Entity {
  name: string
  entityType: string
  observations: string[]
}

export interface Relation {
  from: string
  to: string
  relationType: string
}

export interface KnowledgeGraph {
  entities: Entity[]
  relations: Relation[]
}

/** The name of the seat, as ingestion paths bear it. */
export const SERVER_MEMORY = 'server_memory'

type EntityRecord = Entity & { readonly type: 'entity'; readonly copy?: number }
type RelationRecord = Relation & { readonly type: 'relation'; readonly copy?: number }
interface TakenOver {
  readonly type: 'taken_over'
  readonly file: string
}
type GraphRecord = EntityRecord | RelationRecord | TakenOver

const PART = 1_000 // records saved together while a file is taken over

/**
 * The knowledge graph of server-memory over a stack. Each entity and each relation is one memory; a
 * new observation is a revision. Answers are those of server-memory's `KnowledgeGraphManager`.
 */
export class StackGraph {
  readonly #documents: Documents
  readonly #author: () => Promise<Author>

  constructor(documents: Documents, author: () => Promise<Author>) {
    this.#documents = documents
    this.#author = author
  }

  /** The memories of a graph; every client of a stack shares the graph of its actor. */
  static documentsIn(stack: Stack, actor: string): Documents {
    return new Documents({ stack, seat: SERVER_MEMORY, actor, keyOf })
  }

  createEntities(entities: readonly Entity[]): Promise<Entity[]> {
    return this.#change((live) => {
      const known = new Set(entitiesIn(live).map(({ name }) => name))
      const answer = entities.filter(({ name }) => !known.has(name))
      return { answer, create: contentsOf(answer.map(entityRecord), live) }
    })
  }

  createRelations(relations: readonly Relation[]): Promise<Relation[]> {
    return this.#change((live) => {
      const known = new Set(relationsIn(live).map(relationName))
      const answer = relations.filter((relation) => !known.has(relationName(relation)))
      return { answer, create: contentsOf(answer.map(relationRecord), live) }
    })
  }

  addObservations(
    additions: readonly { readonly entityName: string; readonly contents: readonly string[] }[],
  ): Promise<{ entityName: string; addedObservations: string[] }[]> {
    return this.#change((live) => {
      const graph = new ChangedEntities(live)
      const answer = additions.map(({ entityName, contents }) => {
        const entity = graph.find(entityName)
        if (!entity) throw new Error(`Entity with name ${entityName} not found`)
        const addedObservations = contents.filter((each) => !entity.observations.includes(each))
        entity.observations.push(...addedObservations)
        return { entityName, addedObservations }
      })
      return { answer, revise: graph.revisions() }
    })
  }

  /** A deleted entity takes its relations along. */
  async deleteEntities(names: readonly string[]): Promise<void> {
    const gone = new Set(names)
    await this.#remove((record) =>
      record.type === 'entity'
        ? gone.has(record.name)
        : gone.has(record.from) || gone.has(record.to),
    )
  }

  async deleteObservations(
    deletions: readonly { readonly entityName: string; readonly observations: readonly string[] }[],
  ): Promise<void> {
    await this.#change((live) => {
      const graph = new ChangedEntities(live)
      for (const { entityName, observations } of deletions) {
        const entity = graph.find(entityName)
        if (!entity) continue
        entity.observations = entity.observations.filter((each) => !observations.includes(each))
      }
      return { answer: undefined, revise: graph.revisions() }
    })
  }

  async deleteRelations(relations: readonly Relation[]): Promise<void> {
    const gone = new Set(relations.map(relationName))
    await this.#remove((record) => record.type === 'relation' && gone.has(relationName(record)))
  }

  async readGraph(): Promise<KnowledgeGraph> {
    const live = await this.#documents.read()
    await this.#documents.serve(await this.#author(), [...live.values()])
    return { entities: entitiesIn(live), relations: relationsIn(live) }
  }

  async searchNodes(query: string): Promise<KnowledgeGraph> {
    const words = query.toLowerCase()
    return this.#part(({ name, entityType, observations }) =>
      [name, entityType, ...observations].some((text) => text.toLowerCase().includes(words)),
    )
  }

  async openNodes(names: readonly string[]): Promise<KnowledgeGraph> {
    return this.#part(({ name }) => names.includes(name))
  }

  /** The memory that holds an entity: for `stack.history.why`. */
  async refOf(name: string): Promise<Document['ref'] | null> {
    const live = await this.#documents.read()
    return live.get(keyOfRecord({ ...BARE, name }))?.ref ?? null
  }

  /**
   * Takes over a memory file; false for a file that was taken over before. A start that was cut short
   * goes on where it stopped.
   */
  async takeOver(file: string, records: readonly FileRecord[]): Promise<boolean> {
    const marker: TakenOver = { type: 'taken_over', file }
    if ((await this.#documents.read()).has(keyOfRecord(marker))) return false
    await this.#createMissing([...contentsOf(records, new Map()), JSON.stringify(marker)])
    return true
  }

  /** Makes the graph hold the records of a memory file, and nothing else. */
  async become(records: readonly FileRecord[]): Promise<void> {
    const contents = contentsOf(records, new Map())
    const wanted = new Map(contents.map((content) => [keyOf(content), content]))
    await this.#createMissing(contents)
    await this.#change((live) => {
      const documents = [...live.values()]
      const revise = documents.flatMap((document) => {
        const content = wanted.get(document.key)
        return content === undefined ? [] : [{ document, content }]
      })
      return { answer: undefined, revise, discard: documents.filter(({ key }) => !wanted.has(key)) }
    })
  }

  /** Every record as a line of a memory file. */
  async lines(): Promise<readonly string[]> {
    const live = await this.#documents.read()
    return [...entitiesIn(live).map(entityRecord), ...relationsIn(live).map(relationRecord)].map(
      (record) => JSON.stringify(record),
    )
  }

  async #createMissing(contents: readonly string[]): Promise<void> {
    for (let from = 0; from < contents.length; from += PART) {
      const part = contents.slice(from, from + PART)
      await this.#change((live) => {
        const isMissing = (content: string): boolean => !live.has(keyOf(content) ?? '')
        return { answer: undefined, create: part.filter(isMissing) }
      })
    }
  }

  async #part(isWanted: (entity: Entity) => boolean): Promise<KnowledgeGraph> {
    const live = await this.#documents.read()
    const entities = entitiesIn(live).filter(isWanted)
    const names = new Set(entities.map(({ name }) => name))
    const relations = relationsIn(live).filter(({ from, to }) => names.has(from) || names.has(to))
    const shown = [...live.values()].filter(({ content }) => {
      const record = recordIn(content)
      return record?.type === 'entity' && names.has(record.name)
    })
    await this.#documents.serve(await this.#author(), shown)
    return { entities, relations }
  }

  async #remove(isGone: (record: EntityRecord | RelationRecord) => boolean): Promise<void> {
    await this.#change((live) => {
      const remove = [...live.values()].filter(({ content }) => {
        const record = recordIn(content)
        return record !== null && record.type !== 'taken_over' && isGone(record)
      })
      return { answer: undefined, remove }
    })
  }

  async #change<T>(plan: (live: Live) => Plan<T>): Promise<T> {
    return this.#documents.change(await this.#author(), plan)
  }
}

/** Entities under change: the first of a name counts, as in server-memory. */
class ChangedEntities {
  readonly #live: Live
  readonly #changed = new Map<Document, EntityRecord>()

  constructor(live: Live) {
    this.#live = live
  }

  find(name: string): EntityRecord | undefined {
    const document = this.#live.get(keyOfRecord({ ...BARE, name }))
    if (!document) return undefined
    const known = this.#changed.get(document) ?? (recordIn(document.content) as EntityRecord) // by its key
    this.#changed.set(document, known)
    return known
  }

  revisions() {
    return [...this.#changed].map(([document, record]) => ({ document, content: written(record) }))
  }
}

const BARE = { type: 'entity', name: '', entityType: '', observations: [] as string[] } as const

const entityRecord = ({ name, entityType, observations }: Entity): EntityRecord => ({
  type: 'entity',
  name,
  entityType,
  observations,
})
const relationRecord = ({ from, to, relationType }: Relation): RelationRecord => ({
  type: 'relation',
  from,
  to,
  relationType,
})
const relationName = ({ from, to, relationType }: Relation): string =>
  JSON.stringify([from, to, relationType])

/** One observation a line, so that each line blames to its author. */
const written = (record: GraphRecord): string => JSON.stringify(record, null, 1)

/** Equal names may stand several times in a graph: a number keeps the copies apart. */
function contentsOf(records: readonly (EntityRecord | RelationRecord)[], live: Live): string[] {
  const made = new Set<string>(live.keys())
  return records.map((record) => {
    let copy = 0
    while (made.has(keyOfRecord({ ...record, copy }))) copy += 1
    const numbered = copy === 0 ? record : { ...record, copy }
    made.add(keyOfRecord(numbered))
    return written(numbered)
  })
}

function keyOfRecord(record: GraphRecord): string {
  if (record.type === 'taken_over') return JSON.stringify([record.type, record.file])
  const { copy = 0 } = record
  return record.type === 'entity'
    ? JSON.stringify([record.type, record.name, copy])
    : JSON.stringify([record.type, relationName(record), copy])
}

const keyOf = (content: string): string | null => {
  const record = recordIn(content)
  return record && keyOfRecord(record)
}

const recordIn = (content: string): GraphRecord | null => {
  try {
    return JSON.parse(content) as GraphRecord // written by this seat
  } catch {
    return null
  }
}

const recordsIn = (live: Live): readonly GraphRecord[] =>
  [...live.values()].flatMap(({ content }) => recordIn(content) ?? [])

const entitiesIn = (live: Live): Entity[] =>
  recordsIn(live).flatMap((record) =>
    record.type === 'entity'
      ? { name: record.name, entityType: record.entityType, observations: record.observations }
      : [],
  )

const relationsIn = (live: Live): Relation[] =>
  recordsIn(live).flatMap((record) =>
    record.type === 'relation'
      ? { from: record.from, to: record.to, relationType: record.relationType }
      : [],
  )
