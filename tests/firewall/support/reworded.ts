/** A sentence said again in many ways: other words, another order, a frame around it. */
const SUBJECTS = ['the user', 'our user', 'this user', 'user', 'that user']
const VERBS = [
  'prefers',
  'likes',
  'favors',
  'enjoys',
  'loves',
  'is fond of',
  'is keen on',
  'has a preference for',
]
const MODES = ['dark mode', 'the dark mode', 'a dark mode']
const PLACES = [
  'in the editor',
  'inside the editor',
  'for the editor',
  'within the editor',
  'in their editor',
]
const THEMES = [
  'a quiet theme',
  'the quiet theme',
  'a calm theme',
  'quiet themes',
  'a subdued theme',
]
const LINKS = ['and', 'as well as', 'along with', 'together with', 'plus', 'with']
const FRAMES = [
  '',
  'Remember that ',
  'As noted before, ',
  'It is known that ',
  'For the record, ',
  'Just to recall: ',
  'To sum up, ',
  'Worth remembering: ',
  'According to earlier notes, ',
  'In short, ',
]
const ENDS = ['.', '', '!', ', as mentioned.', ' indeed.']

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T // never empty

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The way with this number; numbers below some thousands give different texts. */
function reworded(n: number): string {
  const [subject, verb] = [pick(SUBJECTS, n), pick(VERBS, Math.floor(n / 3))]
  const mode = `${pick(MODES, Math.floor(n / 5))} ${pick(PLACES, Math.floor(n / 7))}`
  const theme = pick(THEMES, Math.floor(n / 11))
  const link = pick(LINKS, Math.floor(n / 13))
  const both = n % 2 === 0 ? `${mode} ${link} ${theme}` : `${theme} ${link} ${mode}`
  const said = [
    `${subject} ${verb} ${both}`,
    `${both} is what ${subject} ${verb}`,
    `what ${subject} ${verb} is ${both}`,
    `${subject}: ${verb} ${both}`,
  ]
  return capital(
    `${pick(FRAMES, Math.floor(n / 17))}${pick(said, Math.floor(n / 2))}${pick(ENDS, Math.floor(n / 19))}`,
  )
}

export const ORIGINAL = 'The user prefers dark mode in the editor and a quiet theme'

/** As many different rewordings of `ORIGINAL`. */
export function rewordings(count: number): readonly string[] {
  const texts = new Set<string>()
  for (let n = 1; texts.size < count; n += 1) texts.add(reworded(n))
  return [...texts]
}
