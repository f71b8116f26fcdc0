import { hash } from 'node:crypto'
import { isMembers } from './event.ts'

const LETTERS_MIN = 8 // shorter texts occur anywhere, so only whole words count

const SHARE_MAX = 0.5 // of a result's lines, also given to its tool

const PIECE_WORDS_MIN = 3 // fewer words occur in a result by chance

const NOT_WORDS = /[^\p{L}\p{N}]+/gu

interface NormalizedText {
  /** Letters without anything between: quotes and breaks may fall anywhere. */
  readonly letters: string
  readonly words: string
}

const normalized = (text: string): NormalizedText => ({
  letters: unescaped(text).replace(NOT_WORDS, ''),
  words: ` ${unescaped(text).replace(NOT_WORDS, ' ')} `,
})

/**
 * A result contains its tool's input, or lies inside the input, so the words are the model's:
 * `echo`, a here-document, a commit message. Encoded words and words built by a program are not
 * seen.
 */
export function isRepeated(result: string, toolInput: unknown): boolean {
  const texts = textsIn(toolInput)
  const given = normalized(texts.join('\n'))
  return (
    repeatsLines(result, given) ||
    holdsPhrase(result, texts) ||
    holdsPiece(normalized(result), texts)
  )
}

function repeatsLines(result: string, given: NormalizedText): boolean {
  let all = 0
  let repeated = 0
  for (const line of result.split('\n')) {
    const { letters, words } = normalized(line)
    if (letters === '') continue
    all += letters.length
    const isGiven =
      letters.length < LETTERS_MIN ? given.words.includes(words) : given.letters.includes(letters)
    if (isGiven) repeated += letters.length
  }
  return all > 0 && repeated >= all * SHARE_MAX
}

function holdsPhrase(result: string, texts: readonly string[]): boolean {
  const found = phrasesOf(result)
  return texts.some((text) => sharesOne(phrasesOf(text), found))
}

/** The result repeats a quoted string or a whole value of the input, among any other words. */
function holdsPiece(result: NormalizedText, texts: readonly string[]): boolean {
  const pieces = texts.flatMap((text) => [text, ...quotedIn(text)])
  return pieces.some((piece) => {
    const { words } = normalized(piece)
    return words.trim().split(' ').length >= PIECE_WORDS_MIN && result.words.includes(words)
  })
}

const quotedIn = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, double, single]) => double ?? single ?? '')

const LOOKED_AT_MAX = 200_000 // characters of each text

const PHRASE_WORDS = 6

const HASH_CHARS = 12

const DEPTH_MAX = 8

/** Text from the file before the call; the model repeats the text only to find the place. */
const FOUND_BEFORE: ReadonlySet<string> = new Set(['old_string', 'oldString'])

/** Every text in a tool's input, at any depth. */
export function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value]
  if (depth > DEPTH_MAX) return []
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, depth + 1))
  if (!isMembers(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    FOUND_BEFORE.has(name) ? [] : textsIn(item, depth + 1),
  )
}

/** `printf 'a\\nb'` prints two lines. */
const unescaped = (text: string): string =>
  text
    .slice(0, LOOKED_AT_MAX)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\\[nrt]/g, ' ')

/** Hashed runs of six words: enough to recognise words, without keeping a copy. */
export function phrasesOf(text: string): ReadonlySet<string> {
  const words = unescaped(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const phrases = new Set<string>()
  for (let at = 0; at + PHRASE_WORDS <= words.length; at += 1) {
    const phrase = words.slice(at, at + PHRASE_WORDS).join(' ')
    phrases.add(hash('sha256', phrase).slice(0, HASH_CHARS))
  }
  return phrases
}

export function sharesOne(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of some) if (others.has(each)) return true
  return false
}
