import { MunimentError } from '../../domain/errors.ts'
import type { RecordKind, StackId } from '../../domain/ids.ts'
import { toMs } from '../../domain/time.ts'
import type { Reindexed } from '../../ports/component.ts'
import type {
  Embedder,
  Meaning,
  VectorBatch,
  VectorModel,
  VectorRow,
  Vectors,
} from '../../ports/models.ts'
import type { Recalled, RecalledRow } from '../../ports/queries.ts'
import type { Narrowed, Store } from '../../ports/store.ts'
import type { Timer } from '../../ports/world.ts'
import { cosine, vectorLength } from '../../recall/embed/integers.ts'
import type { Candidate, CandidateSet } from '../../recall/rank/candidates.ts'
import type { MembersOf } from '../../recall/rank/question.ts'
import type { Engine } from '../engine.ts'
import { viewOf } from '../read/memory-view.ts'
import { eventLoopYield, type Moment } from '../world.ts'
import { type KnownMeaning, MeaningIndex } from './meaning-index.ts'
import { holdingOf, type SearchTerms, withQuestionTerms } from './search-terms.ts'

/** Makes vectors from texts, and limits the slices of new entries that one search waits for. */
interface Embedding extends VectorModel {
  readonly slicesMax?: number
  understands?(text: string): boolean
  embed(texts: readonly string[]): Promise<readonly Int8Array[]>
}

const EMBED_MS_MAX = 20_000 // for external vectors; search by words works without them

/**
 * Wraps an external embedder: a search waits for one slice and a limited time. Errors, malformed
 * answers and timeouts become one `embedder_unavailable` error, and the search continues by words.
 */
const embeddingBy = (embedder: Embedder, timer: Timer): Embedding => {
  const { id, dimension } = embedder
  return {
    id,
    dimension,
    slicesMax: 1,
    embed: async (texts) => {
      const values = valuesIn(await inTime(embedder, texts, timer), { id, dimension }, texts.length)
      return texts.map((_, at) => values.subarray(at * dimension, (at + 1) * dimension))
    },
  }
}

async function inTime(
  embedder: Embedder,
  texts: readonly string[],
  timer: Timer,
): Promise<Vectors> {
  const { id } = embedder
  const ending = new AbortController()
  let callOff = (): void => {}
  const late = new Promise<never>((_, reject) => {
    callOff = timer(EMBED_MS_MAX, () => {
      ending.abort()
      reject(unavailable(id, `took longer than ${EMBED_MS_MAX} ms`))
    })
  })
  try {
    return await Promise.race([embedder.embed(texts, { signal: ending.signal }), late])
  } catch (cause) {
    throw isOwn(cause) ? cause : unavailable(id, 'failed', cause)
  } finally {
    callOff()
  }
}

const isOwn = (cause: unknown): boolean =>
  cause instanceof MunimentError && cause.code === 'embedder_unavailable'

function valuesIn(made: Vectors, { id, dimension }: VectorModel, count: number): Int8Array {
  const values: unknown = made?.values
  if (values instanceof Int8Array && values.length === count * dimension) return values
  throw unavailable(id, `did not answer with ${count} vectors of ${dimension}`)
}

const unavailable = (id: string, what: string, cause?: unknown): MunimentError =>
  new MunimentError('embedder_unavailable', `The embedder ${id} ${what}.`, {
    cause,
    facts: { embedder: id },
  })

interface RecollectionParts {
  /** Terms for a kind of a term. */
  readonly membersOf: MembersOf
  /** The own embedder, used unless another embedder is lent; null without vectors. */
  readonly embedder: Embedding | null
  readonly put: (batch: VectorBatch) => Promise<boolean>
  readonly timer: Timer
  /** Called when vectors were unavailable and words alone decided. */
  readonly fault: (cause: unknown) => void
  /** Called when vectors were available. */
  readonly sound: () => void
}

/** The word table is loaded on first use. */
const embeddingOf = (meaning: Meaning): Embedding => ({
  get id() {
    return meaning.id
  },
  get dimension() {
    return meaning.dimension
  },
  understands: (text) => meaning.understands?.(text) ?? true,
  embed: async (texts) => texts.map((text) => meaning.embed(text)),
})

interface PendingRecall {
  readonly text: string
  readonly by: Embedding
  /** Null for a question whose language the embedder does not know. */
  readonly vector: Int8Array | null
}

interface TextQuestion {
  readonly text: string
  readonly searchTerms: SearchTerms
  readonly moment: Moment
}

