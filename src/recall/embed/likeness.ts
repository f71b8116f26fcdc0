import { PRINT_FORMAT, type Print, SORTS } from './print.ts'

const WHOLE = 1_000
const SHARED_MIN = 2 // words that two texts must share, unless both have one word only
const SHARE_MIN = 0.22 // of the words of either text; less is no likeness at all
const BUILD_KEPT_OVER = 0.6 // share of the shorter text's words that both have in one order
const BESIDE = 2 // telling words on each side of a negation that it may deny

/**
 * How likely a text says again what a source said, in thousandths: 1,000 plus the share of words of
 * either text that are words of both. Null where one of the texts says something else:
 *
 * - another number, date, part, doubt or name, or names in another order;
 * - a denial of a shared word that the other does not deny;
 * - in a sentence whose build is kept, another word in the place of one, or one word more.
 */
export function likenessOf(said: Print, source: Print): number | null {
  const [ours, theirs] = [read(said), read(source)]
  if (ours === null || theirs === null || ours.fixed !== theirs.fixed) return null
  const shared = countShared(ours.terms, theirs.terms)
  const all = ours.terms.size + theirs.terms.size - shared
  if (shared < SHARED_MIN && all > 1) return null
  if (shared < all * SHARE_MIN) return null
  if (!haveSameNames(ours, theirs) || isDenied(ours, theirs) !== isDenied(theirs, ours)) return null
  return isEdited(ours, theirs) ? null : WHOLE + Math.floor((shared * WHOLE) / all)
}

interface Word {
  readonly sort: number
  readonly term: number
}

interface Read {
  readonly words: readonly Word[]
  /** Telling words, each once, in the order in which they first come. */
  readonly terms: ReadonlySet<number>
  readonly names: ReadonlySet<number>
  readonly fixed: string
  /** Words before this place frame the text. */
  readonly start: number
}

const known = new WeakMap<Print, Read>()

/** Null for a print of an older format, and for a text without words. */
function read(print: Print): Read | null {
  if (print[0] !== PRINT_FORMAT || print.length === 1) return null
  const before = known.get(print)
  if (before) return before
  const words: Word[] = []
  let start = 0
  for (let at = 1; at < print.length; at += 2) {
    const word = { sort: print[at] ?? 0, term: print[at + 1] ?? 0 }
    if (word.sort === SORTS.start) start = words.length
    else words.push(word)
  }
  const termsOf = (...sorts: readonly number[]): ReadonlySet<number> =>
    new Set(words.filter(({ sort }) => sorts.includes(sort)).map(({ term }) => term))
  const terms = termsOf(SORTS.plain, SORTS.name)
  if (terms.size === 0) return null
  const fixed = [...termsOf(SORTS.fixed)].sort((a, b) => a - b).join()
  const found = { words, terms, names: termsOf(SORTS.name), fixed, start }
  known.set(print, found)
  return found
}

function countShared(ours: ReadonlySet<number>, theirs: ReadonlySet<number>): number {
  let shared = 0
  for (const term of ours) if (theirs.has(term)) shared += 1
  return shared
}

/** Who does something to whom is told by the order of the names. */
function haveSameNames(ours: Read, theirs: Read): boolean {
  const names = new Set([...ours.names, ...theirs.names])
  const orderOf = ({ terms }: Read): string => [...terms].filter((term) => names.has(term)).join()
  for (const name of names) if (!ours.terms.has(name) || !theirs.terms.has(name)) return false
  return orderOf(ours) === orderOf(theirs)
}

const isTelling = ({ sort }: Word): boolean => sort === SORTS.plain || sort === SORTS.name

/** Denied twice is said. A denial of words that the other does not have says nothing against it. */
function isDenied({ words }: Read, { terms }: Read): boolean {
  let denials = 0
  for (const [at, { sort }] of words.entries()) {
    if (sort !== SORTS.denyNext && sort !== SORTS.denyBeside) continue
    const isBeside = sort === SORTS.denyBeside
    const after = words.slice(at + 1).filter(isTelling)
    const before = isBeside ? words.slice(0, at).filter(isTelling) : []
    const near = [...before.slice(-BESIDE), ...after.slice(0, isBeside ? BESIDE : 1)]
    if (near.some(({ term }) => terms.has(term))) denials += 1
  }
  return denials % 2 === 1
}

/** One text is the other with a word exchanged, a limit changed or something added: another statement. */
function isEdited(ours: Read, theirs: Read): boolean {
  const isFramed = ours.start > 0 !== theirs.start > 0
  const [said, source] = [ours, theirs].map((each) => orderedWords(each, isFramed ? each.start : 0))
  if (!said || !source) return false
  const { kept, gaps } = difference(said, source)
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

const orderedWords = ({ words }: Read, start: number): readonly Word[] =>
  words
    .slice(start)
    .filter((word) => isTelling(word) || word.sort === SORTS.fixed || word.sort === SORTS.limit)

type Gap = readonly [mine: readonly Word[], other: readonly Word[]]

/** The longest common sequence of words, and what lies between its words on either side. */
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
