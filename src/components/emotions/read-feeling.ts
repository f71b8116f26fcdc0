import { foldText } from '../../domain/words/terms.ts'

/** The twelve emotions, how pleasant each is (−1 to 1) and how stirring (0 to 1). */
export const EMOTIONS = {
  joy: { valence: 0.8, arousal: 0.6 },
  satisfaction: { valence: 0.6, arousal: 0.3 },
  excitement: { valence: 0.7, arousal: 0.9 },
  curiosity: { valence: 0.3, arousal: 0.5 },
  pride: { valence: 0.7, arousal: 0.5 },
  gratitude: { valence: 0.7, arousal: 0.3 },
  frustration: { valence: -0.6, arousal: 0.7 },
  disappointment: { valence: -0.5, arousal: 0.3 },
  anxiety: { valence: -0.4, arousal: 0.7 },
  confusion: { valence: -0.2, arousal: 0.4 },
  sadness: { valence: -0.7, arousal: 0.2 },
  anger: { valence: -0.8, arousal: 0.9 },
} as const

export type Emotion = keyof typeof EMOTIONS

/**
 * Words for emotions, in the forms people write. Left out are words with a more frequent other
 * meaning: down, blue, content, kind, like, great, cross, proof.
 */
const WORDS: Readonly<Record<Emotion, string>> = {
  joy: `happy happier happiest happily happiness joy joyful joyfully joyous delight delighted
    delightful delightedly cheerful cheerfully elated overjoyed blissful glad gladly jubilant
    jolly merry ecstatic euphoric`,
  satisfaction: `satisfied satisfying satisfaction pleased pleasing pleasant fulfilled fulfilling
    contented contentment relieved relief gratified gratifying comfortable reassured reassuring`,
  excitement: `excited exciting excitedly excitement thrilled thrilling thrill eager eagerly
    enthusiastic enthusiasm exhilarated exhilarating energized energised pumped psyched stoked`,
  curiosity: `curious curiously curiosity intrigued intriguing fascinated fascinating fascination
    inquisitive interested interesting wondering wondered`,
  pride: `proud proudly pride prouder proudest accomplished triumphant triumphantly`,
  gratitude: `grateful gratefully gratitude thankful thankfully appreciate appreciated
    appreciative appreciation thanks`,
  frustration: `frustrated frustrating frustratingly frustration annoyed annoying annoyance irritated
    irritating irritation exasperated exasperating exasperation aggravated aggravating stuck
    infuriatingly tedious`,
  disappointment: `disappointed disappointing disappointingly disappointment dissatisfied dissatisfying
    dissatisfaction discouraged discouraging disheartened disheartening disillusioned
    underwhelmed underwhelming regret regretful regrettably`,
  anxiety: `anxious anxiously anxiety worried worrying worry worries worryingly nervous nervously
    nervousness afraid scared scary fearful frightened frightening terrified terrifying panic
    panicked panicking stressed stressful uneasy apprehensive dread dreaded overwhelmed
    overwhelming alarmed alarming`,
  confusion: `confused confusing confusingly confusion puzzled puzzling perplexed perplexing baffled
    baffling bewildered bewildering disoriented mystified`,
  sadness: `sad sadly sadder saddest sadness unhappy unhappily unhappiness miserable miserably misery
    depressed depressing gloomy grief grieving grieved heartbroken heartbreaking sorrow sorrowful
    mournful lonely loneliness tearful despair despairing hopeless melancholy dejected`,
  anger: `angry angrily angrier anger mad furious furiously fury outraged outrageous outrage enraged
    rage livid irate infuriated infuriating hostile hateful hatred hated seething`,
}

/** Phrases for an emotion. */
const PHRASES: readonly (readonly [phrase: string, emotion: Emotion])[] = [
  ['over the moon', 'joy'],
  ['on top of the world', 'joy'],
  ['looking forward to', 'excitement'],
  ['cannot wait', 'excitement'],
  ["can't wait", 'excitement'],
  ['thank you', 'gratitude'],
  ['fed up', 'frustration'],
  ['sick of', 'frustration'],
  ['tired of', 'frustration'],
  ['at my wits end', 'frustration'],
  ['let down', 'disappointment'],
  ['on edge', 'anxiety'],
  ['stressed out', 'anxiety'],
  ['at a loss', 'confusion'],
  ['pissed off', 'anger'],
  ['ticked off', 'anger'],
  ['fed up with', 'frustration'],
]

const EMOTION_OF: ReadonlyMap<string, Emotion> = new Map(
  (Object.keys(WORDS) as Emotion[]).flatMap((emotion) =>
    WORDS[emotion].split(/\s+/).map((word) => [word, emotion] as const),
  ),
)

/** Words that negate the words after them. */
const NEGATIONS: ReadonlySet<string> = new Set(
  `not no never neither nor without hardly barely scarcely rarely seldom nothing nobody none cannot
   cant dont doesnt didnt isnt wasnt arent werent wont wouldnt couldnt shouldnt hasnt havent hadnt
   aint lacked lacks lacking lack`.split(/\s+/),
)

/** Behind these a negation does not negate: "not only happy", "no doubt happy". */
const NOT_NEGATED_BY: ReadonlySet<string> = new Set(['only', 'just', 'merely', 'doubt'])

/** Factor by which the word strengthens or weakens the next emotion. */
const DEGREES: ReadonlyMap<string, number> = new Map([
  ...'very extremely incredibly absolutely completely totally utterly deeply hugely immensely thoroughly really truly terribly'
    .split(' ')
    .map((word) => [word, 1.25] as const),
  ...'slightly somewhat mildly faintly marginally fairly'
    .split(' ')
    .map((word) => [word, 0.6] as const),
])

