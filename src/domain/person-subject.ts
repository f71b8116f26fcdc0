import { foldText } from './fold-text.ts'
import { FUNCTION_WORDS } from './function-words.ts'
import type { Reading } from './moods.ts'
import {
  isLightWord,
  isPersonWord,
  isSameWord,
  type SentenceWord,
  sentenceWords,
  tokensOf,
} from './sentence-words.ts'

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
  /** The memory says this word too. */
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
  return hasOtherSubject(said, { isKnown, verb, reading })
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
