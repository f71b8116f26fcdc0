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
 * Words that name an emotion, whole and in the forms people write. Left out are words that mostly
 * mean something else: down, blue, content, kind, like, great, cross, proof.
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

/** Several words that name one together. */
export const PHRASES: readonly (readonly [phrase: string, emotion: Emotion])[] = [
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

export const EMOTION_OF: ReadonlyMap<string, Emotion> = new Map(
  (Object.keys(WORDS) as Emotion[]).flatMap((emotion) =>
    WORDS[emotion].split(/\s+/).map((word) => [word, emotion] as const),
  ),
)

/** Words that turn what comes after them around. */
export const NEGATIONS: ReadonlySet<string> = new Set(
  `not no never neither nor without hardly barely scarcely rarely seldom nothing nobody none cannot
   cant dont doesnt didnt isnt wasnt arent werent wont wouldnt couldnt shouldnt hasnt havent hadnt
   aint lacked lacks lacking lack`.split(/\s+/),
)

/** Behind these a negation does not negate: "not only happy", "no doubt happy". */
export const NOT_NEGATED_BY: ReadonlySet<string> = new Set(['only', 'just', 'merely', 'doubt'])

/** How much stronger or weaker the word makes the next emotion. */
export const DEGREES: ReadonlyMap<string, number> = new Map([
  ...'very extremely incredibly absolutely completely totally utterly deeply hugely immensely thoroughly really truly terribly'
    .split(' ')
    .map((word) => [word, 1.25] as const),
  ...'slightly somewhat mildly faintly marginally fairly'
    .split(' ')
    .map((word) => [word, 0.6] as const),
])

/** A bit, a little: two words, and weaker too. */
export const SMALL_AMOUNTS: ReadonlySet<string> = new Set(['bit', 'little', 'touch', 'tad'])
