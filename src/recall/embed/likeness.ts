import { once } from '../../domain/errors.ts'
import { synonymOf } from '../../domain/words/lexicons.ts'
import { oppositesOf } from '../../domain/words/sentence-words.ts'
import { hashText } from './integers.ts'
import { PRINT_FORMAT, type Print, SORTS } from './print.ts'

const WHOLE = 1_000
const SHARED_MIN = 2 // words that two texts must share, unless each has a single word
const SHARE_MIN = 0.22 // of the words of either text; less is no likeness at all
const BUILD_KEPT_OVER = 0.6 // share of the shorter text's words that both have in equal order
const BESIDE = 2 // telling words on each side of a negation within the negation's reach

/**
 * The most similar sources, best first, equals by their refs. A score is 1,000 plus the shared words
 * in thousandths of all words. Left out are texts that differ in meaning:
 *
 * - another number, date, part, doubt or name, or names in another order;
 * - a shared word that only one side denies, and a word whose contrary stands on the other side;
 * - an exchanged or added word in a sentence that otherwise keeps its word order.
 */
export function likest<Source extends { readonly ref: string; readonly print: Print }>(
  said: Print,
  sources: readonly Source[],
  most: number,
): readonly { readonly source: Source; readonly score: number }[] {
  const pairs = sources.flatMap((source) => {
    const pair = pairOf(said, source.print)
    return pair === null ? [] : { ...pair, source }
  })
  const found = new Map<string, { readonly source: Source; readonly score: number }>()
  // Order is compared last, because a repeated text is compared with each of its repeats.
  for (const pair of pairs.sort(byLikeness)) {
    if (found.size >= most) break
    if (!found.has(pair.source.ref) && !isEdited(pair)) found.set(pair.source.ref, pair)
  }
  return [...found.values()]
}

const byLikeness = (a: Ranked, b: Ranked): number =>
  b.score - a.score || (a.source.ref < b.source.ref ? -1 : 1)

interface Ranked extends Pair {
  readonly source: { readonly ref: string }
}

interface Pair {
  readonly ours: Read
  readonly theirs: Read
  readonly score: number
}

/** Two texts that may say the same; `isEdited` decides on differences. */
function pairOf(said: Print, source: Print): Pair | null {
  const ours = read(said)
  if (ours === null || !mayBeLike(ours, source)) return null
  const theirs = read(source)
  if (theirs === null || ours.fixed.size !== theirs.fixed.size) return null
  const shared = countShared(ours.terms, theirs.terms)
  const all = ours.terms.size + theirs.terms.size - shared
  if ((shared < SHARED_MIN && all > 1) || shared < all * SHARE_MIN) return null
  if (!haveSameNames(ours, theirs) || areOpposed(ours, theirs)) return null
  if (isDenied(ours, theirs) !== isDenied(theirs, ours)) return null
  return { ours, theirs, score: WHOLE + Math.floor((shared * WHOLE) / all) }
}

/**
 * Compares the hashes alone: a write is compared with thousands of prints, mostly quite different.
 */
function mayBeLike({ terms, fixed }: Read, source: Print): boolean {
  let shared = 0
  for (let at = 1; at < source.length; at += 2) {
    const [sort = 0, term = 0] = [source[at], source[at + 1]]
    if (sort === SORTS.fixed && !fixed.has(term)) return false
    if (terms.has(term)) shared += 1
  }
  return shared >= sharedLeast(terms.size)
}

/** Words that another text must share with a text of so many distinct words to be like it. */
export const sharedLeast = (terms: number): number => terms * SHARE_MIN

/** Distinct telling words of a print; none for a print of an older format. */
export const termsIn = (print: Print): ReadonlySet<number> => read(print)?.terms ?? NO_TERMS

const NO_TERMS: ReadonlySet<number> = new Set()

interface Word {
  readonly sort: number
  readonly term: number
}

/** A print prepared for comparison. */
interface Read {
  /** Distinct telling words, in the order of first occurrence. */
  readonly terms: ReadonlySet<number>
  readonly names: ReadonlySet<number>
  readonly fixed: ReadonlySet<number>
  /** Telling words, fixed words and limits, in the order of the text. */
  readonly ordered: readonly Word[]
  /** `ordered` without words that frame the text. */
  readonly unframed: readonly Word[]
  /** For each denial, the telling words within its reach. */
  readonly denied: readonly (readonly number[])[]
}

const known = new WeakMap<Print, Read>()

/** Null for a print of an older format, and for a text without words. */
function read(print: Print): Read | null {
  if (print[0] !== PRINT_FORMAT) return null
  const before = known.get(print)
  if (before) return before
  const words: Word[] = []
  let start = 0
  for (let at = 1; at < print.length; at += 2) {
    const word = { sort: print[at] ?? 0, term: print[at + 1] ?? 0 }
    if (word.sort === SORTS.start) start = words.length
    else words.push(word)
  }
  const found = { ...setsOf(words), denied: deniedBy(words), ...orderOf(words, start) }
  if (found.terms.size === 0) return null
  known.set(print, found)
  return found
}

