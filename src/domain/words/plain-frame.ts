import { type Mood, moodsOf } from './moods.ts'
import { isPerson, startsWithPerson } from './sentence-subject.ts'
import {
  areOpposite,
  isLightWord,
  isPersonWord,
  isSameWord,
  isTiedElsewhere,
  relatedTerm,
  type SentenceWord,
  sentencesOf,
  sentenceWords,
  tokensOf,
} from './sentence-words.ts'
import { FUNCTION_WORDS, foldText } from './terms.ts'

/*
 * Each word of a sentence becomes one letter, so that a shape of a sentence is a pattern of letters:
 * I: I, we · M: my, our · S: subject · P: predicate · V: value, as one letter · B: am, is, are ·
 * D: was, were · H: a verb that says little, as "has" or "uses" · x, z: another word, z with "s" at its
 * end · E: a participle · Y: by · O: of · F: an article, a preposition, an adverb, or a word before a
 * name, as in "customer Oleander" · N: not, never · T: a word that names others, the past, or another relation.
 */

const SUBJECT = 'F*M?F*[SP][SPOFM]*'
const GOES_ON = '[FMPOY]*'

/** Shapes in which a person plainly asserts a claim about themselves, up to the value. */
const SHAPES_OF_PERSON: readonly RegExp[] = [
  // "I play the clarinet", "We use Buildkite", "I am a notary", "I am married to Ilse"
  new RegExp(`^[FM]*IF*(?:[xzHPB]|BE)${GOES_ON}V`),
  // "I am a nurse at Saint Mary"
  /^IBF[xz]{1,2}F+V/,
  // "I was born in Bergen"; `tense.ts` tells what was so for a time
  /^F*IDP[FP]*V/,
  // "My birthday falls on 6 March", "My cat is called Miezi"
  new RegExp(`^F*MF*P[PFO]*(?:[xz](?!P)|[BHP]|BE)${GOES_ON}V`),
  // "Professor Adeyemi is my supervisor"
  /^F*VF*B[FM]*M[FPO]*P[FP]*$/,
  // "Diet: vegan"
  /^P+V$/,
]

/** "The heating was installed by Brandt": whoever did a deed has done the deed for good. */
const DEED = new RegExp(`^${SUBJECT}DPYF*V`)

/** Shapes in which a person plainly asserts a claim about another subject, up to the value. */
const SHAPES_OF_OTHERS: readonly RegExp[] = [
  // "The API speaks JSON", "The buffer has a pH of 6.8"
  new RegExp(`^${SUBJECT}(?:[xz](?!P)|[HPB])${GOES_ON}V`),
  // "The cluster is running version 1.29"
  new RegExp(`^${SUBJECT}BxPV`),
  // "Secrets are kept in OpenBao", "The paper has been accepted by Nature"
  new RegExp(`^${SUBJECT}H?B+F*E${GOES_ON}V`),
  // "Mia was born on 4 May"; `tense.ts` tells what was so for a time
  new RegExp(`^${SUBJECT}DP[FP]*V`),
  DEED,
  // "Ruben owns the module", "Nora is our lawyer", "Python 3.12 is our minimum"
  /^F*S*VF*[BHP][FMPSO]*[SP](?:F.*)?$/,
  // "We write messages in English", "We deploy every Tuesday"
  new RegExp(`^F*IF*(?:x(?!P)|[HP])?[FM]*S[SFM]*${GOES_ON}V`),
  // "We use Buildkite for CI"
  /^F*IF*[HP][FP]*VF+[FM]*S/,
  // "Standup: 9:15"
  /^[FM]*[SP][SPFMO]*V/,
]

const LETTERS = new Map(
  [
    ['I', 'i we ich wir je j nous yo'],
    ['M', 'my our its mein meine unser unsere mon ma notre mi nuestro nuestra'],
    ['B', 'am is are be been bin ist sind suis est soy es'],
    ['D', 'was were'],
    [
      'H',
      'has have own owns use uses take takes get gets go goes make makes keep keeps need needs do does chose picked',
    ],
    ['Y', 'by'],
    ['O', 'of'],
    ['N', 'not never no nor neither hardly kein keine nicht pas nunca'],
    ['T', 'you your he she it they him her his them their had did done gone went'],
    [
      'F',
      'every each all both always everything anything twice once often usually within through behind against between before after until till since per near without along across during via everywhere here there together please also honestly frankly basically generally today currently sorry yes yeah hi hello hey thanks fyi well sure ok okay actually way now one two three four five six seven eight nine ten tall long wide high deep new own current',
    ],
  ].flatMap(([letter = '', list = '']) => list.split(' ').map((word) => [word, letter] as const)),
)

