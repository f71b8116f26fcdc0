import type { TouchedRow, VectorBatch, VectorModel, VectorRow } from '../../ports/models.ts'
import { type VectorScan, vectorScan } from '../../recall/embed/vector-scan.ts'
import type { Engine } from '../engine.ts'

type Read = Engine['read']

/** Makes the vector rows of memories from their bodies; memories without a body get no row. */
export type Embed = (seqs: readonly number[]) => Promise<readonly VectorRow[]>

export interface IndexParts {
  /** The model of the vectors; vectors of different models are never compared. */
  readonly model: VectorModel
  readonly put: (batch: VectorBatch) => Promise<boolean>
  /** Lets waiting work run. */
  readonly yieldToEventLoop: () => Promise<void>
}

export interface KnownMeaning {
  readonly atMs: number
  /** Null where the question or the memory has no vector. */
  readonly cosine: number | null
}

interface NearestAsked {
  readonly question: Int8Array
  readonly limit: number
  readonly scoreMin: number
}

interface Nearest {
  readonly seqs: readonly number[]
  readonly isCut: boolean
}

const SLICE_ENTRIES = 128 // entries in one batch, which blocks other work for a few milliseconds
const SLICES_MAX = 16 // slices before one search; the rest is done after the search
const SAVED_FROM = 64 // new rows worth a write; the next process makes fewer again

/**
 * An index of the meanings of all memories, scanned in full by every search. The index follows the
 * ledger: memories of new entries are embedded again or dropped, so a write costs nothing and no
 * revision is missed. The store keeps the rows for the next process, for finding only.
 */
export class MeaningIndex {
  readonly #parts: IndexParts
  readonly #rowOf = new Map<number, number>() // seq → row
  #rows: Omit<VectorRow, 'vector'>[] = []
  #scan: VectorScan | null = null
  #isLoaded = false
  #upto = -1 // last indexed entry
  #savedTo = -1
  #made = 0
  #fresh = new Set<number>() // seqs of rows missing in the store
  #following: Promise<boolean> | null = null
  #saving: Promise<void> | null = null
  /** The last query and its answer, until a row changes. */
  #nearest: (NearestAsked & { readonly found: Nearest }) | null = null

  constructor(parts: IndexParts) {
    this.#parts = parts
  }

  /** Event times and cosines to the question, by `seq`, for rows of this revision. */
  knownOf(
    memories: readonly Pick<VectorRow, 'seq' | 'revisionSeq'>[],
    question: Int8Array | null,
  ): Map<number, KnownMeaning> {
    const rows = memories.flatMap(({ seq, revisionSeq }) => {
      const row = this.#rowOf.get(seq)
      return row !== undefined && this.#rows[row]?.revisionSeq === revisionSeq ? row : []
    })
    const cosines = question === null ? [] : this.#loaded().cosines(question, rows)
    const known = new Map<number, KnownMeaning>()
    for (const [at, row] of rows.entries()) {
      const { seq, atMs } = this.#rows[row] as Omit<VectorRow, 'vector'> // the rows above come from #rows
      known.set(seq, { atMs, cosine: cosines[at] ?? null })
    }
    return known
  }

  /**
   * The nearest memories with at least `scoreMin`, and a flag for more; the last query is cached.
   */
  nearest(question: Int8Array, limit: number, scoreMin: number): Nearest {
    const last = this.#nearest
    if (last?.question === question && last.limit === limit && last.scoreMin === scoreMin) {
      return last.found
    }
    const found = this.#nearestTo(question, limit, scoreMin)
    this.#nearest = { question, limit, scoreMin, found }
    return found
  }

