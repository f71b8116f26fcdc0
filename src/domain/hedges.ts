import { foldText, isAscii } from './fold-text.ts'
import { once } from './once.ts'

/** How far a text commits itself: says so, thinks so, or leaves it open. */
export type Hedging = 0 | 1 | 2

/** Words that leave it open, … */
const OPEN = [
  'maybe',
  'perhaps',
  'possibly',
  'might',
  'conceivably',
  'potentially',
  'unsure',
  'uncertain',
  'unclear',
  'undecided',
  'unconfirmed',
  'unverified',
  'tentative',
  'tentatively',
  'rumou?red',
  'rumou?rs?',
  'speculation',
  'whether',
  "(?:not|n't|never) (?:entirely |quite |so |very |too |really )?(?:sure|certain|clear|confirmed|known)",
  "(?:do|does|did) ?(?:not|n't) know",
  "(?:can ?not|can ?n?t|could ?n[o']?t) (?:rule out|say|tell|be sure|be certain)",
  '(?:could|may) (?:also |well |still |even |not )?(?:be|have|mean)',
  '(?:it|there|that|this|which|who|he|she|they|we|you|i|one) (?:also |well )?may(?: not)?',
] as const

/** … and words that think so, heard so, or find it likely. */
const THOUGHT = [
  'probably',
  'likely',
  'unlikely',
  'presumably',
  'apparently',
  'seemingly',
  'supposedly',
  'allegedly',
  'reportedly',
  'ostensibly',
  'arguably',
  'seems?',
  'seemed',
  'appears? to',
  'appeared to',
  'suggests?',
  'suggested that',
  'suspects?',
  'suspected',
  'assum(?:e|es|ed|ing)',
  'guess(?:es|ed)?',
  'doubts?',
  'doubted',
  'tends? to',
  'in (?:my|his|her|their|our) opinion',
  '(?:i|we|he|she|they) (?:would )?(?:think|thinks|thought|believe|believes|believed|imagine|figure|reckon|gather)',
  '(?:is|are|was|were) said to',
  'as far as (?:i|we) know',
  'if i remember',
] as const

/** Said with these, the same words commit themselves. */
const FIRM = [
  '(?:no|without(?: a| any)?|beyond(?: a| any)?(?: reasonable)?) doubts?',
  'never doubted',
  "(?:do|does|did) ?(?:not|n't) (?:seem|appear to be) in doubt",
  'with all (?:my|his|her|our|their) might',
  'the might of',
] as const

/** All of it, as the policy names it. */
export const HEDGE_LEXICON: readonly string[] = [...OPEN, '', ...THOUGHT, '', ...FIRM]

interface Pattern {
  readonly ascii: () => RegExp
  readonly unicode: () => RegExp
}

/** Whole words. What a letter is elsewhere takes long to prepare, and plain text has none of it. */
function wordsOf(words: readonly string[], flags: '' | 'g' = ''): Pattern {
  const between = (sign: string): string => `(?<!${sign})(?:${words.join('|')})(?!${sign})`
  return {
    ascii: once(() => new RegExp(between('[a-z0-9]'), flags)),
    unicode: once(() => new RegExp(between('[\\p{L}\\p{N}]'), `${flags}u`)),
  }
}

const open = wordsOf(OPEN)
const thought = wordsOf(THOUGHT)
const firm = wordsOf(FIRM, 'g')
const ASKS = /\?\s*$/u
const TEXT_CHARS_MAX = 4_000 // of a statement; what is longer is an account, read by its beginning

/** The weakest that a text says of anything in it. Pure, and the same everywhere. */
export function hedgingOf(text: string): Hedging {
  const plain = foldText(text.slice(0, TEXT_CHARS_MAX)).replace(/\s+/gu, ' ')
  const letters = isAscii(plain) ? 'ascii' : 'unicode'
  const folded = plain.replace(firm[letters](), ' ')
  if (open[letters]().test(folded) || ASKS.test(folded)) return 2
  return thought[letters]().test(folded) ? 1 : 0
}
