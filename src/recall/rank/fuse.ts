import type { Candidate, Found } from './candidates.ts'
import type { Question } from './question.ts'
import { SIGNALS, type Signal, type Signals, signalsOf } from './signals.ts'

export interface Fusion {
  /** What each signal is worth. */
  readonly weights: Readonly<Record<Signal, number>>
  /** Turns a sum of signals into the chance that the memory answers. */
  readonly calibration: { readonly slope: number; readonly offset: number }
  /** Whether anything answers at all; see `answerable`. */
  readonly answer: {
    readonly best: number
    readonly coverage: number
    readonly otherSaid: number
    readonly offset: number
    /** A smaller chance, and nothing that is known answers. */
    readonly abstainBelow: number
  }
  /** Of two memories that share so much of their words, the lesser is a repeat … */
  readonly repeatShare: number
  /** … and loses so much of its sum. */
  readonly repeatCost: number
}

/** A memory with its chance, and what each signal gave to it. */
export interface Ranked {
  readonly seq: number
  /** 0 to 1: the chance that it answers, as far as signals can tell. */
  readonly score: number
  readonly shares: Readonly<Record<Signal, number>>
  /** The better one that says the same, if there is one. */
  readonly repeats: number | null
}

/** Best first; equal ones in the order of their birth. The same candidates always give the same. */
export function fuse(question: Question, found: Found, fusion: Fusion): readonly Ranked[] {
  const summed = signalsOf(question, found).map((signals, at) => {
    const shares = sharesOf(signals, fusion.weights)
    const sum = SIGNALS.reduce((total, signal) => total + shares[signal], 0)
    return { candidate: found.candidates[at] as Candidate, shares, sum } // one for each candidate
  })
  const ordered = summed.sort((a, b) => b.sum - a.sum || a.candidate.seq - b.candidate.seq)
  const seen: Candidate[] = []
  const ranked = ordered.map(({ candidate, shares, sum }, at) => {
    const repeats = at < REPEATS_LOOKED_AT ? repeated(candidate, seen, fusion) : null
    if (at < REPEATS_LOOKED_AT && repeats === null) seen.push(candidate)
    const left = repeats === null ? sum : sum - fusion.repeatCost
    return { seq: candidate.seq, score: chanceOf(left, fusion), shares, repeats }
  })
  return ranked.sort((a, b) => b.score - a.score || a.seq - b.seq)
}

const REPEATS_LOOKED_AT = 64 // of the best; what stands behind them is hardly shown

function sharesOf(signals: Signals, weights: Fusion['weights']): Readonly<Record<Signal, number>> {
  const shares = SIGNALS.map((signal) => [signal, signals[signal] * weights[signal]])
  return Object.fromEntries(shares) as Record<Signal, number> // made of every signal
}

const SCORE_DIGITS = 1e6 // the last bits of a logarithm are not the same everywhere

const chanceOf = (sum: number, { calibration: { slope, offset } }: Fusion): number =>
  chance(slope * sum + offset)

/** Log odds as a chance. */
export const chance = (odds: number): number =>
  Math.round(SCORE_DIGITS / (1 + Math.exp(-odds))) / SCORE_DIGITS

function repeated(
  { terms }: Candidate,
  seen: readonly Candidate[],
  { repeatShare }: Fusion,
): number | null {
  const own = new Set(terms)
  const same = seen.find((other) => {
    const theirs = new Set(other.terms)
    if (Math.min(own.size, theirs.size) < repeatShare * Math.max(own.size, theirs.size))
      return false
    let both = 0
    for (const term of own) if (theirs.has(term)) both += 1
    return both >= repeatShare * (own.size + theirs.size - both)
  })
  return same?.seq ?? null
}