const PARTICIPLE =
  /^(?:\p{L}{2,}ed|kept|held|built|written|sent|done|made|set|sold|taken|given|run|led|found|drawn|grown|hung|put|paid|spoken|hidden|lent|taught|cut)$/u
const PAST =
  /^(?:met|wrote|flew|bought|saw|took|ate|drank|drove|rode|ran|came|gave|left|lost|got|bit|sang|swam|spoke|told|said|thought|brought|caught|slept|stood|sat|spent|won|wore|grew|knew|threw|broke|heard|felt|fell|began|stole|shot|fought|sought)$/u

/** Verbs of the mind and of talk: "I miss Paris" tells of Paris, and of no home in Paris. */
const NO_RELATION =
  /^(?:miss|know|remember|forget|visit|see|find|admire|trust|fear|follow|watch|hear|ask|mention|discuss|review|test|compare|evaluate|recommend|criticise|criticize|blame|sue|owe|invest|apply|wait|look|search|fix|debug|try|think|talk|argue|complain|care|worry|dream|envy|support|study|learn|teach|exclude|reject|skip|ignore|pass|fight)(?:s|es)?$/u

/** The parts of a claim as tokens, without articles. */
interface ClaimTokens {
  readonly subject: readonly string[]
  readonly predicate: readonly string[]
  readonly value: readonly string[]
  readonly predicateWords: readonly SentenceWord[]
}

const tokensWithout = (text: string): readonly string[] =>
  tokensOf(text.replace(/_/gu, ' ').replace(/^(?:the|an?|our|my) /iu, ''))

const isSame = (one: string, other: string): boolean =>
  one === other ||
  sentenceWords(one).some((a) => sentenceWords(other).some((b) => isSameWord(a, b)))

const CLAUSE = /[,;]\s+|\s[–—-]\s|\sbut\s/iu
const INNER_NAME = /(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{M}]*/gu

/** Finds a clause that plainly asserts the whole claim, with no word to tie the value elsewhere. */
export function plainFrame(
  { claim, isAboutPerson }: Wanted,
  said: string,
): 'state' | 'deed' | null {
  if (claim === null || tokensOf(claim.value).length === 0) return null
  const predicate = tokensWithout(claim.predicate)
  const words: ClaimTokens = {
    subject: isAboutPerson
      ? []
      : tokensWithout(claim.subject).filter((each) => !isPersonWord(each)),
    predicate,
    value: tokensWithout(claim.value.replace(/ of the (?:user|person)$/iu, '')),
    predicateWords: sentenceWords(predicate.join(' ')),
  }
  const team = isAboutPerson ? tokensWithout(claim.subject) : []
  const shapes = isAboutPerson ? SHAPES_OF_PERSON : SHAPES_OF_OTHERS
  // "It is not urgent, but the database runs on 5433" asserts what stands behind "but".
  const clauses = (said.split(/[,;] but /iu).at(-1) ?? said).split(CLAUSE)
  let before = ''
  for (const clause of clauses) {
    const own = shapeOf(clause, words, team)
    // "I have two children, Max and Ella"
    const shape = own === 'V' ? `${before}V` : own
    if (shape.includes('V')) {
      if (!shapes.some((each) => each.test(shape))) return null
      return DEED.test(shape) ? 'deed' : 'state'
    }
    // "As far as the brochure goes, …" bounds what stands behind.
    if (!/^(?:F*|[IMS].*)$/.test(shape)) return null
    before = shape
  }
  return null
}