/** A bit, a little: two words, and weaker too. */
const SMALL_AMOUNTS: ReadonlySet<string> = new Set(['bit', 'little', 'touch', 'tad'])

/** The feeling of a text. */
interface Feeling {
  /** From −1, unpleasant, to 1. */
  readonly valence: number
  /** From 0, calm, to 1. */
  readonly arousal: number
  /** Emotions that the text names without negation, in order of mention. */
  readonly tags: readonly Emotion[]
  readonly confidence: number
}

const TEXT_CHARS_MAX = 10_000 // of a text; a longer text is read by its beginning
const REACH = 3 // reach of a negation or a degree, in words
/** Negation turns pleasant into half as unpleasant, and unpleasant into hardly pleasant. */
const NEGATED_PLEASANT = -0.5
const NEGATED_UNPLEASANT = -0.25
const NEGATED_AROUSAL = 0.5
const CONFIDENCE_BASE = 0.3
const CONFIDENCE_PER_HIT = 0.2

// A word is a whole run of letters: "download" holds no "down", "unsuccessful" no "success".
const WORD_OR_STOP = /[\p{L}\p{N}]+(?:'[\p{L}]+)*|[.,;:!?()\n]/gu
const STOP = /^[.,;:!?()\n]$/u
/** "Could not be happier" is as happy as can be. */
const TOPMOST = /\b(?:could|can)(?: ?not|n't) be (?:any )?(?:more |\w+er\b)/u
/** Words that begin another clause, beyond the reach of an earlier negation. */
const TURNS: ReadonlySet<string> = new Set([
  'but',
  'yet',
  'although',
  'though',
  'however',
  'because',
])

interface Hit {
  readonly emotion: Emotion
  readonly isNegated: boolean
  readonly degree: number
}

/** Reads the feeling of a text; null for a text without words of emotion. */
export function readFeeling(text: string): Feeling | null {
  const hits = hitsIn(foldText(text.slice(0, TEXT_CHARS_MAX)))
  if (hits.length === 0) return null
  const felt = hits.map(feltIn)
  const tags = new Set(hits.flatMap(({ emotion, isNegated }) => (isNegated ? [] : [emotion])))
  return {
    valence: rounded(mean(felt.map(({ valence }) => valence))),
    arousal: rounded(mean(felt.map(({ arousal }) => arousal))),
    tags: [...tags],
    confidence: rounded(Math.min(1, CONFIDENCE_BASE + CONFIDENCE_PER_HIT * hits.length)),
  }
}

/** Each emotion once, in order of first mention: repetition adds nothing. */
function hitsIn(folded: string): readonly Hit[] {
  const words = marked(folded).match(WORD_OR_STOP) ?? []
  const hits = new Map<string, Hit>()
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const emotion = EMOTION_OF.get(word) ?? PHRASE_OF.get(word)
    if (emotion === undefined) continue
    const before = reachable(words, at)
    const isNegated = negates(before) && !TOPMOST.test(folded)
    const key = `${emotion} ${isNegated}`
    if (!hits.has(key)) hits.set(key, { emotion, isNegated, degree: degreeIn(before) })
  }
  return [...hits.values()]
}

/** Phrases become words of their own before the text is cut into words. */
const PHRASE_OF: ReadonlyMap<string, Emotion> = new Map(
  PHRASES.map(([phrase, emotion]) => [phraseWord(phrase), emotion]),
)

function phraseWord(phrase: string): string {
  return phrase.replace(/[^a-z]/g, '')
}

const ANY_PHRASE = new RegExp(PHRASES.map(([phrase]) => phrase).join('|'), 'u')

const marked = (folded: string): string =>
  ANY_PHRASE.test(folded)
    ? PHRASES.reduce((text, [phrase]) => text.replaceAll(phrase, phraseWord(phrase)), folded)
    : folded

/** The few preceding words of the clause, nearest last. */
function reachable(words: readonly string[], at: number): readonly string[] {
  const before = words.slice(Math.max(0, at - REACH - 1), at)
  const cut = before.findLastIndex((word) => STOP.test(word) || TURNS.has(word))
  return before.slice(cut + 1)
}

function negates(before: readonly string[]): boolean {
  const turns = before.filter(
    (word, at) => isNegation(word) && !NOT_NEGATED_BY.has(before[at + 1] ?? ''),
  )
  return turns.length % 2 === 1
}

const isNegation = (word: string): boolean => NEGATIONS.has(word) || word.endsWith("n't")

function degreeIn(before: readonly string[]): number {
  const near = before.slice(-2)
  if (near[0] === 'a' && SMALL_AMOUNTS.has(near[1] ?? '')) return SMALL
  return near.reduce((degree, word) => degree * (DEGREES.get(word) ?? 1), 1)
}

const SMALL = 0.6

function feltIn({ emotion, isNegated, degree }: Hit): { valence: number; arousal: number } {
  const { valence, arousal } = EMOTIONS[emotion]
  if (isNegated) {
    const turn = valence > 0 ? NEGATED_PLEASANT : NEGATED_UNPLEASANT
    return { valence: valence * turn, arousal: arousal * NEGATED_AROUSAL }
  }
  return { valence: bounded(valence * degree), arousal: bounded(arousal * degree) }
}

const bounded = (value: number): number => Math.max(-1, Math.min(1, value))
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000
