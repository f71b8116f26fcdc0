import type { WordSense } from '../ports/meaning.ts'
import { type Print, termsIn } from './print.ts'
import { scoreMax } from './unit-vector.ts'

/** How like one text is to another, in integers that are the same on every machine. */
export interface Likeness {
  /** What both share and how near they are in meaning, in one number. */
  readonly score: number
  /** How much of what is said was in the source, in thousandths; words count by their rarity. */
  readonly covered: number
  /** How much of the source is said again, in thousandths. */
  readonly repeated: number
  /** Everything shared comes in the same order, with the same numbers, denied or affirmed alike. */
  readonly isInStep: boolean
}

const EIGHTHS = 8 // rarities are given in eighths of a bit
const PER_SHARED_BIT = 8 // thousandths of score: two texts that share much are no coincidence
const MOSTLY = 500 // thousandths
const HARDLY = 200 // thousandths: what shares less is not looked at further

/** Null where one denies what the other says: that is disagreement, whatever words are shared. */
export function likenessOf(said: Print, source: Print, words: WordSense): Likeness | null {
  const [ours, theirs] = [termsIn(said), termsIn(source)]
  let shared = 0
  let all = 0
  let last = 0
  let isOrdered = true
  for (const [term, { word }] of ours) {
    const rarity = words.rarityOf(word, term)
    all += rarity
    const met = theirs.get(term)
    if (met === undefined) continue
    shared += rarity
    isOrdered &&= met.at > last
    last = met.at
  }
  if (shared === 0) return null
  let whole = 0
  for (const [term, { word }] of theirs) whole += words.rarityOf(word, term)
  const covered = Math.floor((shared * 1_000) / all)
  const repeated = Math.min(1_000, Math.floor((shared * 1_000) / whole))
  if (covered < HARDLY) return null
  const isDeniedAlike = said[0] === source[0]
  if (!isDeniedAlike && (said[0] === 1 || repeated >= MOSTLY)) return null
  const meaning = nearness(words.vectorOf(said), words.vectorOf(source))
  return {
    score: covered + meaning + Math.floor((shared * PER_SHARED_BIT) / EIGHTHS),
    covered,
    repeated,
    isInStep: isOrdered && isDeniedAlike && said[1] === source[1],
  }
}

function nearness(a: Int8Array, b: Int8Array): number {
  let dot = 0
  for (let at = 0; at < a.length; at += 1) dot += (a[at] ?? 0) * (b[at] ?? 0)
  return Math.max(0, Math.floor((dot * 1_000) / scoreMax(a.length)))
}
