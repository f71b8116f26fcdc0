import { RECEIPT_LIMITS } from '../../../src/ports/receipts.ts'
import { textOf } from '../sayings.ts'
import type { GateDraft } from '../steps.ts'
import type { Like } from './rewording.ts'
import { saysNo, tellingIn } from './speech.ts'
import { asserts, isExternal } from './tables.ts'
import type { Book } from './words.ts'

// Recognition over a table of words in which every word is as rare as any other (one bit) and all
// texts mean the same: so that everything which is left can be counted on one's fingers.

const DAY_MS = 86_400_000
const MEANING = 1_000 // thousandths that every two texts are near
const BIT = 8 // thousandths of score for each word that both share

const isNumber = (word: string): boolean => /^\p{N}+$/u.test(word)
const numbersIn = (words: readonly string[]): string => words.filter(isNumber).sort().join()

/** How like a text is to another; nothing where they share too little, or one says no. */
export function likeness(
  said: string,
  source: string,
): Omit<Like, 'ref' | 'isElsewhere'> | undefined {
  const [ours, theirs] = [tellingIn(said), tellingIn(source)]
  const shared = ours.filter((word) => theirs.includes(word))
  const covered = Math.floor((shared.length * 1_000) / ours.length)
  const repeated = Math.floor((shared.length * 1_000) / theirs.length)
  if (shared.length === 0 || covered < 200) return undefined
  const isAlike = saysNo(said) === saysNo(source)
  if (!isAlike && (saysNo(said) || repeated >= 500)) return undefined
  const places = shared.map((word) => theirs.indexOf(word))
  const isOrdered = places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0))
  return {
    score: covered + MEANING + BIT * shared.length,
    covered,
    repeated,
    isInStep: isOrdered && isAlike && numbersIn(ours) === numbersIn(theirs),
  }
}

const alike = ({ covered, repeated, isInStep }: Like): number =>
  covered + repeated + (isInStep ? 2_000 : 0)

/** The four that come nearest; of several as near, by name. */
const nearest = (likes: readonly Like[], by: (like: Like) => number): readonly Like[] =>
  [...likes].sort((a, b) => by(b) - by(a) || (a.ref < b.ref ? -1 : 1)).slice(0, 4)

/** What a draft is like, in the order in which the gate is told. */
export function likesOf(book: Book, draft: GateDraft, now: number): readonly Like[] {
  const { kind, label, door, person, saying, revises } = draft
  if (!book.recognises || !asserts(kind) || isExternal(label) || revises) return []
  if (person || door === 'hook') return []
  const since = now - RECEIPT_LIMITS.daysKept * DAY_MS
  const told = book.served.filter(({ time, at }) => time >= since && SHARED.includes(at))
  const own = SHARED.includes(door)
    ? told.filter((each) => each.at === door && each.day === book.day)
    : []
  const value = tellingIn(
    typeof saying.claim.value === 'string'
      ? saying.claim.value
      : JSON.stringify(saying.claim.value),
  )
  // Each memory in all the words that it was ever shown in, the latest first.
  const inWords = new Map(told.toReversed().map((each) => [`${each.ref} ${each.text}`, each]))
  const found = [...inWords.values()].flatMap(({ ref, text }): readonly Like[] => {
    const isElsewhere = !own.some((each) => each.ref === ref && each.text === text)
    const words = tellingIn(text)
    if (kind === 'claim' && !value.every((word) => words.includes(word))) return []
    const like = likeness(textOf(kind, saying), text)
    return like ? [{ ref, ...like, isElsewhere }] : []
  })
  const here = found.filter(({ isElsewhere }) => !isElsewhere)
  return [
    ...new Set([
      ...nearest(
        here.filter(({ ref }) => ref.startsWith(`${kind}:`)),
        alike,
      ),
      ...nearest(here, ({ score }) => score),
      ...nearest(
        found.filter(({ isElsewhere }) => isElsewhere),
        alike,
      ),
    ]),
  ]
}

const SHARED = ['cli', 'mcp', 'http'] // doors at which readers who name no session share one
