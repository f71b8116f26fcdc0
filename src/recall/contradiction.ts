import { areOpposite, countSaid } from '../domain/words/sentence-words.ts'
import type { Quantity } from './quantities.ts'
import { readStatement, type Statement } from './statement.ts'
import { valueContradiction } from './value-contradiction.ts'

export interface Contradiction {
  readonly kind: 'negation' | 'opposition' | 'number' | 'value'
  /** 0 to 1: confidence that the two statements contradict each other. */
  readonly score: number
  /** An explanation in words. */
  readonly evidence: string
}

export const STATEMENT_CHARS_MAX = 2_000 // a longer text is an account, not a statement
const DENIED_SHARE_MIN = 0.75 // share of the words after "not" that the other side says
const DENIED_WHOLLY_MIN = 0.8 // share of the words after "no", "without" or "nobody" that the other side says
const DENIED_PART_MIN = 0.4 // share of the words after "not", when the other side says nothing else
const OPPOSED_SHARE_MIN = 0.75 // share of both sides, beside the two contraries
const COUNTED_SHARE_MIN = 0.8 // share of both sides, beside the numbers
const HEDGE_FACTOR = 0.6 // a "might" lowers the score by this factor

/**
 * The contradiction between two statements, judged by their words alone; null when the words show
 * none.
 */
export const contradictionBetween = (a: string, b: string): Contradiction | null =>
  contradictionsOf(a)(b)

/** Reads one statement once, to compare the statement with many others. */
export function contradictionsOf(a: string): (b: string) => Contradiction | null {
  if (a.length > STATEMENT_CHARS_MAX) return () => null
  const left = readStatement(a)
  return (b) => (b.length > STATEMENT_CHARS_MAX ? null : between(left, readStatement(b)))
}

function between(left: Statement, right: Statement): Contradiction | null {
  if (left.former !== right.former) return null // a former state may have ended
  const found = judged(left, right)
  if (found === null || !(left.hedged || right.hedged)) return found
  return { ...found, score: found.score * HEDGE_FACTOR }
}

function judged(left: Statement, right: Statement): Contradiction | null {
  const contraries = contrariesIn(left, right)
  const apart = left.indefinite && right.indefinite
  // Denying the contrary of a thing affirms the thing; denying both affirms neither.
  if (contraries) return left.negated || right.negated || apart ? null : contraries
  if (left.negated !== right.negated)
    return left.negated ? denied(left, right) : denied(right, left)
  if (left.negated || apart || left.runLog || right.runLog) return null
  return counted(left, right) ?? valueContradiction(left, right)
}

/** Two contraries, each on one side, in otherwise equal statements. */
function contrariesIn(left: Statement, right: Statement): Contradiction | null {
  for (const x of left.terms) {
    if (right.terms.has(x)) continue
    for (const y of right.terms) {
      if (left.terms.has(y) || !areOpposite(x, y)) continue
      const share = mutualShare(without(left.terms, x), without(right.terms, y))
      if (share < OPPOSED_SHARE_MIN || !sameQuantities(left, right)) continue
      if (!namesSaid(left, right, x) || !namesSaid(right, left, y)) continue
      return { kind: 'opposition', score: 0.9 * share, evidence: `${x} against ${y}` }
    }
  }
  return null
}

/**
 * A statement that says more than the denied words is denied too: "no dog is barking" denies "a big
 * dog is barking". A statement that says less may agree, so only a plain "not" of the same thing
 * counts, with a lower score: "the dog is not barking at the cat", "the dog is barking".
 */
function denied(negated: Statement, said: Statement): Contradiction | null {
  const { focus, negator } = negated
  const deniedTerms = withQuantities(negated)
  const saidTerms = withQuantities(said)
  if (!namesSaid(negated, said) || (focus !== null && countSaid([focus], saidTerms) === 0))
    return null
  const share = shareOf(deniedTerms, saidTerms)
  const isPlain = negator === 'not' || negator === 'never'
  const evidence = `only one side says "${negator}"`
  if (share >= (isPlain ? DENIED_SHARE_MIN : DENIED_WHOLLY_MIN))
    return { kind: 'negation', score: 0.95 * share, evidence }
  if (!isPlain || share < DENIED_PART_MIN || shareOf(saidTerms, deniedTerms) < 1) return null
  return { kind: 'negation', score: 0.5 + share / 4, evidence }
}

/** Different numbers, units or dates in otherwise equal statements. */
function counted(left: Statement, right: Statement): Contradiction | null {
  const { quantities: ours } = left
  const { quantities: theirs } = right
  if (ours.length === 0 || ours.length !== theirs.length || left.vague || right.vague) return null
  const differing = ours.findIndex((quantity, at) => !sameQuantity(quantity, theirs[at]))
  const [mine, other] = [ours[differing], theirs[differing]]
  if (mine === undefined || other === undefined) return null
  const share = mutualShare(left.terms, right.terms)
  if (share < COUNTED_SHARE_MIN || !namesSaid(left, right) || !namesSaid(right, left)) return null
  const evidence = `${shown(mine)} against ${shown(other)}`
  return { kind: 'number', score: 0.85 * share, evidence }
}

/** Another name is another thing, however many other words are equal. */
const namesSaid = ({ names }: Statement, { terms }: Statement, except?: string): boolean =>
  [...names].every((name) => terms.has(name) || name === except)

const shown = ({ value, dimension }: Quantity): string => `${value} (${dimension})`

const sameQuantity = (a: Quantity, b: Quantity | undefined): boolean =>
  a.dimension === b?.dimension &&
  Math.abs(a.value - b.value) <= 1e-9 * Math.max(Math.abs(a.value), Math.abs(b.value))

const sameQuantities = (left: Statement, right: Statement): boolean =>
  left.quantities.length === right.quantities.length &&
  left.quantities.every((quantity, at) => sameQuantity(quantity, right.quantities[at]))

const withQuantities = ({ terms, quantities }: Statement): ReadonlySet<string> =>
  new Set([...terms, ...quantities.map(shown)])

const without = (terms: ReadonlySet<string>, term: string): ReadonlySet<string> =>
  new Set([...terms].filter((each) => each !== term))

/** Share of the first set that the second holds; 0 for an empty first set. */
const shareOf = (part: ReadonlySet<string>, whole: ReadonlySet<string>): number =>
  part.size === 0 ? 0 : countSaid(part, whole) / part.size

const mutualShare = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  Math.min(shareOf(a, b), shareOf(b, a))
