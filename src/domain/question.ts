import { foldText } from './fold-text.ts'
import type { Reading } from './moods.ts'

const QUESTION =
  /^(?:(?:and|but|so|ok|well|or|no|hey) )*(?:(?:what|which|who|whom|whose|where|why|how)\b|(?:does|did|is|are|was|were|will|can|could|would|should|shall|might)\b|(?:do|does|did|is|are|was|were|am|can|could|would|should|shall|will|have|has|had|may|might)(?:n't)? (?:i|you|we|he|she|they|it|the|a|an|my|our|your|this|that|these|those|there|any|someone|\p{L}+ (?:or|\p{L}+(?:ed|ing))))\b/u
const ASKS = /[?？]["'”’)\]]*\s*$/u
const TAG_WORDS_MAX = 3 // "right?", "don't I?", "is it not?"

/** "I live in Berlin, can you find a gym?" asks for something else. */
const REQUEST = /^(?:(?:and|but|so) )*(?:can|could|would|will) you\b/u

/** The clauses of a sentence that ask nothing; null where every clause asks. */
export function assertedPart(sentence: string, reading: Reading): string | null {
  const clauses = sentence.split(/(?<=[,;:])\s+|\s+[–—-]\s+/u)
  const isAsked = ASKS.test(sentence)
  const last = clauses.at(-1) ?? ''
  const isTag = last.split(/\s+/u).length <= TAG_WORDS_MAX
  const isRequest = clauses.length > 1 && REQUEST.test(foldText(last))
  if (isAsked && !isRequest && (reading === 'careful' || isTag)) return null
  const asserted = clauses.filter(
    (clause, at) => !(isAsked && at === clauses.length - 1) && !QUESTION.test(foldText(clause)),
  )
  // "Should the job come through, I live in Oslo" asks nothing and sets a condition.
  if (!isAsked && asserted.length < clauses.length) return null
  const askedCount = clauses.length - asserted.length
  if (reading === 'careful' && askedCount > (isRequest ? 1 : 0)) return null
  return asserted.length === 0 ? null : asserted.join(' ')
}
