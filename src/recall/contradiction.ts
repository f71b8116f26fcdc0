import { areOpposite } from '../domain/opposites.ts'
import { countSaid } from '../domain/same-words.ts'
import { valued } from './differing-value.ts'
import type { Quantity } from './quantities.ts'
import { readStatement, type Statement } from './statement.ts'

export interface Contradiction {
  readonly kind: 'negation' | 'opposition' | 'number' | 'value'
  /** 0 to 1: how surely the two cannot both be so. */
  readonly score: number
  /** What was found, in words. */
  readonly evidence: string
}

export const STATEMENT_CHARS_MAX = 2_000 // a longer text is an account, not a statement
const DENIED_SHARE_MIN = 0.75 // of what "not" denies, said by the other side
const DENIED_WHOLLY_MIN = 0.8 // of what "no", "without" or "nobody" deny, said by the other side
const DENIED_PART_MIN = 0.4 // of what "not" denies, when the other side says nothing else
const OPPOSED_SHARE_MIN = 0.75 // of both sides, beside the two contraries
const COUNTED_SHARE_MIN = 0.8 // of both sides, beside the numbers
const HEDGE_FACTOR = 0.6 // what a "might" leaves of a score

/** Whether two statements cannot both be so, judged by their words alone; null when nothing says so. */
export const contradictionBetween = (a: string, b: string): Contradiction | null =>
  contradictionsOf(a)(b)

/** The same for one statement that is held against many: it is read once. */
export function contradictionsOf(a: string): (b: string) => Contradiction | null {
  if (a.length > STATEMENT_CHARS_MAX) return () => null
  const left = readStatement(a)
  return (b) => (b.length > STATEMENT_CHARS_MAX ? null : between(left, readStatement(b)))
}

function between(left: Statement, right: Statement): Contradiction | null {
  if (left.former !== right.former) return null // what was so may have ended
  const found = judged(left, right)
  if (found === null || !(left.hedged || right.hedged)) return found
  return { ...found, score: found.score * HEDGE_FACTOR }
}

function judged(left: Statement, right: Statement): Contradiction | null {
  const contraries = contrariesIn(left, right)
  const apart = left.indefinite && right.indefinite
  // To deny the contrary of a thing is to say it; to deny both is to say neither.
  if (contraries) return left.negated || right.negated || apart ? null : contraries
  if (left.negated !== right.negated)
    return left.negated ? denied(left, right) : denied(right, left)
  return left.negated || apart ? null : (counted(left, right) ?? valued(left, right))
}

/** Two contraries, one on each side, in otherwise the same statement. */
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
 * Whoever says more than what is denied says it: "no dog is barking" denies "a big dog is barking".
 * The other way round the two may go together, and only a plain "not" of the same thing is taken
 * for a contradiction, a weaker one: "the dog is not barking at the cat", "the dog is barking".
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

/** Other numbers, units or dates in otherwise the same statement. */
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

/** Another name is another thing, however much else is the same. */
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

/** How much of the first is said by the second; nothing is no part of anything. */
const shareOf = (part: ReadonlySet<string>, whole: ReadonlySet<string>): number =>
  part.size === 0 ? 0 : countSaid(part, whole) / part.size

const mutualShare = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  Math.min(shareOf(a, b), shareOf(b, a))
