import type { Reading } from './moods.ts'
import {
  isLightWord,
  isPersonWord,
  isSameWord,
  type SentenceWord,
  sentenceWords,
  tokensOf,
} from './sentence-words.ts'
import { FUNCTION_WORDS, foldText, termOf } from './terms.ts'

const FIRST_PERSON_WORDS =
  'i me my mine myself we us our ours ich mich mir mein meine meinen meiner wir uns unser unsere je j moi mon ma mes nous notre yo mi mis nosotros nuestro nuestra'
/** First person as a subject, or as the owner of the subject. */
const FIRST = new Set(
  'i we my our ich wir mein meine unser unsere je j nous mon ma notre yo mi'.split(' '),
)
export const FIRST_PERSON = new RegExp(
  `(?<!\\p{L})(?:${FIRST_PERSON_WORDS.replaceAll(' ', '|')})(?!\\p{L})`,
  'u',
)

/** "The user prefers …" is about the person; "The user's manager is …" is about the manager. */
export function startsWithPerson(statement: string): boolean {
  const [first = '', second = ''] = foldText(statement).replace(/^l'/u, 'le ').split(/\s+/)
  const name = /^(?:the|our|der|die|le|la|el|il|de)$/.test(first) ? second : first
  return /^(?:i|we)$/.test(name) || isPersonWord(name)
}

/** "user", "our team", "I": the subject of a claim is the person, or the team that speaks as one. */
export const isPerson = (subject: string): boolean => {
  const name = foldText(subject).replace(/^(?:the|our|my) /u, '')
  return (
    /^(?:i|me|we|company|firm|organi[sz]ation|business|family|household)$/.test(name) ||
    isPersonWord(name)
  )
}

const OTHER_OWNER = /(?<!\p{L})(?:their|his|her|your|its) (\p{L}+)/gu

/** "Their contract ends in May" speaks of another contract than the memory does. */
export const hasOtherOwner = (said: string, isKnown: (word: SentenceWord) => boolean): boolean =>
  [...foldText(said).matchAll(OTHER_OWNER)].some(([, owned = '']) =>
    sentenceWords(owned).some(isKnown),
  )

const DISCOURSE = new Set(
  'honestly well ok okay so and but also please actually no yes now hey hi thanks wait from on always just by way then'.split(
    ' ',
  ),
)
const THIRD_PERSON = /^(?:is|was|has|had|does|did|will|would|told|said|\p{L}+[^s]s)$/u
const OTHERS =
  /^(?:he|she|it|they|his|her|their|its|you|your|yours|everyone|everybody|someone|somebody|nobody|people|anyone|others|er|sie|sein|ihr|il|elle|son|sa|su|sus|ella)$/u

interface PersonMemory {
  readonly isKnown: (word: SentenceWord) => boolean
  /** The memory calls the person by this word: "team". */
  readonly isWord: (token: string) => boolean
  /** The first word that the memory says of the person. */
  readonly verb: SentenceWord | undefined
  /** The memory states a want of the person; an instruction says the want too. */
  readonly isWant: boolean
  readonly reading: Reading
}

/** "My sister is …", "Anna wants …", "they …": the subject is not the person, nor in the memory. */
export function isAboutOther(
  said: string,
  { isKnown: isKnownWord, isWord, verb, isWant, reading }: PersonMemory,
): boolean {
  const isFirst = FIRST_PERSON.test(foldText(said))
  if (
    reading === 'careful' &&
    !isNamed(said, isWord) &&
    !isOwnSubject(said, { isKnown: isKnownWord, isFirst, isWant })
  )
    return true
  const tokens = tokensOf(said).filter((token) => token !== ',')
  const start = tokens.findIndex((token) => !DISCOURSE.has(token))
  const [first = '', second = ''] = start < 0 ? [] : tokens.slice(start)
  const isKnown = (token: string): boolean => sentenceWords(token).some(isKnownWord)
  if (OTHERS.test(first) && !(isFirst && /^you/.test(first))) return true
  if (/^(?:my|our|the|a|an|this|that|mein|meine|mon|ma|mi)$/.test(first)) return !isKnown(second)
  if (!FUNCTION_WORDS.has(first) && !isPersonWord(first) && !isLightWord(first)) {
    // "Send reports as PDF" instructs; "Anna wants reports" speaks of Anna.
    const isInstruction = isWant && isKnown(second)
    if (THIRD_PERSON.test(second) && !isKnown(first) && !isInstruction) return true
  }
  // A memory of a want begins with the thing that is wanted.
  return hasOtherSubject(said, { isKnown, verb: isWant ? undefined : verb, reading })
}

/** "The team has a four-day week": the sentence and the memory both speak of the team. */
const isNamed = (said: string, isWord: PersonMemory['isWord']): boolean => {
  const [first = '', second = ''] = tokensOf(said)
  const name = /^(?:the|our)$/.test(first) ? second : first
  return isPersonWord(name) && isWord(name)
}

/** The person stands before what is said of them; in "on the list of my aunt" another subject does. */
function isOwnSubject(
  said: string,
  { isKnown, isFirst, isWant }: Pick<PersonMemory, 'isKnown' | 'isWant'> & { isFirst: boolean },
): boolean {
  if (!isFirst) return isWant
  const tokens = tokensOf(said)
  const known = tokens.findIndex((token) => sentenceWords(token).some(isKnown))
  const isBefore = tokens.slice(0, Math.max(known, 0)).some((token) => FIRST.has(token))
  const next = tokens[known + 1] ?? ''
  // "Vivo en Sevilla": the verb alone says who speaks.
  const isVerbAlone = known === 0 && /^(?:en|de|con|el|la|los|las|un|una|por|para)$/.test(next)
  return isBefore || isVerbAlone || /^(?:me|us)$/.test(next)
}

const ADVERB =
  /^(?:\p{L}+ly|never|often|sometimes|ever|already|almost|quite|even|both|all|nicht|nie|auch|immer|pas|jamais|nunca|siempre|[,;])$/u

/** "In my view Bob lives in Oslo": the word before the first word of the memory names another subject. */
function hasOtherSubject(
  said: string,
  {
    isKnown,
    verb,
    reading,
  }: Pick<PersonMemory, 'verb' | 'reading'> & { readonly isKnown: (token: string) => boolean },
): boolean {
  const tokens = tokensOf(said)
  const names = new Set((said.match(/\p{Lu}[\p{L}\p{M}]*/gu) ?? []).map(foldText))
  const at = tokens.findIndex(isKnown)
  const isVerb = sentenceWords(tokens[at] ?? '').some((word) => verb && isSameWord(word, verb))
  for (const token of tokens.slice(0, Math.max(at, 0)).reverse()) {
    if (FIRST.has(token)) return false
    if (OTHERS.test(token)) return true
    if (FUNCTION_WORDS.has(token) || isLightWord(token) || ADVERB.test(token)) continue
    if (reading === 'careful' || isVerb || (names.has(token) && token !== tokens[0])) return true
  }
  return false
}

/** Capitalised words in a row, as in "New York" and "Berg-Holm". */
const NAME_RUN = /\p{Lu}[\p{L}\p{M}'’]*(?:[ -]\p{Lu}[\p{L}\p{M}'’]*)+/gu

