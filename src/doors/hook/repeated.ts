import { phrasesOf, sharesOne, textsIn, unescaped } from './phrases.ts'

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
