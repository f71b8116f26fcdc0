import { once } from '../errors.ts'
import { FUNCTION_WORDS, foldText, termsOf } from './terms.ts'

/** A sentence with its position in the text, in UTF-16 units. */
export interface Sentence {
  readonly text: string
  readonly start: number
  readonly end: number
}

const SENTENCES_MAX = 256 // of a text; only the beginning of a longer text is read

// Up to a closing mark with quotes or brackets behind, or to the end of a line. A title's dot closes nothing.
const SENTENCE =
  /[^\s](?:[^.!?…。！？\n\r]|[.!?…](?![\s"'”’)\]]|$)|(?<=(?<!\p{L})(?:Dr|Mrs?|Ms|Mx|Prof|vs|ca|e\.g|i\.e|z\.B))\.(?= \S))*[.!?…。！？]*["'”’)\]]*/gu

/** The sentences of a text in their order, without the blanks between them. */
export function sentencesOf(text: string): readonly Sentence[] {
  const found: Sentence[] = []
  for (const match of text.matchAll(SENTENCE)) {
    const said = match[0].trimEnd()
    found.push({ text: said, start: match.index, end: match.index + said.length })
    if (found.length === SENTENCES_MAX) break
  }
  return found
}

const HARMLESS =
  /\b(?:not (?:only|just|always|necessarily|all|every)|no doubt|without (?:a )?doubt|no matter)\b/gu
/** Verbs that deny the words behind them. */
const DENIES_ACT = /\b(?:stopped|stops|quit|quits|ceased|ceases|avoids|avoided) (?=\p{L}+ing\b)/gu
const DENIES_INTENT = /\b(?:refuses|refused|fails|failed|declines|declined) to\b/gu
const LACKS = /\b(?:lacks|lacked)\b/gu

/** Writes contractions out, and replaces denying verbs by "not". */
export function openContractions(folded: string): string {
  return folded
    .replace(/\bcan't\b|\bcannot\b/gu, 'can not')
    .replace(/\bwon't\b/gu, 'will not')
    .replace(/n't\b/gu, ' not')
    .replace(/'s\b/gu, '')
    .replace(/(?<=\d)(?:st|nd|rd|th)\b/gu, '')
    .replace(HARMLESS, ' ')
    .replace(DENIES_ACT, 'not ')
    .replace(DENIES_INTENT, 'not')
    .replace(LACKS, 'not')
}

/** Words for the same thing, a group per line, so a plain rewording is not a difference. */
const SAME = [
  'man men guy gentleman male',
  'woman women lady female',
  'child children kid toddler youngster',
  'person people somebody someone human individual',
  'picture photo photograph image',
  'bicycle bike cycle',
  'motorcycle motorbike',
  'car automobile',
  'film movie',
  'phone telephone',
  'television tv',
  'email mail',
  'street road',
  'ocean sea',
  'house home',
  'shop store',
  'town city',
  'job position',
  'color colour',
  'favorite favourite',
  'big large huge',
  'small little tiny',
  'quick fast rapid',
  'happy glad',
  'begin start commence',
  'finish end complete',
  'buy purchase',
  'use utilize utilise',
  'help assist',
  'talk speak',
  'look stare gaze',
  'walk stroll',
  'cut slice chop dice',
  'fix repair',
  'make create',
  'show display',
  'need require',
  'like enjoy',
  'choose select pick',
  'stop cease quit',
  'delete remove',
  'error failure',
  'meeting appointment',
  'team group',
]

const leads = once(
  () =>
    new Map(
      SAME.flatMap((line) => {
        const terms = termsOf(line)
        return terms.map((term) => [term, terms[0] ?? term] as const)
      }),
    ),
)

/** The lead word of the term's group. */
export const sameWord = (term: string): string => leads().get(term) ?? term

const persons = once(() => ({
  any: sameWord(termsOf('person')[0] ?? ''),
  some: termsOf('man woman child boy girl worker player crowd couple').map(sameWord),
}))

/** Counts the terms said among the others; "a woman" also says "a person". */
export function countSaid(terms: Iterable<string>, among: ReadonlySet<string>): number {
  const { any, some } = persons()
  let count = 0
  for (const term of terms)
    if (among.has(term) || (term === any && some.some((each) => among.has(each)))) count += 1
  return count
}

/** A content word of a sentence, and whether the sentence affirms or denies the word. */
export interface SentenceWord {
  readonly text: string
  readonly term: string
  readonly isAffirmed: boolean
  /** Stands before a denied verb: in another order of words the same word is denied. */
  readonly isSubjectOfDenial?: boolean
  /** No other word can stand for a name or a number. */
  readonly isExact: boolean
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const TOKEN = /\d[\d.,:/-]*\d|\d|[\p{L}\p{M}]+|[,;]/gu
const NEGATORS = words(
  'not never no without nobody none neither nothing nowhere hardly barely kein keine keinen keinem keiner nicht nie niemals ohne pas jamais sans nunca jamas sin',
)
const CLAUSE_ENDS = words('but while whereas because so ; ,')
const PRONOUNS = words('i we you he she they it my our your his her their the this that')
const LEFTOVERS = words('m d s re ve ll t') // of contractions that were opened
/** Words for the person whose memory this is. */
const PERSON = words(
  'user person team they nutzer nutzerin benutzer benutzerin utilisateur utilisatrice personne equipe equipo usuario usuaria persona utente gebruiker',
)
/** Words that any sentence may hold, whatever the sentence is about. */
const LIGHT = words(
  'want wants wanted wish use uses used using go goes going went get gets got make makes take takes keep ' +
    'keeps need needs please now always really currently still just will ok okay actually also only',
)
/** Words of German, French and Spanish that hold a sentence together. */
const FOREIGN_FUNCTION_WORDS = words(
  'der die das den dem des ein eine einen einem einer und ist bin sind im am zu zum zur mit fur auf als ich wir er sie es mein meine meinen mich mir uns unser unsere seit ' +
    'le la les l un une du de des et est suis sont en au aux a je j il elle on nous mon ma mes notre qu que pour avec dans depuis ' +
    'el los las uno una y es soy somos son yo mi mis nuestro nuestra con por para del al lo desde',
)
const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}]*/gu
const INNER_NAME = /(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{M}]*/gu

/** Words for the same thing beyond the table for contradictions: mostly predicates of claims. */
const RELATED = [
  'city town home live move reside base locate wohnen wohne wohnt lebe lebt habite vivo vive',
  'employer company work job hire arbeite arbeitet travaille trabajo trabaja',
  'role title profession occupation',
  'owner own belong',
  'car drive',
  'allergy allergic',
  'birthplace born',
  'payment pay',
  'licence license',
  'insurance insure',
  'name call',
  'age old',
  'birthday born birth',
  'spouse partner wife husband marry married',
  'language speak',
  'deadline due',
  'diet eat',
  'preference prefer favorite',
  'repository repo',
  'choose chose chosen pick decide settle',
]

const related = once(
  () =>
    new Map(
      RELATED.flatMap((line) => {
        const terms = termsOf(line).map(sameWord)
        return terms.map((term) => [term, terms[0] ?? term] as const)
      }),
    ),
)

/** The lead word for all words of a thing or a relation. */
export const relatedTerm = (term: string): string => related().get(term) ?? term

/** "I work in Paris" names no city: "work" goes with an employer, and "city" with a home. */
export const isTiedElsewhere = (term: string, predicate: readonly SentenceWord[]): boolean => {
  const own = predicate.map((word) => related().get(word.term))
  const other = related().get(term)
  return other !== undefined && own.some((each) => each !== undefined && each !== other)
}

export const isPersonWord = (word: string): boolean => PERSON.has(word)

/** Words and marks of a sentence in order, folded, with contractions opened. */
export const tokensOf = (text: string): readonly string[] =>
  (openContractions(foldText(text)).match(TOKEN) ?? []).filter((token) => !LEFTOVERS.has(token))

/**
 * Reads the content words of a sentence. A negator denies the words behind, up to the end of the
 * clause; "prefer trains to flights" affirms the first and denies the second.
 */
export function sentenceWords(text: string): readonly SentenceWord[] {
  const names = new Set((text.match(CAPITALISED) ?? []).map(foldText))
  // "Go" inside a sentence is a name; "Go" at its beginning may be a verb.
  const inner = new Set(
    (text.match(INNER_NAME) ?? []).map(foldText).filter((name) => LIGHT.has(name)),
  )
  const tokens = tokensOf(text)
  const found: SentenceWord[] = []
  let isDenied = false
  let isLeaving = false
  let clauseAt = 0
  let contrast: 'none' | 'opened' | 'filled' = 'none'
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1] ?? ''
    if (CLAUSE_ENDS.has(token) || (token === 'and' && PRONOUNS.has(next))) {
      isDenied = false
      isLeaving = false
      contrast = 'none'
      clauseAt = found.length
    } else if (isLeaving && /^(?:from|off|to)$/.test(token)) {
      // "We switched from Jenkins to GitLab" denies the first and affirms the second.
      isDenied = token !== 'to'
    } else if (token === 'nor') {
      isDenied = true // "neither Anna nor I" denies both
    } else if (NEGATORS.has(token)) {
      isDenied = !isDenied
      const isOfVerb = token === 'never' || AUXILIARIES.has(tokens[at - 1] ?? '')
      if (isOfVerb) markSubject(found, clauseAt)
    } else if (isContrast(token, contrast, next)) {
      isDenied = !isDenied
      contrast = 'none'
    } else if (isContent(token) || inner.has(token)) {
      if (contrast === 'opened') contrast = 'filled'
      if (/^prefer/.test(token)) contrast = 'opened'
      if (/^(?:switch|migrat|mov|chang|convert|upgrad)/.test(token)) isLeaving = true
      // "Not in this repository": a place bounds the sentence, undenied; "dislikes" denies "likes".
      const isDislike = /^dislik/.test(token)
      if (isDislike) isDenied = !isDenied
      const isPlace = /^(?:this|these)$/.test(tokens[at - 1] ?? '')
      const isAffirmed = !isDenied || isPlace
      found.push(...wordsFrom(isDislike ? 'like' : token, { isAffirmed, isName: names.has(token) }))
    }
  }
  return found
}

const AUXILIARIES = words(
  'do does did is are was were must should may can could shall will would has have had',
)

/** "The folder must not be touched" says what "do not touch the folder" says. */
function markSubject(found: SentenceWord[], start: number): void {
  for (const [at, word] of found.entries()) {
    if (at >= start) found[at] = { ...word, isSubjectOfDenial: true }
  }
}

const isContrast = (token: string, contrast: string, next: string): boolean =>
  (contrast === 'filled' && /^(?:to|over|than)$/.test(token)) ||
  (/^(?:rather|instead)$/.test(token) && /^(?:than|of)$/.test(next))

const isContent = (token: string): boolean =>
  !FUNCTION_WORDS.has(token) &&
  !FOREIGN_FUNCTION_WORDS.has(token) &&
  !LIGHT.has(token) &&
  !PERSON.has(token)

export const isLightWord = (token: string): boolean =>
  LIGHT.has(token) || FOREIGN_FUNCTION_WORDS.has(token)

function wordsFrom(
  token: string,
  { isAffirmed, isName }: { readonly isAffirmed: boolean; readonly isName: boolean },
): readonly SentenceWord[] {
  if (/^\d/.test(token)) {
    const term = token.replace(/,(?=\d{3})/g, '')
    return [{ text: token, term, isAffirmed, isExact: true }]
  }
  return termsOf(token).map((term) => ({
    text: token,
    term: sameWord(term),
    isAffirmed,
    isExact: isName,
  }))
}

const ENDING_CHARS_MAX = 2 // endings may differ by so much in unstemmed languages
const STEM_CHARS_MIN = 4

/** Both words name the same thing or the same relation. */
export function isSameWord(a: SentenceWord, b: SentenceWord): boolean {
  if (a.term === b.term || relatedTerm(a.term) === relatedTerm(b.term)) return true
  if (a.isExact || b.isExact) return false
  const shorter = Math.min(a.term.length, b.term.length) - 1
  const longer = Math.max(a.term.length, b.term.length)
  return (
    shorter >= STEM_CHARS_MIN &&
    longer - shorter <= ENDING_CHARS_MAX &&
    a.term.slice(0, shorter) === b.term.slice(0, shorter)
  )
}

/** Pairs of contrary words, by topic. */
const OPPOSITES = [
  // states of things
  'open closed, open shut, on off, full empty, hot cold, warm cool, wet dry, clean dirty, new old',
  'early late, fast slow, quick slow, quickly slowly, hard soft, heavy light, dark light, dark bright',
  'strong weak, rich poor, cheap expensive, safe dangerous, loud quiet, noisy quiet, tight loose',
  'thick thin, sharp blunt, straight curly, simple complex, easy difficult, easy hard, deep shallow',
  'public private, local remote, online offline, temporary permanent, optional mandatory',
  'optional required, manual automatic, synchronous asynchronous, mutable immutable, busy idle',
  'active inactive, alive dead, asleep awake, present absent, single married, vegetarian carnivorous',
  // size and place
  'big small, large small, large tiny, big little, long short, tall short, high low, wide narrow',
  'near far, inside outside, indoors outdoors, above below, front back, top bottom, left right',
  'before after, first last, north south, east west, up down, upstairs downstairs, upward downward',
  // verdicts and feelings
  'good bad, better worse, best worst, right wrong, correct incorrect, true false, possible impossible, complete incomplete, happy sad',
  'positive negative, like dislike, love hate, enjoy hate, like hate, friend enemy, agree disagree',
  'helpful harmful, legal illegal, regular irregular, responsible irresponsible, relevant irrelevant',
  'valid invalid, secure insecure, visible invisible, consistent inconsistent, sufficient insufficient',
  'compatible incompatible, efficient inefficient, reversible irreversible',
  'optimistic pessimistic, patient impatient, polite rude, calm nervous, brave afraid, guilty innocent',
  // deeds
  'accept reject, accept refuse, approve reject, allow forbid, allow deny, permit forbid, grant deny',
  'enable disable, start stop, begin end, start finish, succeed fail, success failure, pass fail',
  'win lose, gain lose, increase decrease, rise fall, raise lower, grow shrink, expand contract',
  'buy sell, lend borrow, push pull, send receive, give take, arrive leave, arrive depart, enter exit',
  'join leave, hire fire, add remove, include exclude, create destroy, build demolish, attach detach',
  'connect disconnect, lock unlock, load unload, fill empty, fasten loosen, fasten unfasten, dress undress',
  'remember forget, support oppose, encourage discourage, trust distrust, appear disappear, save delete',
  'sit stand, stand lie, sleep wake, run stand, dry moisten, clean soil, wrap unwrap, fold unfold',
  'prefer avoid, use avoid, like avoid, seek avoid, keep discard, keep delete',
  // how often and how many
  'often rarely, always rarely, always seldom, often seldom, more less',
  'more fewer, many few, maximum minimum, most least',
]

/** The contraries of each stem. */
export const oppositesOf = once(table)

/** Prefixes that only negate; `in` and `dis` have other uses too: inform, display. */
const PREFIXES = ['un', 'non']
const PREFIXED_CHARS_MIN = 4 // of the rest: `under` is not the contrary of `der`

export function areOpposite(a: string, b: string): boolean {
  if (oppositesOf().get(a)?.has(b)) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  // "Careful" and "careless": the stem of the first is "care".
  if (long.endsWith('less')) return termsOf(long.slice(0, -'less'.length))[0] === short
  return [a, b].some((negated, at) => isNegated(negated, at === 0 ? b : a))
}

/** "Unreliable" of "reliable", whose stems end differently. */
const isNegated = (negated: string, plain: string): boolean =>
  PREFIXES.some((prefix) => {
    const rest = negated.startsWith(prefix) ? negated.slice(prefix.length) : ''
    return rest.length >= PREFIXED_CHARS_MIN && plain.startsWith(rest)
  })

function table(): ReadonlyMap<string, ReadonlySet<string>> {
  const opposites = new Map<string, Set<string>>()
  const add = (from: string, to: string): void => {
    const known = opposites.get(from)
    if (known) known.add(to)
    else opposites.set(from, new Set([to]))
  }
  for (const pair of OPPOSITES.join(', ').split(', ')) {
    const [a = '', b = ''] = termsOf(pair).map(sameWord)
    add(a, b)
    add(b, a)
  }
  return opposites
}
