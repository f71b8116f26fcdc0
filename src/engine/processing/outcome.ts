import { foldText } from '../../domain/words/terms.ts'

export type OutcomeType = 'success' | 'failure' | 'partial'

const WORD = "(?<![\\p{L}\\p{N}'])"
const END = '(?![\\p{L}\\p{N}])'
const anyOf = (words: string): RegExp =>
  new RegExp(
    `${WORD}(?:${words
      .trim()
      .split(/\s*\n\s*/)
      .join('|')})${END}`,
    'u',
  )

/** Whole words: "unsuccessful" is no success, and "the download completed" is one. */
const SUCCEEDED = anyOf(`
  success(?:ful|fully|es)?
  succeed(?:s|ed)
  done
  complet(?:ed|es)
  finish(?:ed|es)
  accomplish(?:ed|es)
  fixed
  solved
  resolved
  shipped
  released
  deployed
  merged
  works?
  worked
  pass(?:ed|es)
`)
const FAILED = anyOf(`
  unsuccessful(?:ly)?
  fail(?:s|ed|ure|ures|ing)?
  errors?
  errored
  broke(?:n)?
  crash(?:ed|es)
  unable to
  (?:could|can|did|does|do|was|were|is|are|would|will)(?: ?not|n't)
  never
  impossible
  timed out
  rolled back
  missed
  lost
`)
const PARTLY = anyOf(`
  partly
  partial(?:ly)?
  half(?:way)?
  mostly
  almost
  nearly
  in part
  some of
`)
/** A failure word in a phrase of success. */
const HARMLESS =
  /(?:without|no|zero)(?: any| a single| further)? (?:errors?|failures?|crash(?:es)?)/gu

/** The outcome that a text states; null where the text states none. */
export function outcomeOf(text: string): OutcomeType | null {
  const folded = foldText(text)
  const plain = folded.replace(HARMLESS, ' success ')
  const [good, bad, part] = [SUCCEEDED, FAILED, PARTLY].map((words) => words.test(plain))
  if (part || (good && bad && !isDenied(plain))) return 'partial'
  if (bad) return 'failure'
  return good ? 'success' : null
}

/** "Was not completed" names a success and denies it. */
const isDenied = (plain: string): boolean =>
  /(?:not|n't|never|unable to|fail(?:ed|s)? to)(?: \p{L}+){0,2} (?:success\p{L}*|succeed\p{L}*|done|complet\p{L}+|finish\p{L}*|accomplish\p{L}*|fix\p{L}*|solv\p{L}+|resolv\p{L}+|ship\p{L}*|releas\p{L}+|deploy\p{L}*|merg\p{L}+|work\p{L}*|pass\p{L}*)/u.test(
    plain,
  )
