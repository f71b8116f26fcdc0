import { createHash } from 'node:crypto'
import { promises as fs } from 'node:fs'
import path from 'node:path'
import { inTurn } from '../../compose/in-turn.ts'
import { openStack } from '../../compose/open-stack.ts'
import { replaceFile } from '../../compose/private-files.ts'
import { usualHome } from '../../compose/usual-home.ts'
import type { Stack } from '../../stack.ts'
import { activated, Seat, type SeatMessage, type SeatOptions } from '../common/seat.ts'
import { SERVER_MEMORY, StackGraph } from './graph.ts'
import { readLines } from './memory-file.ts'

type Method<K extends keyof StackGraph> = StackGraph[K] extends (...given: infer A) => infer R
  ? (...given: A) => R
  : never

export interface GraphManagerOptions extends SeatOptions {
  /** The folder in which the stack lies; the usual home unless given. */
  readonly home?: string
}

interface Opened {
  readonly stack: Stack
  readonly seat: Seat
  readonly graph: StackGraph
}

const HASH_CHARS = 12

/**
 * Stands for the class of the same name in `@modelcontextprotocol/server-memory`. The file says which
 * records there are, so any program may read and write the file; the stack in the home folder says
 * where each record came from and keeps every version.
 */
export class KnowledgeGraphManager {
  readonly #file: string
  readonly #home: string
  readonly #stackId: string
  readonly #options: SeatOptions
  #opened: Promise<Opened> | null = null
  /** The state of the file that the graph was last brought to. */
  #seen: string | null = null
  /** Lines that are no records: nobody else keeps a copy of these. */
  #strange: readonly string[] = []

  constructor(memoryFilePath: string, { home, ...options }: GraphManagerOptions = {}) {
    this.#file = path.resolve(memoryFilePath)
    this.#home = home ?? usualHome()
    this.#options = options
    const hash = createHash('sha256').update(this.#file).digest('hex')
    this.#stackId = `${SERVER_MEMORY}_${hash.slice(0, HASH_CHARS)}`
  }

  createEntities: Method<'createEntities'> = (...given) =>
    this.#change((graph) => graph.createEntities(...given))
  createRelations: Method<'createRelations'> = (...given) =>
    this.#change((graph) => graph.createRelations(...given))
  addObservations: Method<'addObservations'> = (...given) =>
    this.#change((graph) => graph.addObservations(...given))
  deleteEntities: Method<'deleteEntities'> = (...given) =>
    this.#change((graph) => graph.deleteEntities(...given))
  deleteObservations: Method<'deleteObservations'> = (...given) =>
    this.#change((graph) => graph.deleteObservations(...given))
  deleteRelations: Method<'deleteRelations'> = (...given) =>
    this.#change((graph) => graph.deleteRelations(...given))
  readGraph = () => this.#inTurn((graph) => graph.readGraph())
  searchNodes = (query: string) => this.#inTurn((graph) => graph.searchNodes(query))
  openNodes = (names: string[]) => this.#inTurn((graph) => graph.openNodes(names))

  /** Captures a message of the conversation, so that `why` of an entity leads to the message. */
  async hear(message: SeatMessage): Promise<void> {
    await (await this.#open()).seat.hear(message)
  }

  /** The memory that holds an entity: for `stack.history.why`. */
  refOf = (name: string) => this.#inTurn((graph) => graph.refOf(name))

  /** The stack behind the graph: for `history.why`, audits and erasure. */
  async stack(): Promise<Stack> {
    return (await this.#open()).stack
  }

  async close(): Promise<void> {
    await (await this.#opened)?.stack.close()
    this.#opened = null
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#openAnew()
    return this.#opened
  }

  async #openAnew(): Promise<Opened> {
    const stack = await openStack(this.#stackId, { home: this.#home })
    await activated(stack)
    const seat = new Seat(stack, SERVER_MEMORY, this.#options)
    const documents = StackGraph.documentsIn(stack, seat.actor)
    return { stack, seat, graph: new StackGraph(documents, () => seat.author()) }
  }

  async #inTurn<T>(work: (graph: StackGraph) => Promise<T>): Promise<T> {
    const { graph } = await this.#open()
    return inTurn(path.join(this.#home, 'turns', this.#stackId), async () => {
      await this.#read(graph)
      return work(graph)
    })
  }

  /** A failure leaves the old file, and the next call brings the graph back to the file. */
  #change<T>(work: (graph: StackGraph) => Promise<T>): Promise<T> {
    return this.#inTurn(async (graph) => {
      this.#seen = null
      const answer = await work(graph)
      await this.#save(graph)
      return answer
    })
  }

  async #read(graph: StackGraph): Promise<void> {
    const state = await this.#state()
    if (state === this.#seen) return
    const text = state === '' ? '' : await fs.readFile(this.#file, 'utf8')
    const { records, bad } = readLines(text.split('\n'))
    const isNew = ({ text: strange }: { text: string }): boolean => !this.#strange.includes(strange)
    for (const { line, why } of bad.filter(isNew)) {
      process.emitWarning(`${this.#file}, line ${line}: left out, it ${why}`)
    }
    this.#strange = bad.map(({ text: strange }) => strange)
    await graph.become(records)
    this.#seen = state
  }

  /** A reader of the file sees the old records or the new ones, and never a part. */
  async #save(graph: StackGraph): Promise<void> {
    const text = [...(await graph.lines()), ...this.#strange].join('\n')
    await replaceFile(this.#file, [text], { mode: 0o666 }) // less the umask: other programs read the file
    this.#seen = await this.#state()
  }

  /** Another text for every other file under the name; empty where there is none. */
  async #state(): Promise<string> {
    const found = await fs.stat(this.#file, { bigint: true }).catch((cause: unknown) => {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null // an error of the system
      throw cause
    })
    return found === null ? '' : [found.ino, found.size, found.mtimeNs].join(' ')
  }
}
