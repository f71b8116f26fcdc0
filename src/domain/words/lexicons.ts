import { once } from '../errors.ts'
import { foldText, isAscii, termsOf } from './terms.ts'

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

/**
 * Words that stand for each other in a rewording, a group per line. Only words of equal meaning
 * belong here: a word that may be a value (a colour, a place, a tool) would hide an update.
 */
const GROUPS = [
  'prefer like enjoy favor favour love fond keen preference liking',
  'want wish desire',
  'use utilize utilise employ',
  'need require requirement',
  'begin start commence',
  'finish complete conclude',
  'make create produce',
  'build construct',
  'buy purchase',
  'help assist aid',
  'show display',
  'choose select pick opt',
  'get receive obtain',
  'keep retain',
  'change alter modify',
  'fix repair mend',
  'delete remove',
  'send dispatch',
  'talk speak',
  'live reside dwell',
  'work job',
  'hate dislike detest',
  'happen occur',
  'allow permit let',
  'answer reply respond response',
  'think believe',
  'try attempt',
  'big large',
  'small little',
  'quick fast rapid swift',
  'quiet calm muted subdued',
  'simple easy',
  'difficult hard tough',
  'important crucial vital essential key',
  'main primary principal chief',
  'correct right accurate',
  'wrong incorrect',
  'glad happy pleased',
  'angry mad furious',
  'color colour',
  'photo photograph picture image',
  'film movie',
  'car automobile',
  'bicycle bike',
  'phone telephone',
  'email mail',
  'street road',
  'house home',
  'shop store',
  'town city',
  'error failure fault',
  'bug defect',
  'meeting appointment',
  'repository repo',
  'database db',
  'application app',
  'documentation docs',
  'configuration config',
  'environment env',
  'person individual',
  'people folk',
  'child kid',
  'doctor physician',
  'deadline due',
  'purpose goal aim objective',
  'reason cause',
  'way manner method approach',
  'problem issue trouble',
  'team crew',
  'boss manager',
  'company firm',
  'customer client',
] as const

/** Words of a frame around a statement, as "for the record": alone in a clause they say nothing. */
const FRAMES =
  'remember remembering recall note notes noting keep mind known know knows reminder remind mention mentions ' +
  'report reports reported according per fyi info information fact facts record recorded worth point regard ' +
  'regarding concerning terms thing things context aware learned learnt understand understood established ' +
  'earlier previously before observed summary short sum brief'

/** Words that add nothing to a statement, wherever they stand. */
const FILLERS =
  'said says saying told tells mentioned stated noted remembered recalled really actually basically simply ' +
  'indeed definitely certainly clearly obviously generally essentially overall please again also besides ' +
  'inside within along together plus well has have got does one anyone anybody someone somebody everyone ' +
  'everybody'

const leads = once(() => {
  const found = new Map<string, string>()
  for (const line of GROUPS) {
    const [lead = '', ...rest] = termsOf(line)
    const first = found.get(lead) ?? lead
    for (const term of [lead, ...rest]) if (!found.has(term)) found.set(term, first)
  }
  return found
})

/** The lead word of the term's group. */
export const synonymOf = (term: string): string => leads().get(term) ?? term

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const FRAME_WORDS = words(FRAMES)
const FILLER_WORDS = words(FILLERS)

/** Words that deny the word after them, as in "no review". */
const DENY_NEXT = words('no never none nobody nothing nowhere without zero neither hardly barely')
/** Words that deny their neighbours: "not needed", "the review is optional", "skip the review". */
const DENY_BESIDE = words(
  'not cannot nor optional unnecessary needless unneeded waive waives waived skip skips skipped omit omits ' +
    'omitted exempt lack lacks drop drops dropped fail fails failed refuse refuses refused reject rejects ' +
    'rejected exclude excludes excluded forbid forbids forbidden avoid avoids avoided stop stops stopped ' +
    'quit ended ends cease ceased',
)

type Denial = 'next' | 'beside'

/** The direction in which a word denies others; null for most words. */
export const denialOf = (word: string): Denial | null =>
  DENY_NEXT.has(word) ? 'next' : DENY_BESIDE.has(word) ? 'beside' : null

const NUMBERS: ReadonlyMap<string, string> = new Map([
  ...'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, index) => [word, String(index + 2)] as const),
  ...'thirty forty fifty sixty seventy eighty ninety hundred'
    .split(' ')
    .map((word, index) => [word, String(10 * (index + 3))] as const),
  ['thousand', '1000'],
  ['million', '1000000'],
  ['twice', '2'],
  ['double', '2'],
])

const FIXED = words(
  'some most many much few several half only sometimes usually mostly rarely seldom almost nearly less ' +
    'fewer least except unless until since former formerly previously longer anymore ' +
    'monday tuesday wednesday thursday friday saturday sunday january february march april june july august ' +
    'september october november december tomorrow yesterday tonight morning noon afternoon evening ' +
    'night midnight might maybe perhaps possibly probably likely unlikely seems seem appears apparently whether',
)

/** Digits, dates, quantities, doubts: no rewording adds, drops or changes them; null for others. */
export const fixedWordOf = (word: string): string | null =>
  NUMBERS.get(word) ?? (FIXED.has(word) || /\p{N}/u.test(word) ? word : null)

const LIMITS = words(
  'all every each both always often instead first second third fourth fifth next last previous ' +
    'before after could would should must will was were if when off',
)

/** A word free in a rebuilt sentence, and news where the rest of the sentence is kept. */
export const isLimit = (word: string): boolean => LIMITS.has(word)

export const isFrameWord = (word: string): boolean => FRAME_WORDS.has(word) || isFiller(word)

export const isFiller = (word: string): boolean => FILLER_WORDS.has(word)
