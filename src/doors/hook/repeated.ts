import { phrasesOf, sharesOne, textsIn, unescaped } from './phrases.ts'

const LETTERS_MIN = 8 // shorter ones stand in anything; they must be whole words
const SHARE_MAX = 0.5 // of a result, in lines that its tool was given
const PIECE_WORDS_MIN = 3 // fewer words stand in a result by chance

const NOT_WORDS = /[^\p{L}\p{N}]+/gu

interface Given {
  /** Without anything between the letters: quotes and breaks may fall anywhere. */
  readonly letters: string
  readonly words: string
}

const givenOf = (text: string): Given => ({
  letters: unescaped(text).replace(NOT_WORDS, ''),
  words: ` ${unescaped(text).replace(NOT_WORDS, ' ')} `,
})

/**
 * A result that contains what its tool was given, or is contained in it, holds the model's words:
 * `echo`, a here-document, a commit message. Encoded words and words that a program builds are not seen.
 */
export function isRepeated(result: string, toolInput: unknown): boolean {
  const texts = textsIn(toolInput)
  const given = givenOf(texts.join('\n'))
  return (
    repeatsLines(result, given) || holdsPhrase(result, texts) || holdsPiece(givenOf(result), texts)
  )
}

function repeatsLines(result: string, given: Given): boolean {
  let all = 0
  let repeated = 0
  for (const line of result.split('\n')) {
    const { letters, words } = givenOf(line)
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

/** A quoted string of a command, or a whole value, however much the result says around the piece. */
function holdsPiece(result: Given, texts: readonly string[]): boolean {
  const pieces = texts.flatMap((text) => [text, ...quotedIn(text)])
  return pieces.some((piece) => {
    const { words } = givenOf(piece)
    return words.trim().split(' ').length >= PIECE_WORDS_MIN && result.words.includes(words)
  })
}

const quotedIn = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, double, single]) => double ?? single ?? '')
