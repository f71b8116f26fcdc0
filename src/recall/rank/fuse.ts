import type { Tier } from '../../domain/doors.ts'
import { type Fusion, SIGNALS, type Signal, type Signals } from '../../domain/words/search.ts'
import type { Candidate, CandidateSet } from './candidates.ts'
import { withPrecedence } from './precedence.ts'
import type { Question } from './question.ts'
import { signalsOf } from './signals.ts'

/** A memory with its score and the reasons for the score. */
export interface Ranked {
  readonly seq: number
  /** 0 to 1: the chance that the memory answers, as far as signals show. */
  readonly score: number
  readonly signals: Signals
  /** A better-ranked memory with the same words, if any. */
  readonly repeats: number | null
  /**
   * The memory that this memory was lifted before, taking over its score; only first-hand memories
   * are lifted.
   */
  readonly standsBefore: number | null
}

/** Best first; equal scores in the order of birth. Equal candidates always give equal rankings. */
export function fuse(question: Question, found: CandidateSet, fusion: Fusion): readonly Ranked[] {
  const summed = signalsOf(question, found).map((signals, at) => {
    const candidate = found.candidates[at] as Candidate // candidates and signals have equal length
    return { candidate, signals, sum: sumOf(signals, fusion) }
  })
  const ordered = summed.sort((a, b) => b.sum - a.sum || a.candidate.seq - b.candidate.seq)
  const repeats = repeatsIn(
    ordered.slice(0, REPEATS_LOOKED_AT).map(({ candidate }) => candidate),
    fusion,
  )
  const ranked = ordered.map(({ candidate, signals, sum }) => {
    const { seq } = candidate
    const of = repeats.get(seq) ?? null
    const score = chanceOf(of === null ? sum : sum - fusion.repeatCost, fusion)
    return { candidate, seq, score, signals, repeats: of, standsBefore: null }
  })
  ranked.sort((a, b) => b.score - a.score || a.seq - b.seq)
  return withPrecedence<Ranked & { readonly candidate: Candidate }>(ranked, question).map(
    ({ candidate: _, ...each }) => each,
  )
}

/** Share of each signal in the weighted sum behind the score. */
export function sharesOf(signals: Signals, { weights }: Fusion): Signals {
  const shares = SIGNALS.map((signal) => [signal, signals[signal] * weights[signal]])
  return Object.fromEntries(shares) as Record<Signal, number> // made of every signal
}

/** Written out in the order of the table: a loop over signal names costs ten times as much. */
export const sumOf = (signals: Signals, { weights }: Fusion): number =>
  signals.words * weights.words +
  signals.whole * weights.whole +
  signals.coverage * weights.coverage +
  signals.subject * weights.subject +
  signals.phrase * weights.phrase +
  signals.meaning * weights.meaning +
  signals.kind * weights.kind +
  signals.before * weights.before +
  signals.after * weights.after +
  signals.around * weights.around +
  signals.answers * weights.answers +
  signals.session * weights.session +
  signals.speaker * weights.speaker +
  signals.firstHand * weights.firstHand +
  signals.youSaid * weights.youSaid +
  signals.summary * weights.summary +
  signals.time * weights.time +
  signals.dated * weights.dated +
  signals.counted * weights.counted +
  signals.standing * weights.standing +
  signals.length * weights.length +
  signals.strength * weights.strength

const SCORE_DIGITS = 1e6 // the last bits of a logarithm differ between machines

const chanceOf = (sum: number, { calibration: { slope, offset } }: Fusion): number =>
  chance(slope * sum + offset)

/** Log odds as a chance. */
export const chance = (odds: number): number =>
  Math.round(SCORE_DIGITS / (1 + Math.exp(-odds))) / SCORE_DIGITS

const REPEATS_LOOKED_AT = 32 // of the best; later results are hardly shown

/** Candidates that repeat a better one of their own tier or of a higher tier. */
function repeatsIn(
  candidates: readonly Candidate[],
  { repeatShare }: Fusion,
): ReadonlyMap<number, number> {
  const repeats = new Map<number, number>()
  const seen: { readonly seq: number; readonly tier: Tier; readonly terms: ReadonlySet<string> }[] =
    []
  for (const { seq, tier, terms: said } of candidates) {
    const terms = new Set(said)
    const same = seen.find(
      (other) => other.tier >= tier && isRepeat(terms, other.terms, repeatShare),
    )
    if (same === undefined) seen.push({ seq, tier, terms })
    else repeats.set(seq, same.seq)
  }
  return repeats
}

function isRepeat(own: ReadonlySet<string>, other: ReadonlySet<string>, share: number): boolean {
  const [less, more] = own.size < other.size ? [own, other] : [other, own]
  if (less.size < share * more.size) return false
  let both = less.size // shrinks with each term that the other text lacks
  for (const term of less) {
    if (more.has(term)) continue
    both -= 1
    if (both < share * (less.size + more.size - both)) return false
  }
  return true
}
