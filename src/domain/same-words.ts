import { once } from './once.ts'
import { termsOf } from './terms.ts'

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
