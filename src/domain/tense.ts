import { foldText } from './fold-text.ts'
import { termOf } from './terms.ts'

/** Past forms of verbs that say little else; "was born" holds for good. */
const PAST = /(?<!\p{L})(?:was|were|wasn't|weren't|(?<!(?:have|has|'ve|'s) )had)(?! born)(?!\p{L})/u
/** "managed with" and "written in" name a relation and no time. */
const PARTICIPLE = /(?<!\p{L})\p{L}{2,}ed(?= (?:with|by|in|on|to|for|at|as|from)(?!\p{L}))/gu
const ANY_PAST = /(?<!\p{L})(?:was|were|had|did|born|\p{L}{2,}ed)(?!\p{L})/u
/** Before a form in "-ed" these make no past: "is closed", "has moved", "my preferred editor". */
const KEEPS_PRESENT =
  /^(?:am|is|are|be|been|being|m|re|s|ve|have|has|get|gets|got|a|an|the|my|our|your|his|her|their|as|to|not|no|very|so)$/u

/** The sentence says in the past and the memory in the present: "I worked at Siemens". */
export function isPastOf(said: string, memory: string): boolean {
  const folded = foldText(said)
  const remembered = foldText(memory).replace(/_/gu, ' ')
  const isNowRemembered = !ANY_PAST.test(remembered.replace(PARTICIPLE, ' '))
  if (PAST.test(folded) && isNowRemembered) return true
  const forms = new Map(wordsIn(remembered).map((word) => [termOf(word), word]))
  const words = wordsIn(folded)
  return words.some((word, at) => {
    const form = forms.get(termOf(word))
    const isEd = /^\p{L}{2,}ed$/u.test(word)
    // "I need" ends in "ed" and is no past: "needs" begins with it.
    if (!isEd || form === undefined || form.endsWith('ed') || form.startsWith(word)) return false
    return !KEEPS_PRESENT.test(words[at - 1] ?? 'the')
  })
}

const wordsIn = (folded: string): readonly string[] => folded.match(/[\p{L}\p{M}]+/gu) ?? []