/** The sentence names a longer name than the memory: "New York" does not state "York". */
export function hasLongerName(sentence: string, memory: string, reading: Reading): boolean {
  const remembered = new Set(wordsOfNames(memory))
  for (const run of sentence.matchAll(NAME_RUN)) {
    // A sentence begins with a capital, whatever its first word is.
    const isFirst = run.index === 0 && reading === 'plain'
    const parts = wordsOfNames(run[0])
      .slice(isFirst ? 1 : 0)
      .filter((word) => !FUNCTION_WORDS.has(word) && !isLightWord(word))
    const known = parts.filter((part) => remembered.has(part))
    if (known.length > 0 && known.length < parts.length) return true
  }
  return false
}

const wordsOfNames = (text: string): readonly string[] =>
  foldText(text)
    .replace(/'s\b/gu, '')
    .match(/[\p{L}\p{M}]+/gu) ?? []

type Test = (word: SentenceWord) => boolean

const LEADS = new Set(
  'way honestly frankly basically generally today currently sorry yes yeah hi hello thanks fyi well sure'.split(
    ' ',
  ),
)
const LEADING_ADVERB =
  /^(?:\p{L}+ly|every|each|all|both|always|only|usually|often|mostly|about|[,;])$/u

const isFiller = (token: string): boolean =>
  FUNCTION_WORDS.has(token) ||
  isLightWord(token) ||
  isPersonWord(token) ||
  LEADING_ADVERB.test(token) ||
  LEADS.has(token)

const says = (token: string | undefined, test: Test): boolean =>
  token !== undefined && sentenceWords(token).some(test)

/** "Since the outage we keep three replicas" tells since when. */
const SINCE = /^since (?:\p{L}+ ){1,3}?(?=(?:i|we|our|my|the)(?!\p{L}))/iu

/**
 * "In the worst case the job starts at 04:00": words of its own stand before the subject, and may bound
 * the sentence in any way. "My wife Elena is …" names the subject twice.
 */
export function hasForeignLead(said: string, isKnown: Test): boolean {
  // "It is not urgent, but the database runs on 5433" asserts what stands behind "but".
  const asserted = said.split(/[,;] but /iu).at(-1) ?? said
  const tokens = tokensOf(asserted.replace(SINCE, ''))
  for (const [at, token] of tokens.entries()) {
    if (/^(?:i|we)$/.test(token) || says(token, isKnown)) return false
    if (isFiller(token)) continue
    const isNamedTwice = /^(?:my|our)$/.test(tokens[at - 1] ?? '') && says(tokens[at + 1], isKnown)
    if (!isNamedTwice) return true
  }
  return false
}

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

/** Words by which a person takes back a sentence before, a way per row. */
const TAKE_BACKS = [
  // not meant
  "(?:just |only |i'm |i was |was )*(?:kidding|joking)|jk|j/k|april fools?|psych|gotcha",
  "(?:that|this|it)(?:'s| is| was) (?:just |only |obviously |of course )*(?:a |an |my )?(?:joke|lie|test|example|mistake|error|typo|bluff|prank|exaggeration|hypothetical)",
  // withdrawn
  '(?:scratch|strike|forget|ignore|disregard) (?:that|this|it|what i|the last|my last|my previous|the above|the previous|everything i|all that|about that)',
  'never ?mind|take (?:that|it|this|everything) back|no,? wait|wait,? no|hold on,? no|actually,? no|or (?:maybe |rather |perhaps )?not(?= *[.!…]|$)|not!|^not\\.?$|on second thought|changed my mind|change of plans?|oops',
  // wrong
  "(?:that|this|it)(?:'s| is| was) (?:\\p{L}+ )?(?:wrong|false|untrue|incorrect|nonsense|rubbish|outdated|made up)(?= *[.,!;]|$)",
  "(?:that|this|it)(?:'s not| is not| was not| isn't| wasn't|'s no longer| is no longer) (?:\\p{L}+ )?(?:true|right|correct|so|serious)",
  "i (?:was|am|'m|stand) (?:\\p{L}+ )?(?:wrong|mistaken|lying|corrected)|i (?:lied|misspoke|misremembered|misread|made (?:that|it|this) up|mixed (?:\\p{L}+ ){1,3}up|got (?:that|it|this|the \\p{L}+) wrong|confused|meant)",
  'my (?:mistake|bad|error)|^(?:hm+|oh|ah|no|wait|sorry),? (?:wrong|not true)|^or (?:was|is|were|did|maybe|perhaps)|correction|i mean(?:t)?(?= (?:it|not|no))|(?:sorry|wait|no),? i mean',
  // the sentence before was only a text to work on
  '(?:translate|rephrase|reword|rewrite|proofread|paraphrase|correct|spell-?check) (?:that|this|it|the above|the sentence)|how does (?:that|this) sound|is (?:that|this) (?:true|right|correct|sentence|good english)|said nobody|said no one|(?:who|bob|she|he) said (?:that|this)',
  // other languages
  'nur spass|war (?:nur )?ein (?:scherz|witz)|vergiss (?:das|es)|stimmt nicht|doch nicht|je plaisante|je rigole|oublie (?:ca|cela)|es broma|olvidalo|olvida eso',
]

const TAKE_BACK = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${TAKE_BACKS.join('|')})(?![\\p{L}\\p{N}])`,
  'u',
)

/** Position of the words of a take-back; -1 where a sentence takes back nothing. */
export const takeBackAt = (sentence: string): number => foldText(sentence).search(TAKE_BACK)
