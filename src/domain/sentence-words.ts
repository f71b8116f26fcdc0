import { openContractions } from './contractions.ts'
import { foldText } from './fold-text.ts'
import { FUNCTION_WORDS } from './function-words.ts'
import { once } from './once.ts'
import { sameWord } from './same-words.ts'
import { termsOf } from './terms.ts'

/** A content word of a sentence, and whether the sentence affirms or denies the word. */
export interface SentenceWord {
  readonly text: string
  readonly term: string
  readonly isAffirmed: boolean
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
  'want wants wanted wish use uses used using go goes going went get gets make makes take takes keep ' +
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
  let contrast: 'none' | 'opened' | 'filled' = 'none'
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1] ?? ''
    if (CLAUSE_ENDS.has(token) || (token === 'and' && PRONOUNS.has(next))) {
      isDenied = false
      isLeaving = false
      contrast = 'none'
    } else if (isLeaving && /^(?:from|off|to)$/.test(token)) {
      // "We switched from Jenkins to GitLab" denies the first and affirms the second.
      isDenied = token !== 'to'
    } else if (token === 'nor') {
      isDenied = true // "neither Anna nor I" denies both
    } else if (NEGATORS.has(token)) {
      isDenied = !isDenied
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