  #nearestTo(question: Int8Array, limit: number, scoreMin: number): Nearest {
    const found = this.#loaded()
      .top(question, { limit, scoreMin })
      .map(({ row, score }) => ({ seq: this.#rows[row]?.seq ?? 0, score }))
      .sort((a, b) => b.score - a.score || a.seq - b.seq)
    return { seqs: found.map(({ seq }) => seq), isCut: found.length === limit }
  }

  /** Number of indexed memories, the last indexed entry, and the vectors that this process made. */
  get reached(): { readonly rows: number; readonly upto: number; readonly made: number } {
    return { rows: this.#rowOf.size, upto: this.#upto, made: this.#made }
  }

  /** Indexes new entries; false when the limit of slices left some entries for later. */
  follow(read: Read, embed: Embed, slicesMax = SLICES_MAX): Promise<boolean> {
    this.#following ??= this.#follow(read, embed, slicesMax).finally(() => {
      this.#following = null
    })
    return this.#following
  }

  /** Resolves when the current save has ended. */
  async settled(): Promise<void> {
    await this.#saving
  }

  /** Saves all unsaved rows, also when they are few. */
  async keepAll(): Promise<void> {
    await this.#saving
    this.#save(1)
    await this.#saving
  }

  async #follow(read: Read, embed: Embed, slicesMax: number): Promise<boolean> {
    if (!this.#isLoaded) await this.#load(read)
    for (let slice = 0; slice < slicesMax; slice += 1) {
      if (slice > 0) await this.#parts.yieldToEventLoop()
      const { rows, upto, isLast } = await read({
        type: 'touched',
        after: this.#upto,
        limit: SLICE_ENTRIES,
      })
      await this.#take(rows, embed)
      this.#upto = upto
      if (isLast) {
        this.#save()
        return true
      }
    }
    this.#save()
    return false
  }

  async #load(read: Read): Promise<void> {
    const { model } = this.#parts
    const kept = await read({ type: 'vectors', model })
    this.#forget() // rows made during the read are made again, because the store does not have them
    this.#scan = vectorScan(model.dimension)
    this.#scan.append(kept.values)
    this.#rows = kept.seqs.map((seq, row) => {
      this.#rowOf.set(seq, row)
      return { seq, revisionSeq: kept.revisionSeqs[row] ?? 0, atMs: kept.atMs[row] ?? 0 }
    })
    this.#upto = kept.upto
    this.#savedTo = kept.upto
    this.#isLoaded = true
  }

  async #take(touched: readonly TouchedRow[], embed: Embed): Promise<void> {
    for (const { seq, hasWords } of touched) if (!hasWords) this.#drop(seq)
    const unknown = touched.filter(({ seq, revisionSeq, hasWords }) => {
      const row = this.#rowOf.get(seq)
      return hasWords && (row === undefined || this.#rows[row]?.revisionSeq !== revisionSeq)
    })
    if (unknown.length === 0) return
    for (const row of await embed(unknown.map(({ seq }) => seq))) this.#add(row)
  }

  #add({ vector, ...known }: VectorRow): void {
    this.#nearest = null
    const row = this.#rowOf.get(known.seq)
    if (row === undefined) {
      this.#rowOf.set(known.seq, this.#rows.length)
      this.#rows.push(known)
      this.#loaded().append(vector)
    } else {
      this.#rows[row] = known
      this.#loaded().replace(row, vector)
    }
    this.#fresh.add(known.seq)
    this.#made += 1
  }

  #drop(seq: number): void {
    const row = this.#rowOf.get(seq)
    if (row === undefined) return
    this.#nearest = null
    this.#rowOf.delete(seq)
    this.#fresh.delete(seq)
    this.#loaded().replace(row, new Int8Array(this.#parts.model.dimension))
  }

  #loaded(): VectorScan {
    this.#scan ??= vectorScan(this.#parts.model.dimension)
    return this.#scan
  }

  /** Runs in the background: neither a search nor another save waits. */
  #save(from = SAVED_FROM): void {
    if (this.#saving !== null || this.#fresh.size < from) return
    const rows = [...this.#fresh].flatMap((seq) => this.#rowFor(seq))
    const { model } = this.#parts
    const batch = { model, from: this.#savedTo, upto: this.#upto, rows }
    const saved = this.#fresh
    this.#fresh = new Set()
    this.#saving = this.#parts
      .put(batch)
      .then((isKept) => {
        if (isKept) this.#savedTo = batch.upto
        // The stack was folded again and the store dropped all rows; serve until the reload.
        else this.#isLoaded = false
      })
      .catch(() => {
        // The store accepts no write now; the next save includes the rows.
        for (const seq of saved) this.#fresh.add(seq)
      })
      .finally(() => {
        this.#saving = null
      })
  }

  #rowFor(seq: number): readonly VectorRow[] {
    const row = this.#rowOf.get(seq)
    const known = row === undefined ? undefined : this.#rows[row]
    return row === undefined || known === undefined
      ? []
      : [{ ...known, vector: this.#loaded().at(row) }]
  }

  #forget(): void {
    this.#nearest = null
    this.#rowOf.clear()
    this.#rows = []
    this.#fresh = new Set()
    this.#scan = null
  }
}
