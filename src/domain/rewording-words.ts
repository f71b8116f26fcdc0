import { once } from './once.ts'
import { termsOf } from './terms.ts'

/**
 * Words that stand for each other in a rewording, one group a line. Only words of one meaning belong
 * here: a word that may be a value of its own (a colour, a place, a tool) would hide an update.
 */
const GROUPS = [
  'prefer like enjoy favor favour love fond keen preference liking',
  'want wish desire',
  'use utilize utilise employ',
  'need require requirement',
  'begin start commence',
  'finish complete conclude',
  'make create produce',
  'build construct',
  'buy purchase',
  'help assist aid',
  'show display',
  'choose select pick opt',
  'get receive obtain',
  'keep retain',
  'change alter modify',
  'fix repair mend',
  'delete remove',
  'send dispatch',
  'talk speak',
  'live reside dwell',
  'work job',
  'hate dislike detest',
  'happen occur',
  'allow permit let',
  'ask request',
  'answer reply respond response',
  'think believe',
  'try attempt',
  'big large',
  'small little',
  'quick fast rapid swift',
  'quiet calm muted subdued',
  'simple easy',
  'difficult hard tough',
  'important crucial vital essential key',
  'main primary principal chief',
  'correct right accurate',
  'wrong incorrect',
  'glad happy pleased',
  'angry mad furious',
  'color colour',
  'photo photograph picture image',
  'film movie',
  'car automobile',
  'bicycle bike',
  'phone telephone',
  'email mail',
  'street road',
  'house home',
  'shop store',
  'town city',
  'error failure fault',
  'bug defect',
  'meeting appointment',
  'repository repo',
  'database db',
  'application app',
  'documentation docs',
  'configuration config',
  'environment env',
  'person individual',
  'people folk',
  'child kid',
  'doctor physician',
  'deadline due',
  'purpose goal aim objective',
  'reason cause',
  'way manner method approach',
  'problem issue trouble',
  'team crew',
  'boss manager',
  'company firm',
  'customer client',
] as const

/** Words of a frame around a statement, such as "for the record": alone in a clause they say nothing. */
const FRAMES =
  'remember remembering recall note notes noting keep mind known know knows reminder remind mention mentions ' +
  'report reports reported according per fyi info information fact facts record recorded worth point regard ' +
  'regarding concerning terms thing things context aware learned learnt understand understood established ' +
  'earlier previously before observed summary short sum brief'

/** Words that add nothing to a statement, wherever they stand. */
const FILLERS =
  'said says saying told tells mentioned stated noted remembered recalled really actually basically simply ' +
  'indeed definitely certainly clearly obviously generally essentially overall please again also besides ' +
  'inside within along together plus well has have got does'

const leads = once(() => {
  const found = new Map<string, string>()
  for (const line of GROUPS) {
    const [lead = '', ...rest] = termsOf(line)
    const first = found.get(lead) ?? lead
    for (const term of [lead, ...rest]) if (!found.has(term)) found.set(term, first)
  }
  return found
})

/** One name for all words of a group. */
export const synonymOf = (term: string): string => leads().get(term) ?? term

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const FRAME_WORDS = words(FRAMES)
const FILLER_WORDS = words(FILLERS)

const NEGATORS = words('not no never none nor neither nobody nothing nowhere without cannot')
const FIXED = words(
  'all every each any some most many much few several half both either only always often sometimes ' +
    'usually mostly rarely seldom hardly barely almost nearly more less fewer least except unless instead ' +
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
    'seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand ' +
    'million first second third fourth fifth once twice double ' +
    'monday tuesday wednesday thursday friday saturday sunday january february march april june july august ' +
    'september october november december today tomorrow yesterday tonight morning noon afternoon evening ' +
    'night midnight next last previous former formerly longer anymore until since before after ' +
    'might may maybe perhaps possibly probably likely unlikely could would should must will was were ' +
    'stop stops stopped quit ended ends cease ceased fail fails failed refuse refuses refused lack lacks ' +
    'avoid avoids avoided if when whether seems seem appears apparently',
)

export const isFrameWord = (word: string): boolean => FRAME_WORDS.has(word) || isFiller(word)

export const isFiller = (word: string): boolean => FILLER_WORDS.has(word)

export const isNegator = (word: string): boolean => NEGATORS.has(word)

/** A word that no rewording adds, drops or changes: quantifiers, numbers, times, doubt and tense. */
export const isFixedWord = (word: string): boolean => FIXED.has(word)
