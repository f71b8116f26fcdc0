import { toMs } from '../domain/time.ts'
import type { Meaning } from '../ports/meaning.ts'
import type { Recalled, RecalledRow } from '../ports/store.ts'
import type { Candidate, Found } from '../recall/rank/candidates.ts'
import { viewOf } from './memory-view.ts'
import type { Moment, Uses } from './uses.ts'

/** What is read out of a body once, and remembered while the stack is open. */
interface Read {
  readonly revisionSeq: number
  readonly atMs: number
  readonly vector: Int8Array | null
}

const READ_MAX = 200_000 // memories remembered, about 200 bytes each, before all are let go

/**
 * Turns what a store found into what is ranked. When something happened and what it means stand in
 * its body; they are read when a memory is first a candidate, so that nothing of them lies on disk.
 */
export class Recollection {
  readonly #meaning: Meaning | null
  readonly #known = new Map<number, Read>()

  constructor(meaning: Meaning | null) {
    this.#meaning = meaning
  }

  async found(
    uses: Pick<Uses, 'read'>,
    recalled: Recalled,
    asked: { readonly text: string; readonly terms: readonly string[]; readonly moment: Moment },
  ): Promise<Found> {
    const { documents, holding, rows, runs } = recalled
    await this.#learn(uses, rows, asked.moment)
    const question = this.#meaning?.embed(asked.text) ?? null
    return {
      documents,
      holding: new Map(asked.terms.map((term, at) => [term, holding[at] ?? 0])),
      candidates: rows.map((row) => this.#candidate(row, question)),
      runs,
    }
  }

  async #learn(
    { read }: Pick<Uses, 'read'>,
    rows: readonly RecalledRow[],
    moment: Moment,
  ): Promise<void> {
    const unknown = rows.filter(
      ({ seq, revisionSeq }) => this.#known.get(seq)?.revisionSeq !== revisionSeq,
    )
    if (unknown.length === 0) return
    if (this.#known.size + unknown.length > READ_MAX) this.#known.clear()
    const seqs = unknown.map(({ seq }) => seq)
    for (const stored of await read({ type: 'keyed', seqs })) {
      if (stored.sealed === null) continue
      const { seq, revisionSeq } = stored.state
      const { text, provenance, createdAt } = viewOf(stored, moment)
      const atMs = toMs(provenance.eventTime ?? createdAt)
      this.#known.set(seq, { revisionSeq, atMs, vector: this.#meaning?.embed(text) ?? null })
    }
  }

  #candidate(row: RecalledRow, question: Int8Array | null): Candidate {
    const { seq, label, sourceId, session, bornAt, strength, terms } = row
    const known = this.#known.get(seq)
    const vector = known?.vector ?? null
    return {
      seq,
      terms: terms === '' ? [] : terms.split(' '),
      speaker: sourceId.includes(':') ? null : sourceId,
      label,
      atMs: known?.atMs ?? toMs(bornAt),
      session,
      strength,
      cosine: question === null || vector === null ? null : cosine(question, vector),
    }
  }
}

/** Of the same length by construction: one embedder made both. */
function cosine(a: Int8Array, b: Int8Array): number {
  let dot = 0
  let ofA = 0
  let ofB = 0
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0]
    dot += x * y
    ofA += x * x
    ofB += y * y
  }
  return dot === 0 ? 0 : dot / Math.sqrt(ofA * ofB)
}
