import type { Ref } from '../../../src/domain/ids.ts'
import {
  denialOf,
  fixedWordOf,
  isFiller,
  isFrameWord,
  isLimit,
  synonymOf,
} from '../../../src/domain/words/lexicons.ts'
import { FUNCTION_WORDS, termOf } from '../../../src/domain/words/terms.ts'
import { RECEIPT_LIMITS } from '../../../src/ports/receipts.ts'
import { textOf } from '../sayings.ts'
import { type GateDraft, POLICY_NUMBERS } from '../steps.ts'
import { recall } from './lineage.ts'
import { asserts, isExternal } from './tables.ts'
import { type Book, lineOf, meaning } from './words.ts'

const DAY_MS = 86_400_000
const BAR = 1_442
const FLOOD_BAR = 1_221 // while the actor floods
const LIKES_MAX = 8

interface Word {
  readonly as: 'telling' | 'name' | 'fixed' | 'limit' | 'deny next' | 'deny beside'
  readonly text: string
}

interface Said {
  readonly lead: readonly Word[]
  readonly words: readonly Word[]
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

/** A text as docs/firewall.md reads it, and the words before its first colon or comma apart. */
function read(text: string): Said {
  const whole = unframed(text)
  const isShouted = isMostlyCapitals(tokensOf(whole))
  const lead =
    /^[^.:!?\n]{1,60}:\s+(?=\S)/.exec(whole)?.[0] ??
    /^[^.:!?\n,]{1,40},\s+(?=\S)/.exec(whole)?.[0] ??
    ''
  const first = wordsOf(lead, isShouted)
  const rest = wordsOf(whole.slice(lead.length), isShouted)
  return first.every(isTelling)
    ? { lead: first, words: rest }
    : { lead: [], words: [...first, ...rest] }
}

const isCapital = (token: string): boolean => /^\p{Lu}/u.test(token)

const isMostlyCapitals = (tokens: readonly string[]): boolean =>
  tokens.filter(isCapital).length * 2 > tokens.length

function wordsOf(text: string, isShouted: boolean): readonly Word[] {
  return text.split(/[.:!?\n]+/).flatMap((sentence) =>
    tokensOf(sentence).flatMap((token, at): readonly Word[] => {
      const word = folded(token)
      const fixed = fixedWordOf(word)
      const denial = denialOf(word)
      if (denial) return [{ as: `deny ${denial}`, text: '' }]
      if (fixed !== null) return [{ as: 'fixed', text: fixed }]
      if (isLimit(word)) return [{ as: 'limit', text: word }]
      if (FUNCTION_WORDS.has(word) || isFiller(word)) return []
      const isUndone = /^un[a-z]{4,}ed$/.test(word)
      const text = synonymOf(termOf(isUndone ? word.slice(2) : word))
      const as = at > 0 && isCapital(token) && !isShouted ? 'name' : 'telling'
      return [...(isUndone ? ([{ as: 'deny next', text: '' }] as const) : []), { as, text }]
    }),
  )
}

const isTelling = ({ as }: Word): boolean => as === 'telling' || as === 'name'

const distinct = (words: readonly Word[]): readonly string[] => [
  ...new Set(words.map(({ text }) => text)),
]

/** Pairs of places at which both say one word, as many as can be had in order. */
function inOrder(
  mine: readonly Word[],
  other: readonly Word[],
): readonly (readonly [number, number])[] {
  const best: (readonly (readonly [number, number])[])[][] = []
  for (let i = mine.length; i >= 0; i -= 1) {
    best[i] = []
    for (let j = other.length; j >= 0; j -= 1) {
      const [skipMine, skipOther] = [best[i + 1]?.[j] ?? [], best[i]?.[j + 1] ?? []]
      const isSame = mine[i] !== undefined && mine[i]?.text === other[j]?.text
      const row = best[i] ?? []
      row[j] = isSame
        ? [[i, j], ...(best[i + 1]?.[j + 1] ?? [])]
        : skipMine.length >= skipOther.length
          ? skipMine
          : skipOther
    }
  }
  return best[0]?.[0] ?? []
}

/** The build of the sentence is kept, and a word is exchanged, a limit changed or something added. */
function isEdited(ours: Said, theirs: Said): boolean {
  const isFramed = ours.lead.length > 0 !== theirs.lead.length > 0
  const seen = ({ lead, words }: Said): readonly Word[] =>
    [...(isFramed ? [] : lead), ...words].filter(({ as }) => !as.startsWith('deny'))
  const [mine, other] = [seen(ours), seen(theirs)]
  const pairs = inOrder(mine, other)
  const tellingOf = ({ lead, words }: Said) => distinct([...lead, ...words].filter(isTelling))
  const [own, known] = [tellingOf(ours), tellingOf(theirs)]
  if (pairs.length * 5 <= Math.min(own.length, known.length) * 3) return false
  const ends = [...pairs, [mine.length, other.length] as const]
  return ends.some(([i, j], at) => {
    const [a, b] = at === 0 ? [-1, -1] : (pairs[at - 1] ?? [-1, -1])
    const [left, right] = [mine.slice(a + 1, i), other.slice(b + 1, j)]
    const isExchanged = left.length > 0 && right.length > 0
    const isLimited = [...left, ...right].some(({ as }) => as === 'limit')
    return isExchanged || isLimited || left.some(({ text }) => !known.includes(text))
  })
}

/** How often a text denies a word of the other text. */
function denials(words: readonly Word[], known: readonly string[]): number {
  return words.filter(({ as }, at) => {
    if (!as.startsWith('deny')) return false
    const after = words.slice(at + 1).filter(isTelling)
    const before = words.slice(0, at).filter(isTelling)
    const near =
      as === 'deny next' ? after.slice(0, 1) : [...before.slice(-2), ...after.slice(0, 2)]
    return near.some(({ text }) => known.includes(text))
  }).length
}

/** The share of words of either text that both say; null where one of them says something else. */
export function likeness(said: string, source: string): number | null {
  const [ours, theirs] = [read(said), read(source)]
  const [mine, other] = [ours, theirs].map(({ lead, words }) => [...lead, ...words]) as [
    Word[],
    Word[],
  ] // two texts
  const [own, known] = [mine, other].map((words) => distinct(words.filter(isTelling))) as [
    string[],
    string[],
  ] // two texts
  if (own.length === 0 || known.length === 0) return null
  const fixedOf = (words: readonly Word[]) =>
    distinct(words.filter(({ as }) => as === 'fixed'))
      .toSorted()
      .join(' ')
  if (fixedOf(mine) !== fixedOf(other)) return null
  const shared = own.filter((word) => known.includes(word)).length
  const all = new Set([...own, ...known]).size
  if ((shared < 2 && all > 1) || shared < all * 0.22) return null
  const names = [...mine, ...other].filter(({ as }) => as === 'name').map(({ text }) => text)
  if (names.some((name) => !own.includes(name) || !known.includes(name))) return null
  const order = (words: readonly string[]) => words.filter((word) => names.includes(word)).join(' ')
  if (order(own) !== order(known)) return null
  if (denials(mine, known) % 2 !== denials(other, own) % 2) return null
  return isEdited(ours, theirs) ? null : 1_000 + Math.floor((shared * 1_000) / all)
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
  // Claims of one line share subject and predicate: their values are compared.
  const line = kind === 'claim' ? `User ${saying.claim.predicate} ` : ''
  for (const { ref, text } of [...written, ...served]) {
    if (!text.startsWith(line)) continue
    const score = likeness(textOf(kind, saying).slice(line.length), text.slice(line.length))
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
  const links = likes.flatMap(({ ref, score }) => {
    const original = recall(book, recall(book, ref)?.rewordingOf ?? ref)
    if (!original || !mayLink(ref) || !mayLink(original.ref)) return []
    const bar = isFlooded(book, { draft, says: original.says, now }) ? FLOOD_BAR : BAR
    return score < bar ? [] : [{ ref: original.ref, score }]
  })
  // The oldest original: memories are kept in the order of their birth.
  const ageOf = ({ ref }: Link) => book.memories.findIndex((memory) => memory.ref === ref)
  return links.toSorted((a, b) => ageOf(a) - ageOf(b) || b.score - a.score)[0] ?? null
}

interface Flood {
  readonly draft: GateDraft
  readonly says: string
  readonly now: number
}

/** Whether one rewording more of the same actor would make half a burst. */
function isFlooded(book: Book, { draft, says, now }: Flood): boolean {
  if (draft.revises || draft.label === 'RecallReEntry') return false
  const { quarantineBurstThreshold, burstWindowMs } = POLICY_NUMBERS[book.policy]
  const half = Math.max(1, Math.floor(quarantineBurstThreshold / 2))
  const count = book.bursts.find((each) => each.actor === draft.actor && each.says === says)
  const times = [...(count?.times ?? []), now].slice(-(half + 1))
  return times.length > half && now - (times[0] ?? now) <= burstWindowMs
}

/** What a model wrote under its own id is known again; other fields for known words are no news. */
export function noteWritten(book: Book, draft: GateDraft, time: number): void {
  const { ref, kind, saying, actor, label, isRestated } = draft
  const isCompared = asserts(kind) && !isExternal(label) && !draft.person && draft.door !== 'hook'
  if (!isCompared || isRestated) return
  book.written.push({ actor, time, ref, text: textOf(kind, saying) })
}

const SHARED = ['cli', 'mcp', 'http'] // doors at which readers who name no session share one
