import { toMs } from '../domain/time.ts'
import { vectorLength } from '../embed/unit-vector.ts'
import type { Meaning } from '../ports/meaning.ts'
import type { Recalled, RecalledRow } from '../ports/recalled.ts'
import type { ReadQuery, VectorBatch, VectorRow } from '../ports/store.ts'
import type { Timer } from '../ports/world.ts'
import type { Candidate, Found } from '../recall/rank/candidates.ts'
import { MeaningIndex } from './meaning-index.ts'
import { viewOf } from './memory-view.ts'
import type { Moment, Uses } from './uses.ts'
import { asWorded, holdingOf, type Wording } from './wording.ts'

export interface RecollectionParts {
  readonly meaning: Meaning | null
  readonly put: (batch: VectorBatch) => Promise<boolean>
  readonly timer: Timer
}

interface Asked {
  readonly text: string
  readonly wording: Wording
  readonly moment: Moment
}

type Reads = Pick<Uses, 'read'>
type Narrowing = Pick<Extract<ReadQuery, { type: 'kept' }>, 'kinds' | 'where'>

const COSINE_MIN = 0.3 // what is less near without a shared word is near to everything
const NEAR_MAX = 48 // memories found by their meaning alone
const NEAR_LOOKED_AT = 128 // of which filters leave enough, mostly
const NEAR_GROWTH = 8 // times as many when they do not

/**
 * Finds by meaning, and turns what a store found into what is ranked. When something happened and
 * what it means stand in its body; the index has read them before, or they are read now.
 */
export class Recollection {
  readonly #meaning: Meaning | null
  readonly #index: MeaningIndex | null
  readonly #timer: Timer
  #goingOn: (() => void) | null = null
  #hasEnded = false

  constructor({ meaning, put, timer }: RecollectionParts) {
    this.#meaning = meaning
    this.#index = meaning === null ? null : new MeaningIndex({ meaning, put })
    this.#timer = timer
  }

  /** Memories that mean what the text means and meet the conditions, nearest first. */
  async near(
    uses: Reads,
    text: string,
    { moment, ...asked }: Narrowing & { readonly moment: Moment },
  ): Promise<readonly number[]> {
    if (this.#index === null || this.#meaning === null) return []
    await this.#follow(uses, moment)
    const question = this.#meaning.embed(text)
    const scoreMin = COSINE_MIN * vectorLength(question.length) ** 2
    for (let limit = NEAR_LOOKED_AT; ; limit *= NEAR_GROWTH) {
      const { seqs, isCut } = this.#index.nearest(question, limit, scoreMin)
      const kept = seqs.length === 0 ? [] : await uses.read({ type: 'kept', seqs, ...asked })
      if (kept.length >= NEAR_MAX || !isCut) return kept.slice(0, NEAR_MAX)
    }
  }

  async found(uses: Reads, recalled: Recalled, asked: Asked): Promise<Found> {
    const { documents, holding, rows, runs } = recalled
    const known = await this.#known(uses, rows, asked.moment)
    const question = this.#meaning?.embed(asked.text) ?? null
    return {
      documents,
      holding: holdingOf(asked.wording, holding, documents),
      candidates: rows.map((row) =>
        candidateOf(row, known.get(row.seq), { question, wording: asked.wording }),
      ),
      runs,
    }
  }

  /** Nothing more is read or written. */
  async close(): Promise<void> {
    this.#hasEnded = true
    this.#goingOn?.()
    await this.#index?.settled()
  }

  /** A long stretch that nobody searched since is gone through in pieces, between other work. */
  async #follow(uses: Reads, moment: Moment): Promise<void> {
    const embed = (seqs: readonly number[]) => this.#read(uses, seqs, moment)
    const isDone = await this.#index?.follow(uses.read, embed)
    if (isDone !== false || this.#goingOn !== null || this.#hasEnded) return
    this.#goingOn = this.#timer(0, () => {
      this.#goingOn = null
      // Whoever searches next meets the fault too, and is told.
      if (!this.#hasEnded) this.#follow(uses, moment).catch(() => {})
    })
  }

  async #known(
    uses: Reads,
    rows: readonly RecalledRow[],
    moment: Moment,
  ): Promise<ReadonlyMap<number, VectorRow>> {
    const found = rows.flatMap(({ seq, revisionSeq }) => {
      const known = this.#index?.knownOf(seq, revisionSeq)
      return known ? [[seq, known] as const] : []
    })
    const known = new Map(found)
    const unknown = rows.map(({ seq }) => seq).filter((seq) => !known.has(seq))
    for (const row of await this.#read(uses, unknown, moment)) known.set(row.seq, row)
    return known
  }

  async #read({ read }: Reads, seqs: readonly number[], moment: Moment) {
    if (seqs.length === 0) return []
    const stored = await read({ type: 'keyed', seqs })
    return stored.flatMap((memory): readonly VectorRow[] => {
      if (memory.sealed === null) return []
      const { seq, revisionSeq } = memory.state
      const { text, provenance, createdAt } = viewOf(memory, moment)
      const atMs = toMs(provenance.eventTime ?? createdAt)
      return [{ seq, revisionSeq, atMs, vector: this.#meaning?.embed(text) ?? NO_VECTOR }]
    })
  }
}

const NO_VECTOR = new Int8Array(0)

function candidateOf(
  row: RecalledRow,
  known: VectorRow | undefined,
  { question, wording }: { readonly question: Int8Array | null; readonly wording: Wording },
): Candidate {
  const { seq, label, sourceId, session, bornAt, strength, terms } = row
  return {
    seq,
    terms: asWorded(wording, terms === '' ? [] : terms.split(' ')),
    speaker: sourceId.includes(':') ? null : sourceId,
    label,
    atMs: known?.atMs ?? toMs(bornAt),
    session,
    strength,
    cosine: question === null || known === undefined ? null : cosine(question, known.vector),
  }
}

/** Of the same length by construction: one embedder made both. */
function cosine(a: Int8Array, b: Int8Array): number {
  let dot = 0
  let ofA = 0
  let ofB = 0
  for (let at = 0; at < a.length; at += 1) {
    const x = a[at] ?? 0
    const y = b[at] ?? 0
    dot += x * y
    ofA += x * x
    ofB += y * y
  }
  return dot === 0 ? 0 : dot / Math.sqrt(ofA * ofB)
}