/** The recollection of a stack; its vectors are saved in the store of the stack. */
export const recollectionOn = (
  { stackId, store, world, meaning, embedder }: Kept,
  { fault, sound }: Pick<RecollectionParts, 'fault' | 'sound'>,
): Recollection =>
  new Recollection({
    embedder: embedder ? embeddingBy(embedder, world.timer) : meaning ? embeddingOf(meaning) : null,
    membersOf: (term) => meaning?.membersOf?.(term) ?? [],
    put: (batch) => store.putVectors(stackId, batch),
    timer: world.timer,
    fault,
    sound,
  })

interface Kept {
  readonly stackId: StackId
  readonly store: Pick<Store, 'putVectors'>
  readonly world: { readonly timer: Timer }
  readonly meaning?: Meaning
  readonly embedder?: Embedder
}

/** Memories found by meaning. */
export interface Near {
  readonly seqs: readonly number[]
  readonly isCut: boolean
}

const NOTHING_NEAR: Near = { seqs: [], isCut: false }

type Reads = Pick<Engine, 'read'>
interface Narrowing {
  readonly kinds: readonly RecordKind[]
  readonly where?: Narrowed | undefined
}

const COSINE_MIN = 0.3 // a lower cosine without a shared word is noise
const NEAR_MAX = 48 // memories found by meaning alone
const NEAR_LOOKED_AT = 128 // candidates before filters, usually enough
const NEAR_GROWTH = 4 // growth factor when filters leave fewer than wanted

/**
 * Finds memories by meaning, and turns store rows into ranked candidates. Event times and vectors
 * come from the index; missing ones are computed from the bodies.
 */
export class Recollection {
  readonly #parts: RecollectionParts
  /** Indexes by model, so that a return to an earlier model costs nothing. */
  readonly #indexes = new Map<string, MeaningIndex>()
  #embedding: Embedding | null
  #asked: PendingRecall | null = null
  #goingOn: (() => void) | null = null
  #hasEnded = false

  constructor(parts: RecollectionParts) {
    this.#parts = parts
    this.#embedding = parts.embedder
  }

  readonly membersOf: MembersOf = (term) => this.#parts.membersOf(term)

  /** Uses a lent embedder from now on; null restores the own embedder. */
  use(embedder: Embedder | null): void {
    const { embedder: own, timer } = this.#parts
    this.#embedding = embedder === null ? own : embeddingBy(embedder, timer)
    this.#asked = null
  }

  /** Gives every memory without a vector its vector and reports progress; a second call resumes. */
  async reindex(
    engine: Reads,
    moment: Moment,
    progress: (done: number, total: number) => void,
  ): Promise<Reindexed | null> {
    const embedding = this.#embedding
    const index = this.#index
    if (embedding === null || index === null) return null
    const { tip } = await engine.read({ type: 'standing' })
    const before = index.reached.made
    const embed = (seqs: readonly number[]) => this.#read(engine, seqs, moment, embedding)
    try {
      for (let isDone = false; !isDone && !this.#hasEnded; ) {
        isDone = await index.follow(engine.read, embed, embedding.slicesMax)
        progress(index.reached.upto + 1, Math.max(tip.head.seq, index.reached.upto) + 1)
      }
    } finally {
      await index.keepAll() // vectors may cost money, so they are saved also after an error
    }
    const { rows, made } = index.reached
    const { id, dimension } = embedding
    return { reIndexed: made - before, model: id, dimension, indexed: rows }
  }

