import { hedgingOf } from '../domain/words/lexicons.ts'
import { openContractions, sameWord } from '../domain/words/sentence-words.ts'
import { FUNCTION_WORDS, foldText, termsOf } from '../domain/words/terms.ts'
import { type Quantity, quantityAt } from './contradiction.ts'
import { isRunLog } from './run-log.ts'

/** A statement prepared for comparison. */
export interface Statement {
  /** Every word and number in order, folded, contractions opened. */
  readonly words: readonly string[]
  /** Stems of the subject matter, without function words, quantities and words of negation. */
  readonly terms: ReadonlySet<string>
  /** True when a clause is denied; two denials in one clause cancel out. */
  readonly negated: boolean
  /** The first word of negation, or null. */
  readonly negator: string | null
  /** The term after the negator, the main target of the denial. */
  readonly focus: string | null
  /** Capitalised words: names, which no other word can replace. */
  readonly names: ReadonlySet<string>
  readonly quantities: readonly Quantity[]
  /** True with "at least", "about" or "more than": the numbers leave room for other values. */
  readonly vague: boolean
  /** True with "might" or "maybe". */
  readonly hedged: boolean
  /** True for a statement about a former state. */
  readonly former: boolean
  /**
   * True for a beginning like "a dog", "two dogs" or "some dogs": another statement may speak of
   * other dogs.
   */
  readonly indefinite: boolean
  /** True for a note about one run: the next run has other numbers. */
  readonly runLog: boolean
}

const WORD = /\d+(?:[.,:/-]\d+)*|[\p{L}\p{M}]+|[%$€£;,]/gu
const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}]*/gu
const NEGATORS = words(
  'not never no without nobody none neither nor nothing nowhere hardly scarcely barely',
)
const CLAUSE_ENDS = words('and but while whereas or ; ,')
const INDEFINITE = words('a an some several many few people')
/** Words common to all statements: these words neither link statements nor separate them. */
const LIGHT = words(
  'one someone somebody anyone anybody everyone something anything thing ever really ' +
    ' currently now still already longer any',
)
const VAGUE =
  /\b(?:at least|at most|more than|less than|fewer than|over|under|about|around|approximately|roughly|nearly|almost|up to|between|some)\b/u
const FORMER = /\b(?:used to|formerly|previously|once|in the past|originally|before that)\b/u

export function readStatement(text: string): Statement {
  const opened = openContractions(foldText(text))
  const list = opened.match(WORD) ?? []
  const { terms, quantities } = content(list)
  const first = list.findIndex((word) => NEGATORS.has(word))
  return {
    words: list,
    terms,
    negated: isDenied(list),
    negator: list[first] ?? null,
    focus: first < 0 ? null : focusAfter(list, first),
    names: namesIn(text, terms),
    quantities,
    vague: VAGUE.test(opened),
    hedged: hedgingOf(text) > 0,
    former: FORMER.test(opened),
    runLog: isRunLog(text),
    indefinite:
      INDEFINITE.has(list[0] ?? '') || quantityAt(list, 0)?.quantity.dimension === 'count',
  }
}

function isDenied(list: readonly string[]): boolean {
  let odd = false
  for (const word of list) {
    if (NEGATORS.has(word)) odd = !odd
    else if (odd && CLAUSE_ENDS.has(word)) return true
  }
  return odd
}

function focusAfter(list: readonly string[], at: number): string | null {
  const [focus] = content(list.slice(at + 1)).terms
  return focus ?? null
}

function namesIn(text: string, terms: ReadonlySet<string>): ReadonlySet<string> {
  const capitalised = (text.match(CAPITALISED) ?? []).flatMap(termsOf).map(sameWord)
  const numbered = [...terms].filter((term) => term.startsWith(NUMBERED))
  return new Set([...capitalised.filter((term) => terms.has(term)), ...numbered])
}

const NUMBERED = '#' // no term begins with this character
const SUBJECT_WORDS_MAX = 4
/** Irregular past forms, which do not end in “ed”. */
const PAST_FORMS = words(
  'ran took went came left got won lost broke made sent began fell rose grew kept held stood met ' +
    'cost cut hit put set shut spent built bought sold paid told said saw gave found froze sank slept',
)

/**
 * "Invoice 17 was paid", "build 101 passed": the number that identifies the subject; −1 for none.
 */
function numberOfSubject(list: readonly string[]): number {
  const start = /^(?:the|our|my|your|his|her|their|this|that)$/.test(list[0] ?? '') ? 1 : 0
  const at = list.findIndex((word) => /^\d/.test(word))
  const subject = list.slice(start, at)
  if (at <= start || subject.length > SUBJECT_WORDS_MAX || !/^\d+$/.test(list[at] ?? '')) return -1
  const isNoun = (word: string): boolean => /^\p{L}/u.test(word) && !FUNCTION_WORDS.has(word)
  const next = list[at + 1] ?? ''
  const goesOn = FUNCTION_WORDS.has(next) || /^\p{L}+ed$/u.test(next) || PAST_FORMS.has(next)
  return subject.every(isNoun) && goesOn ? at : -1
}

function content(list: readonly string[]): Pick<Statement, 'terms' | 'quantities'> {
  const terms = new Set<string>()
  const light = new Set<string>()
  const quantities: Quantity[] = []
  const numbered = numberOfSubject(list)
  for (let at = 0; at < list.length; at += 1) {
    const word = list[at] ?? ''
    if (at === numbered) {
      terms.add(NUMBERED + word)
      continue
    }
    const found = isPronoun(list, at) ? null : quantityAt(list, at)
    if (found) {
      quantities.push(found.quantity)
      at += found.length - 1
    } else if (LIGHT.has(word)) for (const term of termsOf(word)) light.add(term)
    else if (!NEGATORS.has(word) && (!FUNCTION_WORDS.has(word) || isState(list, at)))
      for (const term of termsOf(word)) terms.add(sameWord(term))
  }
  return { terms: terms.size > 0 ? terms : light, quantities }
}

/** "the light is off": at the end of a clause, these four words describe a state. */
const isState = (list: readonly string[], at: number): boolean =>
  /^(?:on|off|up|down)$/.test(list[at] ?? '') &&
  (at === list.length - 1 || CLAUSE_ENDS.has(list[at + 1] ?? ''))

/** "no one", "the one", "one of": not a number. */
const isPronoun = (list: readonly string[], at: number): boolean =>
  list[at] === 'one' &&
  (/^(?:no|the|any|every|some|this|that)$/.test(list[at - 1] ?? '') || list[at + 1] === 'of')

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
