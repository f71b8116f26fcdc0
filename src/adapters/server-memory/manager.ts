import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { openStack } from '../../compose/open-stack.ts'
import type { Stack } from '../../stack.ts'
import { activated, Seat } from '../common/seat.ts'
import { SERVER_MEMORY, StackGraph } from './graph.ts'

type Method<K extends keyof StackGraph> = StackGraph[K] extends (...given: infer A) => infer R
  ? (...given: A) => R
  : never

/**
 * Stands for the class of the same name in `@modelcontextprotocol/server-memory`. The graph lies in
 * a stack in a folder beside the file; the file stays a copy of the graph, so going back takes no export.
 */
export class KnowledgeGraphManager {
  readonly #file: string
  #opened: Promise<{ readonly stack: Stack; readonly graph: StackGraph }> | null = null
  #saving: Promise<void> = Promise.resolve()

  constructor(memoryFilePath: string) {
    this.#file = memoryFilePath
  }

  createEntities: Method<'createEntities'> = (...given) =>
    this.#changed((graph) => graph.createEntities(...given))
  createRelations: Method<'createRelations'> = (...given) =>
    this.#changed((graph) => graph.createRelations(...given))
  addObservations: Method<'addObservations'> = (...given) =>
    this.#changed((graph) => graph.addObservations(...given))
  deleteEntities: Method<'deleteEntities'> = (...given) =>
    this.#changed((graph) => graph.deleteEntities(...given))
  deleteObservations: Method<'deleteObservations'> = (...given) =>
    this.#changed((graph) => graph.deleteObservations(...given))
  deleteRelations: Method<'deleteRelations'> = (...given) =>
    this.#changed((graph) => graph.deleteRelations(...given))
  readGraph: Method<'readGraph'> = async () => (await this.#open()).graph.readGraph()
  searchNodes: Method<'searchNodes'> = async (query) =>
    (await this.#open()).graph.searchNodes(query)
  openNodes: Method<'openNodes'> = async (names) => (await this.#open()).graph.openNodes(names)

  /** The stack behind the graph: for `history.why`, audits and erasure. */
  async stack(): Promise<Stack> {
    return (await this.#open()).stack
  }

  async close(): Promise<void> {
    await (await this.#opened)?.stack.close()
    this.#opened = null
  }

  #open() {
    this.#opened ??= this.#openAnew()
    return this.#opened
  }

  async #openAnew() {
    const stack = await openStack(SERVER_MEMORY, { home: `${this.#file}.muniment` })
    await activated(stack)
    const seat = new Seat(stack, SERVER_MEMORY)
    const documents = StackGraph.documentsIn(stack, seat.actor)
    const graph = new StackGraph(documents, () => seat.author())
    const text = await readFile(this.#file, 'utf8').catch(() => null)
    const bad = text === null ? [] : await graph.takeOver(this.#file, text.split('\n'))
    for (const { line, why } of bad) {
      process.emitWarning(`${this.#file}, line ${line}: not taken over, it ${why}`)
    }
    return { stack, graph }
  }

  async #changed<T>(work: (graph: StackGraph) => Promise<T>): Promise<T> {
    const { graph } = await this.#open()
    const answer = await work(graph)
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#save(graph))
    await this.#saving
    return answer
  }

  /** A reader of the file sees the old copy or the new, and never a part. */
  async #save(graph: StackGraph): Promise<void> {
    const unfinished = `${this.#file}.${randomUUID()}.tmp`
    try {
      await writeFile(unfinished, (await graph.lines()).join('\n'))
      await rename(unfinished, this.#file)
    } catch (cause) {
      await rm(unfinished, { force: true })
      throw cause
    }
  }
}