function setsOf(words: readonly Word[]): Pick<Read, 'terms' | 'names' | 'fixed'> {
  const [terms, names, fixed] = [new Set<number>(), new Set<number>(), new Set<number>()]
  for (const { sort, term } of words) {
    if (sort === SORTS.fixed) fixed.add(term)
    if (sort === SORTS.name) names.add(term)
    if (sort === SORTS.plain || sort === SORTS.name) terms.add(term)
  }
  return { terms, names, fixed }
}

function orderOf(words: readonly Word[], start: number): Pick<Read, 'ordered' | 'unframed'> {
  const isKept = ({ sort }: Word): boolean => sort !== SORTS.denyNext && sort !== SORTS.denyBeside
  const ordered = words.filter(isKept)
  return { ordered, unframed: start === 0 ? ordered : words.slice(start).filter(isKept) }
}

const isTelling = ({ sort }: Word): boolean => sort === SORTS.plain || sort === SORTS.name

function deniedBy(words: readonly Word[]): Read['denied'] {
  return words.flatMap(({ sort }, at) => {
    const isBeside = sort === SORTS.denyBeside
    if (!isBeside && sort !== SORTS.denyNext) return []
    const after = words.slice(at + 1).filter(isTelling)
    const before = isBeside ? words.slice(0, at).filter(isTelling) : []
    const near = [...before.slice(-BESIDE), ...after.slice(0, isBeside ? BESIDE : 1)]
    return [near.map(({ term }) => term)]
  })
}

function countShared(ours: ReadonlySet<number>, theirs: ReadonlySet<number>): number {
  let shared = 0
  for (const term of ours) if (theirs.has(term)) shared += 1
  return shared
}

/** The order of names tells agent and target apart. */
function haveSameNames(ours: Read, theirs: Read): boolean {
  if (ours.names.size + theirs.names.size === 0) return true
  const names = new Set([...ours.names, ...theirs.names])
  const order = ({ terms }: Read): string => [...terms].filter((term) => names.has(term)).join()
  for (const name of names) if (!ours.terms.has(name) || !theirs.terms.has(name)) return false
  return order(ours) === order(theirs)
}

const contraries = once(
  () =>
    new Map(
      [...oppositesOf()].map(([term, others]) => [hashOf(term), [...others].map(hashOf)] as const),
    ),
)

const hashOf = (term: string): number => hashText(synonymOf(term))

/** True where one text has a word and the other only its contrary: open and closed. */
const areOpposed = ({ terms: ours }: Read, { terms: theirs }: Read): boolean =>
  [...ours].some(
    (term) =>
      !theirs.has(term) &&
      (contraries().get(term) ?? []).some((other) => theirs.has(other) && !ours.has(other)),
  )

/** Double denial affirms. A denial counts only where the other text has the denied words. */
const isDenied = ({ denied }: Read, { terms }: Read): boolean =>
  denied.filter((near) => near.some((term) => terms.has(term))).length % 2 === 1

/**
 * One text is the other with an exchanged word, a changed limit or an addition: a different
 * statement.
 */
function isEdited({ ours, theirs }: Pick<Pair, 'ours' | 'theirs'>): boolean {
  const isFramed = (each: Read): boolean => each.unframed !== each.ordered
  const side = isFramed(ours) === isFramed(theirs) ? 'ordered' : 'unframed'
  const { kept, gaps } = difference(ours[side], theirs[side])
  const shorter = Math.min(ours.terms.size, theirs.terms.size)
  if (kept <= shorter * BUILD_KEPT_OVER) return false
  const isNews = ({ sort, term }: Word): boolean => sort === SORTS.limit || !theirs.terms.has(term)
  return gaps.some(
    ([mine, other]) =>
      (mine.length > 0 && other.length > 0) ||
      mine.some(isNews) ||
      other.some(({ sort }) => sort === SORTS.limit),
  )
}

type Gap = readonly [mine: readonly Word[], other: readonly Word[]]

/** The longest common sequence of words, with the gaps on either side. */
function difference(
  mine: readonly Word[],
  other: readonly Word[],
): { readonly kept: number; readonly gaps: readonly Gap[] } {
  const longest = commonLengths(mine, other)
  const lengthAt = (i: number, j: number): number => longest[i * (other.length + 1) + j] ?? 0
  const gaps: [Word[], Word[]][] = [[[], []]]
  let [i, j] = [0, 0]
  while (i < mine.length || j < other.length) {
    const [left, right] = [mine[i], other[j]]
    if (left && right && left.term === right.term) {
      gaps.push([[], []])
      i += 1
      j += 1
    } else if (left && (!right || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      gaps.at(-1)?.[0].push(left)
      i += 1
    } else if (right) {
      gaps.at(-1)?.[1].push(right)
      j += 1
    }
  }
  return { kept: gaps.length - 1, gaps }
}

/** Lengths of the longest common sequences of all ends of both, row by row. */
function commonLengths(mine: readonly Word[], other: readonly Word[]): Uint16Array {
  const width = other.length + 1
  const longest = new Uint16Array((mine.length + 1) * width)
  for (let i = mine.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1) {
      const at = i * width + j
      const [right = 0, below = 0, both = 0] = [
        longest[at + 1],
        longest[at + width],
        longest[at + width + 1],
      ]
      longest[at] = mine[i]?.term === other[j]?.term ? both + 1 : Math.max(right, below)
    }
  return longest
}
