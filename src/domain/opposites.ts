import { once } from './once.ts'
import { sameWord } from './same-words.ts'
import { termsOf } from './terms.ts'

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
  // how often and how many
  'often rarely, always rarely, always seldom, often seldom, more less',
  'more fewer, many few, maximum minimum, most least',
]

/** The contraries of each stem. */
const oppositesOf = once(table)

/** Prefixes that only negate; `in` and `dis` have other uses too: inform, display. */
const PREFIXES = ['un', 'non']
const PREFIXED_CHARS_MIN = 4 // of the rest: `under` is not the contrary of `der`

export function areOpposite(a: string, b: string): boolean {
  if (oppositesOf().get(a)?.has(b)) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return (
    short.length >= PREFIXED_CHARS_MIN && PREFIXES.some((prefix) => long === `${prefix}${short}`)
  )
}

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
