import type { TouchedRow, VectorBatch, VectorModel, VectorRow } from '../../ports/vectors.ts'
import { type VectorScan, vectorScan } from '../../recall/embed/vector-scan.ts'
import type { Uses } from '../engine.ts'

type Read = Uses['read']

/** Makes the row of a memory from its body; those that have none are left out. */
export type Embed = (seqs: readonly number[]) => Promise<readonly VectorRow[]>

export interface IndexParts {
  /** Who makes the vectors; those of another are never compared with them. */
  readonly model: VectorModel
  readonly put: (batch: VectorBatch) => Promise<boolean>
  /** Lets whoever else waits have a turn. */
  readonly giveWay: () => Promise<void>
}

export interface KnownMeaning {
  readonly atMs: number
  /** Null where there is nothing to compare. */
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

const SLICE_ENTRIES = 128 // looked at in one go: a few milliseconds, in which nobody else has a turn
const SLICES_MAX = 16 // that one search waits for; what is left is done after it
const SAVED_FROM = 64 // new rows that are worth a write; fewer are made again by the next process

/**
 * What every memory means, looked through from end to end. It follows the ledger: what entries were
 * about since it last looked is embedded anew or dropped, so that writing costs nothing and no
 * revision is missed. Rows are kept in the store for the next process, and never believed further
 * than for finding.
 */
export class MeaningIndex {
  readonly #parts: IndexParts
  readonly #rowOf = new Map<number, number>() // seq → row
  #rows: Omit<VectorRow, 'vector'>[] = []
  #scan: VectorScan | null = null
  #isLoaded = false
  #upto = -1 // the last entry that it has heard of
  #savedTo = -1
  #made = 0
  #fresh = new Set<number>() // seqs of rows that the store does not have
  #following: Promise<boolean> | null = null
  #saving: Promise<void> | null = null
  /** What was asked last, until a row changes. */
  #nearest: (NearestAsked & { readonly found: Nearest }) | null = null

  constructor(parts: IndexParts) {
    this.#parts = parts
  }

  /**
   * When what memories tell of happened, and how near it is to a question; by `seq`, without those
   * that are not known in this revision.
   */
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
      const { seq, atMs } = this.#rows[row] as Omit<VectorRow, 'vector'> // looked at above
      known.set(seq, { atMs, cosine: cosines[at] ?? null })
    }
    return known
  }

  /** The nearest memories that score so much, and whether there may be more; known where asked again. */
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

  /** Memories that have a vector, the last entry it has heard of, and vectors made by this process. */
  get reached(): { readonly rows: number; readonly upto: number; readonly made: number } {
    return { rows: this.#rowOf.size, upto: this.#upto, made: this.#made }
  }

  /** Hears of what was written since; false when so much was that some of it is left for later. */
  follow(read: Read, embed: Embed, slicesMax = SLICES_MAX): Promise<boolean> {
    this.#following ??= this.#follow(read, embed, slicesMax).finally(() => {
      this.#following = null
    })
    return this.#following
  }

  /** Nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#saving
  }

  /** Keeps what is not kept yet, however little it is. */
  async keepAll(): Promise<void> {
    await this.#saving
    this.#save(1)
    await this.#saving
  }

  async #follow(read: Read, embed: Embed, slicesMax: number): Promise<boolean> {
    if (!this.#isLoaded) await this.#load(read)
    for (let slice = 0; slice < slicesMax; slice += 1) {
      if (slice > 0) await this.#parts.giveWay()
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
    this.#forget() // what was made while it was read is made again: the store has not heard of it
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

  /** Searching does not wait for it, nor for whoever else may be writing. */
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
        // Somebody folded the stack anew: the store has none of it any more. It serves until then.
        else this.#isLoaded = false
      })
      .catch(() => {
        // A store that cannot be written to now; they are given to it again with the next ones.
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
