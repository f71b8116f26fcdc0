import { once } from '../domain/errors.ts'
import { FUNCTION_WORDS, termsOf } from '../domain/words/terms.ts'
import type { Statement } from './statement.ts'

// Two statements of one shape that differ in one place: "the report goes to Helene" after "the
// report goes to Marcus", "the translation is done by Ferran" after "Irina does the translation".

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const DETERMINERS = wordSet('the a an my our your his her its their this that now still already')
const TITLES = wordSet('mr mrs ms mx dr prof')
const ENDS = wordSet('; , and but since while because until as from')
const VALUE_WORDS_MAX = 4 // a longer ending says more than one value

const termOf = (word: string): string => termsOf(word)[0] ?? word
const isName = ({ names }: Statement, word: string): boolean => names.has(termOf(word))
const isTelling = (word: string): boolean => !FUNCTION_WORDS.has(word) && !ENDS.has(word)

const wordsOf = ({ words }: Statement): readonly string[] =>
  words.filter((word) => !DETERMINERS.has(word) && !TITLES.has(word))

const SEVERAL = wordSet('also too both sometimes often and or')
const FRAME_TERMS_MIN = 2 // telling words before values that are no names: a subject and its verb

/**
 * Different values at the end of one frame: both statements begin with equal words up to a function
 * word. Values that are no names may both be true, so they need more equal words.
 */
export function valuesInOneFrame(later: Statement, earlier: Statement): string | null {
  const [ours, theirs] = [wordsOf(later), wordsOf(earlier)]
  const differing = ours.findIndex((word, at) => word !== theirs[at])
  const frame = ours.slice(0, differing).filter(isTelling).length
  if (frame < 1 || isTelling(ours[differing - 1] ?? '')) return null
  const [mine, other] = [valueAt(ours, differing), valueAt(theirs, differing)]
  if (mine.length === 0 || other.length === 0 || mine.some((word) => other.includes(word)))
    return null
  const areNames = mine.some((word) => isName(later, word)) && other.some((w) => isName(earlier, w))
  const isSpare = later.words.some((word) => SEVERAL.has(word)) || frame < FRAME_TERMS_MIN
  if (!areNames && isSpare) return null
  return `${mine.join(' ')} after ${other.join(' ')}`
}

function valueAt(words: readonly string[], start: number): readonly string[] {
  const rest = words.slice(start)
  const end = rest.findIndex((word) => !isTelling(word))
  const value = end < 0 ? rest : rest.slice(0, end)
  return value.length > VALUE_WORDS_MAX ? [] : value
}

/** Duties that one person has at a time. */
const DUTIES = once(
  () =>
    new Set(
      termsOf(
        'owns leads heads runs handles manages answers maintains edits reviews approves signs ' +
          'teaches cleans mows does organises organizes chairs coordinates covers writes services ' +
          'delivers looks teacher caretaker',
      ),
    ),
)
const PRESENT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    done: 'do',
    does: 'do',
    is: 'be',
    was: 'be',
    are: 'be',
    taught: 'teach',
    written: 'write',
    led: 'lead',
  }),
)
const STATES = /^is (?:on call|responsible for|in charge of)\b/u

/** A duty with its holder: "Irina does the translation", "the translation is done by Irina". */
interface Duty {
  readonly holder: string
  readonly verb: string
  readonly what: ReadonlySet<string>
}

/** Another holder of one duty. */
export function anotherHolder(later: Statement, earlier: Statement): string | null {
  const former = dutiesIn(earlier)
  for (const duty of dutiesIn(later)) {
    const other = former.find((each) => each.verb === duty.verb && isSameWork(each, duty))
    if (other && other.holder !== duty.holder) return `${duty.holder} after ${other.holder}`
  }
  return null
}

function isSameWork({ what }: Duty, { what: other }: Duty): boolean {
  const shared = [...what].filter((term) => other.has(term)).length
  return what.size + other.size === 0 || shared > 0.5 * Math.min(what.size, other.size)
}

const dutiesIn = (statement: Statement): readonly Duty[] =>
  clausesOf(statement.words).flatMap(
    (clause) => activeDuty(clause, statement) ?? passiveDuty(clause, statement) ?? [],
  )

function clausesOf(words: readonly string[]): readonly (readonly string[])[] {
  const clauses: string[][] = [[]]
  for (const word of words) {
    if (ENDS.has(word)) clauses.push([])
    else if (!DETERMINERS.has(word) && !TITLES.has(word)) clauses.at(-1)?.push(word)
  }
  return clauses
}

const tellingTerms = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.filter(isTelling).map(termOf))

const verbOf = (word: string): string => termOf(PRESENT.get(word) ?? word)

function activeDuty(clause: readonly string[], statement: Statement): Duty | null {
  const [holder = '', verb = '', ...rest] = clause
  if (!isName(statement, holder)) return null
  const state = STATES.exec(clause.slice(1).join(' '))?.[0]
  if (state) {
    const what = tellingTerms(clause.slice(1 + state.split(' ').length))
    return { holder, verb: state, what: new Set(state === 'is on call' ? [] : what) }
  }
  return DUTIES().has(verbOf(verb))
    ? { holder, verb: verbOf(verb), what: tellingTerms(rest) }
    : null
}

function passiveDuty(clause: readonly string[], statement: Statement): Duty | null {
  const by = clause.indexOf('by')
  const [holder = '', verb = ''] = [clause[by + 1], clause[by - 1]]
  if (by < 2 || !isName(statement, holder) || verbOf(verb) === 'be') return null
  return { holder, verb: verbOf(verb), what: tellingTerms(clause.slice(0, by - 1)) }
}
