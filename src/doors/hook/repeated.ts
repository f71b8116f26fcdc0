import { isMembers } from './event.ts'

const LOOKED_AT_MAX = 200_000 // characters of either side
const LETTERS_MIN = 8 // shorter ones stand in anything; they must be whole words
const SHARE_MAX = 0.5 // of a result, in lines that its tool was given

/** `printf 'a\\nb'` prints two lines. */
const unescaped = (text: string): string =>
  text
    .slice(0, LOOKED_AT_MAX)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\\[nrt]/g, ' ')

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

/** Every text in what a tool was given, at any depth. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value]
  if (depth > 8) return []
  const items = Array.isArray(value) ? value : isMembers(value) ? Object.values(value) : []
  return items.flatMap((item) => textsIn(item, depth + 1))
}

/**
 * Whether a tool only said what it was told to say (`echo`, `printf`, a here-document): those are
 * the model's words, and nothing was met with. One that prints more than as much again is not seen.
 */
export function isRepeated(result: string, toolInput: unknown): boolean {
  const given = givenOf(textsIn(toolInput).join('\n'))
  let all = 0
  let told = 0
  for (const line of result.slice(0, LOOKED_AT_MAX).split('\n')) {
    const { letters, words } = givenOf(line)
    if (letters === '') continue
    all += letters.length
    const isTold =
      letters.length < LETTERS_MIN ? given.words.includes(words) : given.letters.includes(letters)
    if (isTold) told += letters.length
  }
  return all > 0 && told >= all * SHARE_MAX
}
