import { once } from '../domain/errors.ts'
import { openContractions } from '../domain/words/sentence-words.ts'
import { FUNCTION_WORDS, foldText, termsOf } from '../domain/words/terms.ts'
import type { Quantity } from './contradiction.ts'
import { anotherHolder, valuesInOneFrame } from './frame.ts'
import { isRunLog } from './run-log.ts'
import { readStatement, type Statement } from './statement.ts'

/** A judgement that a later statement takes the place of an earlier one. */
export interface Replacement {
  /** A likely replacement is for a person to judge; only a clear one is linked. */
  readonly isClear: boolean
  /** Larger for a better fit, to choose among several earlier statements. */
  readonly fit: number
  /** The words that show the replacement. */
  readonly evidence: string
}

const CHARS_MAX = 600 // a longer text tells more than one change
const ENDED_SHARE_MIN = 0.6 // share of the words of an ended value that the earlier statement says
const SHARED_MIN = 0.5 // share of the shorter statement, beside the values, with a word of change
const SHARED_PLAIN_MIN = 0.6 // the same without a word of change

const BE = '(?:is|are|was|were|has been|have been|is being|are being|has|have)'
const END = '(?= (?:since|as of|from today|from now|starting|because|and|but|so|over the)\\b|$)'
/** Each pattern captures the words of a value that ended. */
const ENDED = [
  `(.+?) ${BE} (?:now |all |finally |completely )*(?:gone|no longer|history|retired|deleted|removed|dropped|switched off|turned off|shut down|closed|sold|cancel(?:l)?ed|decommissioned|obsolete|deprecated|abandoned|uninstalled|discontinued|dead|out\\b|phased out|replaced|swapped|exchanged|off$|on leave|on parental leave)`,
  `(.+?) (?:has |have )?(?:quit|retired|resigned|(?:shut|closed) down|moved away|ran out|run out|expired|can not do)\\b`,
  `(?:no longer|not|never) (?:\\w+ )?(?:on |at |in |from |by |to |with |through )?(.+?) (?:any ?more|any longer)`,
  `no longer (.+?)${END}`,
  `no longer \\w+ (?:on |at |in |from |by |to |with |through |for )(.+?)${END}`,
  `no (?!longer\\b)(.+?) (?:any ?more|any longer)`,
  `no more (.+?)${END}`,
  `(?:mov|switch|chang|migrat|port|upgrad|convert|shift|transfer|renam|rais|lower|increas|reduc|downgrad|transition)(?:e|es|ed|ing|s)? .*?from (.+?) to `,
  `(?:went|goes|go) from (.+?) to `,
  `(?:instead of|in place of|rather than|as opposed to) (.+?)${END}`,
  `replac(?:es|ed|ing) (?!by\\b)(.+?)(?: with | for | as |$)`,
  `(?:exchanged|swapped|traded|sold|cancel(?:l)?ed|ditched|dropped|abandoned|retired|removed|deleted|forget|stopped using|stop using|gave up|got rid of|phased out|moved away from|moved off|turned off) (?:the |our |all )?(.+?)(?: for | in favou?r of |$)`,
  `goodbye to (.+)$`,
  `we (?:have |'ve )?left (.+)$`,
  `^(\\w+)(?: has)? left\\b`,
  `^(\\w+) handed .+? over to`,
  `took over (?:.+ )?from (.+?)${END}`,
].map((pattern) => new RegExp(pattern, 'u'))

const MONTH =
  'january|february|march|april|may|june|july|august|september|october|november|december'
/** Words by which a statement says that its value is new. */
const CHANGE = new RegExp(
  String.raw`\b(?:now|nowadays|these days|from (?:now|today)(?: on)?|as of|effective|starting (?:now|today|this)|since (?:today|this|yesterday|last|the|${MONTH})|(?:has|have|is|are|was|were|been|being) (?:moved|changed|renamed|raised|lowered|extended|shortened|upgraded|rewritten|increased|reduced|updated|postponed|doubled|halved|brought forward|pushed back|cut|limited)|moved? to|changed? to|switched to|upgraded to|renamed|raised?|lower(?:ed)?|went (?:up|down|back)|goes up|go(?:es)? up to|takes? over|took over|(?:the|my|our) new|no longer|instead|any ?more|up to date|(?:has|have) become|became|are needed|updated?|after all)\b`,
  'u',
)

