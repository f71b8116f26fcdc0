import { once } from '../once.ts'
import { foldText, isAscii } from './terms.ts'

/** Degree of hedging: 0 asserts, 1 only thinks, 2 leaves the matter open. */
export type Hedging = 0 | 1 | 2

/** Words that leave the matter open. */
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

/** Words for a thought, hearsay or likelihood. */
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

/** Phrases that hold a word of the lists above and yet commit. */
const FIRM = [
  '(?:no|without(?: a| any)?|beyond(?: a| any)?(?: reasonable)?) doubts?',
  'never doubted',
  "(?:do|does|did) ?(?:not|n't) (?:seem|appear to be) in doubt",
  'with all (?:my|his|her|our|their) might',
  'the might of',
] as const

/** The whole lexicon, as the policy names it. */
export const HEDGE_LEXICON: readonly string[] = [...OPEN, '', ...THOUGHT, '', ...FIRM]

interface Pattern {
  readonly ascii: () => RegExp
  readonly unicode: () => RegExp
}

/** Matches whole words. Unicode classes are slow to compile, and ASCII text needs none. */
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
const TEXT_CHARS_MAX = 4_000 // of a statement; only the beginning of a longer text is read

/** The strongest hedge in a text. Pure, and equal on every platform. */
export function hedgingOf(text: string): Hedging {
  const plain = foldText(text.slice(0, TEXT_CHARS_MAX)).replace(/\s+/gu, ' ')
  const letters = isAscii(plain) ? 'ascii' : 'unicode'
  const folded = plain.replace(firm[letters](), ' ')
  if (open[letters]().test(folded) || ASKS.test(folded)) return 2
  return thought[letters]().test(folded) ? 1 : 0
}

/** Last words of unfinished sentences. */
export const LINT_FRAGMENTS: readonly string[] = [
  'a',
  'an',
  'and',
  'as',
  'at',
  'because',
  'but',
  'by',
  'for',
  'from',
  'if',
  'in',
  'into',
  'of',
  'on',
  'or',
  'that',
  'the',
  'then',
  'to',
  'when',
  'which',
  'with',
]

/** Whole statements that are only placeholders. */
export const LINT_PLACEHOLDERS: readonly string[] = [
  'fixme',
  'n/a',
  'none',
  'null',
  'placeholder',
  'tbd',
  'todo',
  'undefined',
  'xxx',
]

/** Field names that leak into a statement when a template is pasted whole. */
export const LINT_PREFIXES: readonly string[] = [
  'belief',
  'description',
  'episode',
  'goal',
  'name',
  'note',
  'objective',
  'outcome',
  'statement',
  'title',
  'value',
]

const DENIES =
  /(?<![\p{L}\p{N}])(?:not|no|never|none|nor|neither|nobody|nothing|without|cannot)(?![\p{L}\p{N}])|n['’]t(?![\p{L}\p{N}])/iu

/** True if any word of a text denies. */
export const denies = (text: string): boolean => DENIES.test(text)
