import type { Tier } from '../../domain/doors.ts'
import type { EntryOp } from '../../domain/entry.ts'
import { MunimentError } from '../../domain/errors.ts'
import { type MemoryId, type Ref, splitRef } from '../../domain/ids.ts'
import { label } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Instant } from '../../domain/time.ts'
import { GROUNDLESS } from '../../domain/vocabulary.ts'
import { isAccepted } from '../../domain/write.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import { refusalError } from '../../engine/write/outcomes.ts'
import type { WriteRequest } from '../../engine/write/write-request.ts'
import type { Stack } from '../../stack.ts'
import { type Author, activated } from './seat.ts'

/** A text with a key, kept as one raw memory; a change of the text is a revision. */
export interface Document {
  readonly ref: Ref
  readonly id: MemoryId
  readonly key: string
  readonly content: string
  readonly version: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly tier: Tier
}

/** One version of a document, as its entry recorded the version. */
export interface DocumentVersion {
  readonly seq: number
  readonly at: Instant
  readonly actor: string
  readonly content: string
}

/** The outcome of a read-and-change: new contents, other contents, documents to forget. */
export interface Plan<T> {
  readonly answer: T
  readonly create?: readonly string[]
  readonly revise?: readonly { readonly document: Document; readonly content: string }[]
  readonly remove?: readonly Document[]
  /** Documents to forget, except those that a person protects. */
  readonly discard?: readonly Document[]
}

export type Live = ReadonlyMap<string, Document>

interface DocumentsOptions {
  readonly stack: Stack
  /** The name of the seat: in the provenance of each document, as `<door>:<seat>`. */
  readonly seat: string
  /** The actor to whom the documents belong. */
  readonly actor: string
  /** The key inside a content; null for a content that this seat did not write. */
  readonly keyOf: (content: string) => string | null
}

const TRIES_MAX = 50 // while other processes change the same documents
const PATHS = ['lib', 'mcp', 'http'] as const

/** Entries that may change the standing of many memories at once. */
const SWEEPING: ReadonlySet<EntryOp> = new Set([
  'policy',
  'actor.erased',
  'origin.distrusted',
  'origin.trusted',
])

/**
 * The documents of one seat in a stack. Only documents written through the seat are shown. A change
 * names the version that it read, so two processes never overwrite each other unseen.
 */
export class Documents {
  readonly #stack: Stack
  readonly #seat: string
  readonly #actor: string
  readonly #keyOf: DocumentsOptions['keyOf']
  readonly #live = new Map<MemoryId, Document>()
  /** The order of creation, as the ledger has the order. */
  readonly #order = new Map<MemoryId, number>()
  #byKey: Map<string, Document> | null = null
  /** The last entry that the maps include; null before the first read. */
  #seq: number | null = null
  #queue: Promise<unknown> = Promise.resolve()

  constructor({ stack, seat, actor, keyOf }: DocumentsOptions) {
    this.#stack = stack
    this.#actor = actor
    this.#seat = seat
    this.#keyOf = keyOf
  }

  /** Every document by its key, in the order of creation. */
  read(): Promise<Live> {
    return this.#inTurn(() => this.#current())
  }

