import { foldText } from './fold-text.ts'
import { FUNCTION_WORDS } from './function-words.ts'
import type { Reading } from './moods.ts'
import { isLightWord } from './sentence-words.ts'

/** Capitalised words in a row, as in "New York" and "Berg-Holm". */
const NAME_RUN = /\p{Lu}[\p{L}\p{M}'’]*(?:[ -]\p{Lu}[\p{L}\p{M}'’]*)+/gu

/** The sentence names a longer name than the memory: "New York" does not state "York". */
export function hasLongerName(sentence: string, memory: string, reading: Reading): boolean {
  const remembered = new Set(wordsIn(memory))
  for (const run of sentence.matchAll(NAME_RUN)) {
    // A sentence begins with a capital, whatever its first word is.
    const isFirst = run.index === 0 && reading === 'plain'
    const parts = wordsIn(run[0])
      .slice(isFirst ? 1 : 0)
      .filter((word) => !FUNCTION_WORDS.has(word) && !isLightWord(word))
    const known = parts.filter((part) => remembered.has(part))
    if (known.length > 0 && known.length < parts.length) return true
  }
  return false
}

const wordsIn = (text: string): readonly string[] =>
  foldText(text)
    .replace(/'s\b/gu, '')
    .match(/[\p{L}\p{M}]+/gu) ?? []