  get #index(): MeaningIndex | null {
    const embedding = this.#embedding
    if (embedding === null) return null
    const { id, dimension } = embedding
    const key = `${dimension} ${id}`
    const known = this.#indexes.get(key)
    const { put, timer } = this.#parts
    const yieldToEventLoop = eventLoopYield(timer)
    const index = known ?? new MeaningIndex({ model: { id, dimension }, put, yieldToEventLoop })
    this.#indexes.set(key, index)
    return index
  }

  /** The nearest memories to a text under the conditions, up to a limit, and a flag for more. */
  async near(
    engine: Reads,
    text: string,
    {
      moment,
      wanted,
      kinds,
      where,
    }: Narrowing & { readonly moment: Moment; readonly wanted: number },
  ): Promise<Near> {
    const index = this.#index
    if (index === null) return NOTHING_NEAR
    const question = await this.#heeded(async () => {
      await this.#follow(engine, moment)
      return this.#questionOf(text)
    })
    if (question === null) return NOTHING_NEAR
    this.#parts.sound()
    const scoreMin = COSINE_MIN * vectorLength(question.length) ** 2
    const nearMax = Math.max(NEAR_MAX, wanted)
    for (let limit = NEAR_LOOKED_AT; ; limit *= NEAR_GROWTH) {
      const { seqs, isCut } = index.nearest(question, limit, scoreMin)
      // An extra memory reveals more matches; no later memory is read.
      const filter = { ...where, kinds, seqs }
      const query = { type: 'memories', as: 'seq', where: filter, order: 'given' } as const
      const kept = seqs.length === 0 ? [] : await engine.read({ ...query, limit: nearMax + 1 })
      const enough = limit === NEAR_LOOKED_AT ? nearMax : wanted
      if (kept.length >= enough || !isCut) {
        return { seqs: kept.slice(0, nearMax), isCut: isCut || kept.length > nearMax }
      }
    }
  }

  async found(engine: Reads, recalled: Recalled, asked: TextQuestion): Promise<CandidateSet> {
    const { documents, holding, rows, runs } = recalled
    const question = await this.#heeded(() => this.#questionOf(asked.text))
    const known = await this.#known(engine, rows, { moment: asked.moment, question })
    return {
      documents,
      holding: holdingOf(asked.searchTerms, holding, documents),
      candidates: rows.map((row) => candidateOf(row, known.get(row.seq), asked.searchTerms)),
      runs,
    }
  }

  /** Stops all reads and writes of the indexes. */
  async close(): Promise<void> {
    this.#hasEnded = true
    this.#goingOn?.()
    for (const index of this.#indexes.values()) await index.settled()
  }

  /** Without vectors the words still find memories; the `fault` callback reports the failure. */
  async #heeded<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof MunimentError && cause.code === 'embedder_unavailable')) throw cause
      this.#parts.fault(cause)
      return null
    }
  }

  /** Caches the vector of the question for both halves of a search. */
  async #questionOf(text: string): Promise<Int8Array | null> {
    const by = this.#embedding
    if (by === null) return null
    if (this.#asked?.text === text && this.#asked.by === by) return this.#asked.vector
    const isUnderstood = by.understands?.(text) ?? true
    const [vector = NO_VECTOR] = isUnderstood ? await by.embed([text]) : [null]
    this.#asked = { text, by, vector }
    return vector
  }

  /** Indexes a long backlog in slices between other work. */
  async #follow(engine: Reads, moment: Moment): Promise<void> {
    const by = this.#embedding // another embedder may be lent while this call waits
    const embed = (seqs: readonly number[]) => this.#read(engine, seqs, moment, by)
    const isDone = await this.#index?.follow(engine.read, embed, this.#embedding?.slicesMax)
    if (isDone !== false || this.#goingOn !== null || this.#hasEnded) return
    this.#goingOn = this.#parts.timer(0, () => {
      this.#goingOn = null
      // The next search meets and reports the fault.
      if (!this.#hasEnded) this.#follow(engine, moment).catch(() => {})
    })
  }

  async #known(
    engine: Reads,
    rows: readonly RecalledRow[],
    { moment, question }: { readonly moment: Moment; readonly question: Int8Array | null },
  ): Promise<ReadonlyMap<number, KnownMeaning>> {
    const known = this.#index?.knownOf(rows, question) ?? new Map<number, KnownMeaning>()
    const unknown = rows.flatMap(({ seq }) => (known.has(seq) ? [] : seq))
    const by = question === null ? null : this.#embedding
    const made = await this.#heeded(() => this.#read(engine, unknown, moment, by))
    // The event time stands in the body and needs no vectors.
    const read = made ?? (await this.#read(engine, unknown, moment, null))
    for (const { seq, atMs, vector } of read) {
      const isComparable = question !== null && vector.length > 0
      known.set(seq, { atMs, cosine: isComparable ? cosine(question, vector) : null })
    }
    return known
  }

  async #read(
    { read }: Reads,
    seqs: readonly number[],
    moment: Moment,
    by: Embedding | null,
  ): Promise<readonly VectorRow[]> {
    if (seqs.length === 0) return []
    const stored = (await read({ type: 'memories', where: { seqs }, order: 'given' })).filter(
      ({ sealed }) => sealed !== null,
    )
    const views = stored.map((memory) => viewOf(memory, moment))
    const vectors = (await by?.embed(views.map(({ text }) => text))) ?? []
    return stored.flatMap(({ state: { seq, revisionSeq } }, at): readonly VectorRow[] => {
      const view = views[at]
      if (!view) return []
      const atMs = toMs(view.provenance.eventTime ?? view.createdAt)
      return [{ seq, revisionSeq, atMs, vector: vectors[at] ?? NO_VECTOR }]
    })
  }
}

const NO_VECTOR = new Int8Array(0)

function candidateOf(
  row: RecalledRow,
  known: KnownMeaning | undefined,
  searchTerms: SearchTerms,
): Candidate {
  const { seq, label, tier, sourceId, session, bornAt, strength, terms } = row
  return {
    seq,
    terms: withQuestionTerms(searchTerms, terms === '' ? [] : terms.split(' ')),
    speaker: sourceId.includes(':') ? null : sourceId,
    label,
    tier,
    atMs: known?.atMs ?? toMs(bornAt),
    session,
    strength,
    cosine: known?.cosine ?? null,
  }
}