  /** Plans a change on what is there, and plans again when another process was faster. */
  change<T>(author: Author, plan: (live: Live) => Plan<T>): Promise<T> {
    return this.#inTurn(async () => {
      await activated(this.#stack)
      for (let attempt = 1; ; attempt += 1) {
        const planned = plan(await this.#current())
        try {
          if (await this.#apply(author, planned)) return planned.answer
        } catch (cause) {
          const isRace = cause instanceof MunimentError && cause.code === 'version_conflict'
          if (!isRace || attempt >= TRIES_MAX) throw cause
        }
      }
    })
  }

  /** Leaves a receipt for documents that a model is shown. */
  async serve({ actor, caller }: Author, shown: readonly Document[]): Promise<void> {
    const memories = shown.map(({ ref, tier, content }) => ({ ref, tier, text: content }))
    await this.#stack.lookup.noteServed(this.#seat, { actor, caller }, memories)
  }

  /** Every version of a document, oldest first. */
  async versions({ ref, id }: Pick<Document, 'ref' | 'id'>): Promise<readonly DocumentVersion[]> {
    const { changes } = await this.#stack.history.why(ref)
    const written = changes.filter(({ op }) => op === 'memory.saved' || op === 'memory.revised')
    const versions: DocumentVersion[] = []
    for (const { seq, time } of written) {
      const memory = await this.#stack.getMemory('raw', id, { asOf: seq })
      if (!memory || memory.erased) continue
      const { body, provenance } = memory
      versions.push({ seq, at: time, actor: provenance.sourceId, content: body.content })
    }
    return versions
  }

  /** Calls of one process wait for each other, as calls of a model often come together. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => undefined)
    return done
  }

  /**
   * New documents are saved together; then each revision and each removal has an entry of its own.
   * False when another process created a document of the same key first.
   */
  async #apply(author: Author, plan: Plan<unknown>): Promise<boolean> {
    const { create = [], revise = [], remove = [], discard = [] } = plan
    if (create.length > 0 && !(await this.#create(author, create))) return false
    for (const { document, content } of revise) {
      if (content === document.content) continue
      const { id, version } = document
      const revises = { expectedVersion: version }
      const request = { ...this.#request(author, content), id, revises }
      const written = await this.#stack.write(request, author.caller)
      if (!isAccepted(written)) throw refusalError(written)
    }
    const reason = 'deleted through the seat'
    for (const { ref } of remove) await this.#forget(author, ref, reason)
    for (const { ref } of discard) {
      await this.#forget(author, ref, reason).catch((cause: unknown) => {
        if (!(cause instanceof MunimentError) || cause.code !== 'refused') throw cause
      })
    }
    return true
  }

  async #create(author: Author, contents: readonly string[]): Promise<boolean> {
    const requests = contents.map((content) => this.#request(author, content))
    const written = await this.#stack.writeAll(requests, author.caller)
    if (written.refused) throw refusalError(written.result)
    const live = await this.#current()
    const created = written.results.flatMap(({ id }) => (id && this.#live.get(id)) ?? [])
    if (created.every(({ id, key }) => live.get(key)?.id === id)) return true
    for (const { ref } of created) {
      await this.#forget(author, ref, 'another process created it first')
    }
    return false
  }

  #request({ actor, caller, modelId }: Author, content: string): WriteRequest<'raw'> {
    return {
      kind: 'raw',
      body: { content, capturedFrom: this.#seat, contextTags: [contextOf(this.#seat)] },
      provenance: {
        sourceType: 'direct_experience',
        label: label.modelDerived(),
        sourceId: actor,
        ingestionPath: `${caller.door}:${caller.operation}`,
        confidence: 1,
        llmModel: modelId,
      },
      inOpenEpoch: true,
    }
  }

  async #forget({ actor, caller }: Author, ref: Ref, reason: string): Promise<void> {
    const how = { actor, caller, label: label.modelDerived(), reason }
    const { changed, reason: refusal } = await this.#stack.changes.change(
      ref,
      { type: 'forget' },
      this.#seat,
      how,
    )
    if (changed) return
    await this.#refresh(ref)
    if (!this.#live.has(splitRef(ref).id)) return
    throw new MunimentError('refused', `${ref} was not deleted: ${refusal ?? 'refused'}.`, {
      hint: 'A person may have protected the memory.',
      facts: { ref },
    })
  }

  async #current(): Promise<Live> {
    await this.#catchUp()
    this.#byKey ??= this.#sorted()
    return this.#byKey
  }

  /** Of two documents with the same key, the older counts. */
  #sorted(): Map<string, Document> {
    const orderOf = ({ id }: Document): number => this.#order.get(id) ?? 0
    const newestFirst = [...this.#live.values()].sort((a, b) => orderOf(b) - orderOf(a))
    const oldest = new Map(newestFirst.map((document) => [document.key, document]))
    return new Map(newestFirst.reverse().map(({ key }) => [key, oldest.get(key) as Document])) // every key is there
  }

  /** Reads only the memories that entries since the last read are about. */
  async #catchUp(): Promise<void> {
    const { seq: head } = await this.#stack.ledger.head()
    if (this.#seq === head) return
    if (this.#seq === null) return this.#readAll(head)
    const touched = new Set<Ref>()
    for (let from = this.#seq + 1; from <= head; ) {
      const { entries } = await this.#stack.ledger.entries({ from, limit: LIMITS.pageItemsMax })
      for (const { entry } of entries) {
        const { op, ref } = JSON.parse(entry) as { op: EntryOp; ref: Ref | null } // the gate's own bytes
        if (SWEEPING.has(op)) return this.#readAll(head)
        if (ref?.startsWith('raw:')) touched.add(ref)
      }
      const last = entries.at(-1)
      if (!last) break
      from = last.seq + 1
      this.#seq = last.seq
    }
    for (const ref of touched) await this.#refresh(ref)
  }

  async #readAll(head: number): Promise<void> {
    this.#live.clear()
    this.#order.clear()
    this.#byKey = null
    const context = contextOf(this.#seat)
    const asked = { context, saidBy: this.#actor, limit: LIMITS.pageItemsMax } as const
    const shown = { includeWeak: true, includeForgotten: true, includeSetAside: true } as const
    const found: Memory<'raw'>[] = []
    for (let after: string | undefined; ; ) {
      const from = after === undefined ? {} : { after }
      const page = await this.#stack.list('raw', { ...asked, ...shown, ...from })
      found.push(...page)
      const last = page.at(-1)
      if (last === undefined || page.length < LIMITS.pageItemsMax) break
      after = last.id
    }
    for (const memory of found.reverse()) this.#keep(memory)
    this.#seq = head
  }

  async #refresh(ref: Ref): Promise<void> {
    const memory = await this.#stack.getMemory('raw', splitRef(ref).id)
    if (memory) this.#keep(memory)
  }

  #keep(memory: Memory<'raw'>): void {
    const { id } = memory
    const known = this.#live.get(id)
    const isNew = !this.#order.has(id)
    const document = this.#isOwn(memory) ? documentOf(memory, this.#keyOf) : null
    if (this.#isOwn(memory) && isNew) this.#order.set(id, this.#order.size)
    if (document === null) {
      if (this.#live.delete(id)) this.#byKey = null
      return
    }
    this.#live.set(id, document)
    const standing = this.#byKey?.get(document.key)
    const isInPlace = standing?.id === id && known?.key === document.key
    if (isInPlace || (isNew && !standing)) this.#byKey?.set(document.key, document)
    else this.#byKey = null
  }

  /** No tool of a door is named like a seat, so the path shows the seat of the writer. */
  #isOwn({ provenance: { ingestionPath, sourceId } }: Memory<'raw'>): boolean {
    return (
      sourceId === this.#actor && PATHS.some((door) => ingestionPath === `${door}:${this.#seat}`)
    )
  }
}

const contextOf = (seat: string): string => `seat:${seat}`

/** Null for a forgotten, erased or distrusted memory. */
function documentOf(
  {
    ref,
    id,
    body,
    version,
    createdAt,
    provenance,
    disposition,
    tier,
    stored,
    erased,
  }: Memory<'raw'>,
  keyOf: DocumentsOptions['keyOf'],
): Document | null {
  if (erased || stored.strength === 0 || GROUNDLESS.some((each) => each === disposition))
    return null
  const key = keyOf(body.content)
  if (key === null) return null
  const updatedAt = provenance.timestamp
  return { ref, id, key, content: body.content, version, createdAt, updatedAt, tier }
}
