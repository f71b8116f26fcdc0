import { FUNCTION_WORDS } from '../../../src/domain/function-words.ts'
import type { Ref } from '../../../src/domain/ids.ts'
import {
  isFiller,
  isFixedWord,
  isFrameWord,
  isNegator,
  synonymOf,
} from '../../../src/domain/rewording-words.ts'
import { termOf } from '../../../src/domain/terms.ts'
import { RECEIPT_LIMITS } from '../../../src/ports/receipts.ts'
import { textOf } from '../sayings.ts'
import type { GateDraft } from '../steps.ts'
import { recall } from './lineage.ts'
import { asserts, isExternal } from './tables.ts'
import { type Book, lineOf, meaning } from './words.ts'

const DAY_MS = 86_400_000
const BAR = 1_442
const LIKES_MAX = 8

interface Said {
  readonly plain: readonly string[]
  readonly names: readonly string[]
  readonly fixed: string
}

const folded = (token: string): string =>
  token.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')

const tokensOf = (text: string): readonly string[] =>
  text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((token) => token !== '')

/** Without "as noted before," in front and ", as mentioned" behind. */
function unframed(text: string): string {
  const ends = [...text.matchAll(/[,:;]+|\bthat\b/giu)]
  const isFrame = (clause: string): boolean => {
    const words = tokensOf(clause).map(folded)
    const telling = words.filter((word) => !FUNCTION_WORDS.has(word))
    return telling.length > 0 && telling.every(isFrameWord)
  }
  const [first] = ends
  if (first && isFrame(text.slice(0, first.index))) {
    return unframed(text.slice(first.index + first[0].length))
  }
  const last = ends.at(-1)
  return last && isFrame(text.slice(last.index + last[0].length))
    ? unframed(text.slice(0, last.index))
    : text
}

/** A text as docs/firewall.md reads it: telling words, names among them, and words that must stay. */
function read(text: string): Said {
  const tokens = tokensOf(unframed(text))
  const isCapital = (token: string): boolean => /^\p{Lu}/u.test(token)
  const isShouted = tokens.filter(isCapital).length * 2 > tokens.length
  const plain: string[] = []
  const names: string[] = []
  const fixed: string[] = []
  let isDenied = false
  for (const token of tokens) {
    const word = folded(token)
    if (isNegator(word)) isDenied = true
    else if (isFixedWord(word) || /\p{N}/u.test(word)) fixed.push(word)
    else if (!FUNCTION_WORDS.has(word) && !isFiller(word)) {
      const term = synonymOf(termOf(word))
      if (isDenied) fixed.push(`not ${term}`)
      isDenied = false
      if (!plain.includes(term)) plain.push(term)
      if (isCapital(token) && !isShouted) names.push(term)
    }
  }
  if (isDenied) fixed.push('not')
  return { plain, names, fixed: fixed.join(' | ') }
}

/** Nothing new, all names, the same fixed words: then the share of the source that is said again. */
export function likeness(said: string, source: string): number | null {
  const [ours, theirs] = [read(said), read(source)]
  if (ours.plain.length === 0 || theirs.plain.length === 0) return null
  const isCovered = ours.plain.every((word) => theirs.plain.includes(word))
  const areNamed = theirs.names.every((name) => ours.plain.includes(name))
  if (!isCovered || !areNamed || ours.fixed !== theirs.fixed) return null
  const names = [...ours.names, ...theirs.names]
  const order = ({ plain }: Said) => plain.filter((word) => names.includes(word)).join(' ')
  if (order(ours) !== order(theirs)) return null
  return 1_000 + Math.floor((ours.plain.length * 1_000) / theirs.plain.length)
}

interface Link {
  readonly ref: Ref
  readonly score: number
}

/** The original that a draft is linked to; null for most. */
export function linkOf(book: Book, draft: GateDraft, now: number): Link | null {
  const { kind, label, door, person, saying, actor } = draft
  if (!book.recognises || !asserts(kind) || isExternal(label)) return null
  if (person || door === 'hook') return null
  const { start, end } = saying.claim
  if (kind === 'claim' && (start !== null || end !== null)) return null
  if (book.memories.some(({ says }) => says === meaning(kind, saying))) return null
  const since = now - RECEIPT_LIMITS.daysKept * DAY_MS
  const served = book.served.filter(
    (each) =>
      SHARED.includes(door) && each.at === door && each.day === book.day && each.time >= since,
  )
  const written = book.written.filter((each) => each.actor === actor && each.time >= since)
  const best = new Map<Ref, number>()
  for (const { ref, text } of [...written, ...served]) {
    const score = likeness(textOf(kind, saying), text)
    if (score !== null && score > (best.get(ref) ?? 0)) best.set(ref, score)
  }
  const likes = [...best]
    .map(([ref, score]) => ({ ref, score }))
    .sort((a, b) => b.score - a.score || (a.ref < b.ref ? -1 : 1))
    .slice(0, LIKES_MAX)
  const mayLink = (ref: Ref): boolean => {
    const memory = recall(book, ref)
    const isLine = memory?.predicate === lineOf(kind, saying)
    return memory !== undefined && memory.kind === kind && isLine && ref !== draft.ref
  }
  for (const { ref, score } of likes) {
    const original = recall(book, ref)?.rewordingOf ?? ref
    if (score >= BAR && mayLink(ref) && mayLink(original)) return { ref: original, score }
  }
  return null
}

/** What a model wrote under its own id is known again; other fields for known words are no news. */
export function noteWritten(book: Book, draft: GateDraft, time: number): void {
  const { ref, kind, saying, actor, label, isRestated } = draft
  const isCompared = asserts(kind) && !isExternal(label) && !draft.person && draft.door !== 'hook'
  if (!isCompared || isRestated) return
  book.written.push({ actor, time, ref, text: textOf(kind, saying) })
}

const SHARED = ['cli', 'mcp', 'http'] // doors at which readers who name no session share one
