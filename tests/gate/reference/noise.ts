import type { Ref } from '../../../src/domain/ids.ts'
import type { GateDraft } from '../steps.ts'
import { type Book, lineOf, meaning, type NoiseName, type Remembered } from './words.ts'

export const noiseAt = (entry: number): NoiseName => `suggestion@${entry}`

/** A suggestion that was rejected as it came: made from nothing, and nothing is made from it. */
export function keepNoise(book: Book, draft: GateDraft, entry: number): void {
  const { saying, label, sourceType, actor, door, document, confidence } = draft
  const kept: Remembered = {
    ref: noiseAt(entry) as string as Ref, // stands for one
    kind: 'suggestion',
    seq: entry,
    revision: 1,
    says: meaning('suggestion', saying),
    bytes: '',
    predicate: lineOf('suggestion', saying),
    claim: saying.claim,
    text: '',
    captured: false,
    ...{ label, sourceType, actor, door, document },
    disposition: 'Rejected',
    tier: 0,
    parents: [],
    near: null,
    far: null,
    restatedAt: null,
    sure: confidence,
    sureAt: 0,
    distrust: null,
    flags: [],
    rewordingOf: null,
    quotes: null,
  }
  book.noise.push(kept)
}

export const NOISE_MAX = 32 // rejected suggestions that are kept for one actor at one door

/** What is kept of an actor at a door that was refused as noise. */
export const noiseBy = ({ counted }: Book, { actor, door }: GateDraft) =>
  counted.filter(
    (each) =>
      each.rule === 'lint' && each.about !== null && each.actor === actor && each.door === door,
  )