/** Phrases with a plainer form. */
const PLAINER: readonly (readonly [RegExp, string])[] = [
  [/(?<=\bI)['’]m\b/giu, ' am'],
  [/['’]re\b/giu, ' are'],
  [/\btakes? place\b/giu, 'is'],
  [/\b(?:work|works|working) as (?=an? )/giu, 'am '],
  [/['’]s name is\b/giu, ' is'],
  [/(?:\bhave|['’]ve|\bhas) been (?=.*\b(?:since|for) )/giu, ' am '],
]
/** A clause with these phrases in their plainer form. */
export const plainer = (clause: string): string =>
  PLAINER.reduce((text, [phrase, word]) => text.replace(phrase, word), clause)

/** A content word right behind the value goes on: "a Lancia dealership", "60 square metres". */
const GOES_ON_BEHIND = /V(?:[xz](?!P)|[ETI])/

function shapeOf(clause: string, words: ClaimTokens, team: readonly string[]): string {
  const tokens = tokensOf(plainer(clause))
  const at = placeOf(words.value, tokens)
  const around =
    at < 0 ? tokens : [...tokens.slice(0, at), '', ...tokens.slice(at + words.value.length)]
  const isWhole = words.subject.every((each) => around.some((token) => isSame(token, each)))
  const names = new Set((clause.match(INNER_NAME) ?? []).map(foldText))
  const letters = around.map((token) => {
    if (token === '') return isWhole ? 'V' : 'T'
    return team.includes(token) ? 'I' : letterOf(token, words)
  })
  const shape = letters.map((letter, index) => {
    const [before, next] = [around[index - 1] ?? '', around[index + 1] ?? '']
    // "The customer Oleander": the word before a name tells whose name follows.
    if (/[xzT]/.test(letter) && letters[index + 1] === 'S' && names.has(next)) return 'F'
    // "The wedding cake": a verb of a single subject ends with "s".
    return letter === 'x' && letters[index - 1] === 'S' && !before.endsWith('s') ? 'T' : letter
  })
  const joined = shape.join('')
  return GOES_ON_BEHIND.test(joined) ? 'T' : joined
}

const placeOf = (value: readonly string[], tokens: readonly string[]): number =>
  tokens.findIndex((_, at) => value.every((each, index) => isSame(tokens[at + index] ?? '', each)))

function letterOf(token: string, { subject, predicate, predicateWords }: ClaimTokens): string {
  if (subject.includes(token)) return 'S'
  if (predicate.includes(token)) return 'P'
  if (subject.some((each) => isSame(each, token))) return 'S'
  if (predicate.some((each) => isSame(each, token))) return 'P'
  const known = LETTERS.get(token)
  if (known !== undefined) return known
  if (FUNCTION_WORDS.has(token) || isLightWord(token) || isPersonWord(token)) return 'F'
  if (/\p{L}{3}ly$/u.test(token)) return 'F'
  const isElsewhere = sentenceWords(token).some(
    ({ term }) =>
      isTiedElsewhere(term, predicateWords) ||
      predicateWords.some((word) => areOpposite(word.term, term)),
  )
  if (isElsewhere || NO_RELATION.test(token) || PAST.test(token)) return 'T'
  if (PARTICIPLE.test(token)) return 'E'
  return token.endsWith('s') ? 'z' : 'x'
}

/** A memory to look for among the sentences of a person. */
export type Written =
  | { readonly type: 'statement'; readonly text: string }
  | {
      readonly type: 'claim'
      readonly subject: string
      readonly predicate: string
      readonly value: string
    }

/** A sentence of a memory, prepared for comparison. */
export interface Wanted {
  readonly statement: string
  readonly words: readonly SentenceWord[]
  /** Terms that a stating sentence must hold: names, numbers, the subject, the value of a claim. */
  readonly required: readonly string[]
  readonly predicate: readonly string[]
  readonly claim: Extract<Written, { type: 'claim' }> | null
  readonly isAboutPerson: boolean
  /** Every word of the memory, folded. */
  readonly named: ReadonlySet<string>
  readonly moods: ReadonlySet<Mood>
}

export function wantedFrom(written: Written): readonly Wanted[] {
  if (written.type === 'claim') return [claimWanted(written)]
  return sentencesOf(written.text)
    .map(({ text }) => statementWanted(text))
    .filter(({ words }) => words.length > 0)
}

function statementWanted(statement: string): Wanted {
  const words = sentenceWords(statement)
  const isAboutPerson = startsWithPerson(statement)
  const subject = isAboutPerson ? [] : words.slice(0, 1)
  // "30 minutes" is not stated by "30 hours".
  const units = words.filter((_, at) => /^\d/.test(words[at - 1]?.term ?? ''))
  const exact = words.filter(({ isExact }) => isExact)
  const required = [...exact, ...subject, ...units].map(({ term }) => term)
  return {
    statement,
    words,
    required,
    predicate: [],
    claim: null,
    isAboutPerson,
    named: new Set(tokensOf(statement)),
    moods: moodsOf(statement),
  }
}

function claimWanted(claim: Extract<Written, { type: 'claim' }>): Wanted {
  const { subject, predicate, value } = claim
  const isAboutPerson = isPerson(subject)
  const words = [...(isAboutPerson ? [] : sentenceWords(subject)), ...sentenceWords(value)]
  const statement = [subject, predicate, value].join(' ')
  return {
    statement,
    words,
    required: words.map(({ term }) => term),
    predicate: sentenceWords(predicate.replace(/[_-]+/g, ' ')).map(({ term }) => relatedTerm(term)),
    claim,
    isAboutPerson,
    named: new Set(tokensOf(statement)),
    moods: moodsOf(statement),
  }
}

export const knownIn =
  ({ words, predicate }: Wanted) =>
  (said: SentenceWord): boolean =>
    words.some((word) => isSaid(word, said)) || predicate.includes(relatedTerm(said.term))

/** True for an equal word, or the opposite word denied: "does not like" says "dislikes". */
export const isSaid = (word: SentenceWord, said: SentenceWord): boolean =>
  isSameWord(word, said) ||
  (word.isAffirmed !== said.isAffirmed && areOpposite(word.term, said.term))