/** Statements that do not hold yet, or perhaps never will. */
const NOT_YET =
  /\?|\b(?:will|shall|would|should|could|might|may (?:want|need)|if|whether|consider(?:s|ing)?|propos(?:e|es|al)|plan(?:s|ned|ning)? to|going to|want(?:s)? to|wants? us|let us|let's|next (?:week|month|quarter|year|sprint)|tomorrow|think(?:ing)? (?:about|of))\b/u

/** True for a statement that says itself that something changed. */
export const saysChange = (text: string): boolean => readClauses(text)?.isNew ?? false

/** Reads a later statement once, to compare it with many earlier ones; null if it can replace none. */
export function replacementsBy(newer: string): ((older: string) => Replacement | null) | null {
  const later = readClauses(newer)
  if (later === null || later.statement.hedged || NOT_YET.test(later.text)) return null
  if (later.statement.former) return null
  const states = (later.isNew || !isRunLog(newer)) && (later.isNew || hasValue(later))
  if (!states && later.ended.length === 0) return null
  return (older) => {
    const earlier = readClauses(older)
    if (earlier === null || isRunLog(older) || earlier.text.endsWith('?')) return null
    return (
      byEnding(later, earlier) ??
      (states
        ? (byHolder(later, earlier) ?? byPlace(later, earlier) ?? byValue(later, earlier))
        : null)
    )
  }
}

/** A value that another statement may give anew: a number, a rate, a state, a role, a named place. */
const hasValue = ({ text, statement: { quantities, names } }: Clauses): boolean =>
  quantities.length > 0 ||
  names.size > 0 ||
  STATE.test(text) ||
  RATES.some(([, pattern]) => pattern.test(text))

interface Clauses {
  readonly text: string
  readonly statement: Statement
  /** Every content term of the text, numbers included. */
  readonly terms: ReadonlySet<string>
  /** Terms of each value that the text says has ended. */
  readonly ended: readonly ReadonlySet<string>[]
  /** True with a word of change, such as "now" or "moved to". */
  readonly isNew: boolean
}

function readClauses(given: string): Clauses | null {
  if (given.length > CHARS_MAX) return null
  const text = openContractions(foldText(given)).trim()
  const clauses = text.split(/[;:!,]\s|[;:!]|\.\s|\.$| — | – /u).filter((clause) => clause !== '')
  const ended = [...clauses, text].flatMap((clause) =>
    ENDED.flatMap((pattern) => {
      const value = contentOf(pattern.exec(clause.trim())?.[1] ?? '')
      return value.size === 0 ? [] : [value]
    }),
  )
  const isNew = ended.length > 0 || CHANGE.test(text)
  return { text, statement: readStatement(given), terms: contentOf(text), ended, isNew }
}

const changing = once(
  (): ReadonlySet<string> =>
    new Set(
      termsOf(
        'now longer instead any more new old use used using go goes went still today moved changed ' +
          'renamed raised lowered extended shortened upgraded increased reduced updated switched ' +
          'postponed doubled halved brought forward pushed cut limited starting since effective all',
      ),
    ),
)

const contentOf = (text: string): ReadonlySet<string> =>
  new Set(
    (text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [])
      .filter((word) => !FUNCTION_WORDS.has(word))
      .flatMap(termsOf)
      .filter((term) => !changing().has(term)),
  )

/** "The orders table" and "the users table": each begins with a word that the other lacks. */
function isOfAnotherThing({ terms: ours }: Statement, { terms: theirs }: Statement): boolean {
  const [[mine = ''], [other = '']] = [[...ours], [...theirs]]
  return !theirs.has(mine) && !ours.has(other)
}

const both = (some: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] =>
  [...some].filter((term) => others.has(term))

/** The later statement names a value that ended, and the earlier one says that value. */
function byEnding(later: Clauses, earlier: Clauses): Replacement | null {
  for (const value of later.ended) {
    const held = both(value, earlier.terms)
    // "The old Quay account is closed": the name is what ended.
    const names = both(value, later.statement.names)
    const isNamed = names.length > 0 && both(new Set(names), earlier.terms).length === names.length
    if (held.length === 0 || (!isNamed && held.length < ENDED_SHARE_MIN * value.size)) continue
    if (earlier.ended.some((own) => both(own, value).length > 0)) continue // says so itself
    const about = both(later.terms, earlier.terms).filter((term) => !value.has(term))
    const isAlone = about.length === 0 && held.length < 2
    if (isAlone && !isNameInside(held[0] ?? '', earlier.statement)) continue
    const fit = held.length / value.size + about.length
    return { isClear: !isAlone, fit, evidence: `no longer ${[...held].join(' ')}` }
  }
  return null
}

/** A name behind other telling words: a value, and not the subject. */
const isNameInside = (term: string, { names, terms }: Statement): boolean =>
  names.has(term) && [...terms][0] !== term

/** Both say a value of one thing, and the values differ. */
function byValue(later: Clauses, earlier: Clauses): Replacement | null {
  const state =
    quantitiesThatDiffer(later, earlier) ??
    statesThatDiffer(later.text, earlier.text) ??
    ratesThatDiffer(later.text, earlier.text) ??
    placesThatDiffer(later, earlier)
  const framed = valuesInOneFrame(later.statement, earlier.statement)
  if (framed !== null) return { isClear: later.isNew, fit: 2, evidence: framed }
  if (!later.isNew && isOfAnotherThing(later.statement, earlier.statement)) return null
  if (state === null || (!later.isNew && (later.statement.vague || earlier.statement.vague)))
    return null
  const [ours, theirs] = [withJoined(later), withJoined(earlier)]
  const shared = both(ours, theirs)
  const least = Math.min(ours.size, theirs.size)
  const share = shared.length / Math.max(1, least)
  const isEnough = shared.length >= 2 || least === 1
  if (!isEnough || share < (later.isNew ? SHARED_MIN : SHARED_PLAIN_MIN)) return null
  const isClear = later.isNew && (shared.length >= 2 || later.statement.names.size === 0)
  return { isClear, fit: share + shared.length, evidence: state }
}

/** A value of the same dimension on both sides, with another number. */
function quantitiesThatDiffer(
  { statement: left, isNew }: Clauses,
  { statement: right }: Clauses,
): string | null {
  const valuesOf = ({ quantities }: Statement, dimension: string): readonly number[] =>
    quantities.flatMap((each) => (each.dimension === dimension ? each.value : []))
  for (const { dimension } of left.quantities) {
    const [ours, theirs] = [valuesOf(left, dimension), valuesOf(right, dimension)]
    if (ours.length !== theirs.length || ours.every((value, at) => value === theirs[at])) continue
    if (!isNew && ours.length !== 1) continue
    if (!namesAgree(left, right)) continue
    return `${shown(ours[0], dimension)} after ${shown(theirs[0], dimension)}`
  }
  return null
}

const shown = (value: number | undefined, dimension: Quantity['dimension']): string =>
  `${value} (${dimension})`

const STATE =
  /\b(?:is|are) (?:now )?(on|off|open|closed|enabled|disabled|allowed|forbidden)\b(.*)$/u

/** "is off for everyone", "is on for ten percent". */
function statesThatDiffer(left: string, right: string): string | null {
  const [ours, theirs] = [STATE.exec(left), STATE.exec(right)]
  if (ours === null || theirs === null) return null
  const isSame = ours[1] === theirs[1] && ours[2] === theirs[2]
  return isSame ? null : `${ours[1]} after ${theirs[1]}`
}

const RATES: readonly (readonly [rate: string, pattern: RegExp])[] = [
  ['hour', /\b(?:hourly|(?:every|each|an|per) hour)\b/u],
  ['day', /\b(?:daily|nightly|(?:every|each|once a|per) (?:day|night|morning|evening))\b/u],
  ['week', /\b(?:weekly|(?:every|each|once a|per) (?:week|\w+day))\b/u],
  ['month', /\b(?:monthly|(?:every|each|once a|per|of a) month)\b/u],
  ['year', /\b(?:yearly|annually|(?:every|each|once a|per) year)\b/u],
]

const RATE_TERMS = once(
  (): ReadonlySet<string> =>
    new Set(
      termsOf(
        'hour hourly day daily nightly night morning week weekly month monthly year yearly once',
      ),
    ),
)

/** "every hour" after "once a day". */
function ratesThatDiffer(left: string, right: string): string | null {
  const rateOf = (text: string) => RATES.find(([, pattern]) => pattern.test(text))?.[0]
  const [ours, theirs] = [rateOf(left), rateOf(right)]
  if (ours === undefined || theirs === undefined || ours === theirs) return null
  return `each ${ours} after each ${theirs}`
}

/** One duty, and another person has it. */
function byHolder(later: Clauses, earlier: Clauses): Replacement | null {
  const evidence = anotherHolder(later.statement, earlier.statement)
  return evidence === null ? null : { isClear: later.isNew, fit: 2, evidence }
}

const MOVED = /^(.+?) (?:has |have |was |were )?(?:been )?(?:moved|relocated) .*?\bto (.+)$/u
const STANDS =
  /^(.+?) (?:(?:is|are) (?:kept |stored |located |parked |based )?|(?:stands?|lies?|hangs?|sits?|lives?) )(?:in|on|at|under|behind|by|near|beside|with) (.+)$/u

/** A thing has moved, and the earlier statement says where it stood. */
function byPlace(later: Clauses, earlier: Clauses): Replacement | null {
  const [, what = '', place = ''] = MOVED.exec(later.text) ?? []
  const [, former = '', where = ''] = STANDS.exec(earlier.text) ?? []
  if (/\d/u.test(place) !== /\d/u.test(where) || later.statement.quantities.length > 0) return null
  const [ours, theirs] = [contentOf(what), contentOf(former)]
  const isSame = ours.size > 0 && both(ours, theirs).length === Math.max(ours.size, theirs.size)
  return isSame ? { isClear: true, fit: 1 + ours.size, evidence: `to ${place}` } : null
}

const PLACE = /\b(on|in|at|through|by|with|via|from) (?:the )?([\p{L}\p{N}_]+)/gu

/** "through Adyen" after "through Stripe": one preposition, and two names behind it. */
function placesThatDiffer(later: Clauses, earlier: Clauses): string | null {
  const named = ({ text, statement: { names } }: Clauses) =>
    [...text.matchAll(PLACE)].filter(([, , word = '']) =>
      termsOf(word).some((term) => names.has(term)),
    )
  for (const [, before, ours = ''] of named(later)) {
    if (termsOf(ours).some((term) => earlier.terms.has(term))) continue
    const other = named(earlier).find(([, preposition]) => preposition === before)
    if (other) return `${before} ${ours} after ${before} ${other[2]}`
  }
  return null
}

/** "time out" is also "timeout". */
function withJoined({ statement }: Clauses): ReadonlySet<string> {
  const { words, terms } = statement
  const joined = new Set(
    [...terms].filter((term) => !RATE_TERMS().has(term) && !changing().has(term)),
  )
  for (let at = 1; at < words.length; at += 1)
    for (const term of termsOf(`${words[at - 1]}${words[at]}`))
      if (isCompound(term)) joined.add(term)
  return joined
}

const COMPOUNDS = once(
  (): ReadonlySet<string> =>
    new Set(termsOf('timeout rollback lookup setup login logout backup checkout standup startup')),
)
const isCompound = (term: string): boolean => COMPOUNDS().has(term)

/** Two subjects with names of their own are two things. */
const namesAgree = (left: Statement, right: Statement): boolean => {
  const [ours, theirs] = [left.names, right.names]
  const onlyOurs = [...ours].filter((name) => !right.terms.has(name))
  const onlyTheirs = [...theirs].filter((name) => !left.terms.has(name))
  return onlyOurs.length === 0 || onlyTheirs.length === 0
}
