import { hash } from 'node:crypto'
import { isMembers } from './event.ts'
import { keptText } from './words.ts'

const SHARE_MAX = 0.5 // of a result's lines, also given to its tool

const PIECE_WORDS_MIN = 3 // fewer words occur in a result by chance

const LETTERS_IN_RUN = 8 // shorter texts occur anywhere, so only whole words count

/**
 * A result contains its tool's input, or lies inside the input, so the words are the model's:
 * `echo`, a here-document, a commit message. Encoded words and words built by a program are not
 * seen. An input too long to compare may hold anything.
 */
export function isRepeated(result: string, toolInput: unknown): boolean {
  const texts = textsIn(toolInput)
  const input = texts.join('\n')
  if (input.length > LOOKED_AT_MAX) return true
  return (
    repeatsLines(result, input) ||
    sharesOne(phrasesOf(input), phrasesOf(result)) ||
    holdsPiece(result, texts)
  )
}

/**
 * Compares lines by their runs, so that long texts cost no more than their length. Letters are
 * compared without anything between, because quotes and breaks may fall anywhere.
 */
function repeatsLines(result: string, input: string): boolean {
  const given = wordsOf(input)
  const letters = new Set(lettersIn(given.join('')))
  const words = new Set([...given, ...wordRuns(given, 2)])
  let all = 0
  let repeated = 0
  for (const line of unescaped(result).split('\n')) {
    const own = wordsOf(line)
    const { length } = own.join('')
    all += length
    const isGiven =
      length < LETTERS_IN_RUN
        ? areIn(own.length === 1 ? own : wordRuns(own, 2), words)
        : areIn(lettersIn(own.join('')), letters)
    if (isGiven) repeated += length
  }
  return all > 0 && repeated >= all * SHARE_MAX
}

/** The result repeats a quoted string or a whole value of the input, among any other words. */
function holdsPiece(result: string, texts: readonly string[]): boolean {
  const found = new Set(wordRuns(wordsOf(result), PIECE_WORDS_MIN))
  const pieces = texts.flatMap((text) => [text, ...quotedIn(text)])
  return pieces.some((piece) => {
    const runs = wordRuns(wordsOf(piece), PIECE_WORDS_MIN)
    return runs.length > 0 && areIn(runs, found)
  })
}

const wordsOf = (text: string): readonly string[] => unescaped(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Every run of so many words; none where the words are fewer. */
const wordRuns = (words: readonly string[], count: number): readonly string[] =>
  words.slice(count - 1).map((_, at) => words.slice(at, at + count).join(' '))

const lettersIn = (letters: string): readonly string[] =>
  Array.from({ length: Math.max(0, letters.length - LETTERS_IN_RUN + 1) }, (_, at) =>
    letters.slice(at, at + LETTERS_IN_RUN),
  )

const areIn = (runs: readonly string[], known: ReadonlySet<string>): boolean =>
  runs.every((run) => known.has(run))

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

/** `printf 'a\\nb'` prints two lines. Of a very long text both ends are read, as captures keep them. */
const unescaped = (text: string): string =>
  keptText(text, LOOKED_AT_MAX, (kept) => kept)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\\[nrt]/g, ' ')

/** Hashed runs of six words: enough to recognise words, without keeping a copy. */
export const phrasesOf = (text: string): ReadonlySet<string> =>
  new Set(
    wordRuns(wordsOf(text), PHRASE_WORDS).map((run) => hash('sha256', run).slice(0, HASH_CHARS)),
  )

export function sharesOne(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of some) if (others.has(each)) return true
  return false
}
