import { isSaid, plainer, type Wanted } from './plain-frame.ts'
import { isPersonWord, sentenceWords, tokensOf } from './sentence-words.ts'
import { termOf } from './terms.ts'

/*
 * A quote lifts a memory only where the memory leaves nothing of the sentence out. A belief has the
 * words of the sentence in their order. A claim lacks one verb of the sentence at most, and its
 * subject stands before its value. Where this cannot be told, nothing is lifted.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Articles, auxiliaries, politeness, and the one who speaks: they add nothing to what is said. */
const ARTICLES = words(
  'a an the der die das den dem ein eine einen le la les un une el los las una',
)
const BE = words('am is are was were be been being bin ist sind suis est soy es')
const SPEAKER = words('i we my our ich wir mein meine unser unsere je j mon ma mes nous yo mi')
const REST = words(
  'has have had do does must of and , ; please also ok okay its now currently always',
)

const isNeutral = (token: string): boolean =>
  ARTICLES.has(token) ||
  BE.has(token) ||
  SPEAKER.has(token) ||
  REST.has(token) ||
  isPersonWord(token)

/** Prepositions that tie a subject or a value to the verb before. */
const TIES = words('in on at to for from with as by under within through into up im am zu zum mit')
/** After a verb these tie too: "expires after 300 seconds", but not "is after Monday". */
const TIES_TO_VERB = words('after before until behind out over every')

/** True where the memory says all that the sentence says. */
export function saysAll(wanted: Wanted, said: string): boolean {
  return wanted.claim === null
    ? isSameStatement(wanted.statement, said)
    : isWholeClaim(wanted, said)
}

function isSameStatement(statement: string, said: string): boolean {
  const own = tokensOf(statement).filter((token) => !isNeutral(token))
  const others = tokensOf(said).filter((token) => !isNeutral(token))
  return (
    own.length === others.length && own.every((token, at) => isSameToken(token, others[at] ?? ''))
  )
}

function isSameToken(one: string, other: string): boolean {
  if (one === other || (other !== '' && termOf(one) === termOf(other))) return true
  return sentenceWords(one).some((a) => sentenceWords(other).some((b) => isSaid(a, b)))
}

/** The sentence as places: of the subject, of the value, of words for the predicate, and the rest. */
type Part = 'subject' | 'value' | 'predicate' | 'neutral' | 'other'

function isWholeClaim({ claim, isAboutPerson }: Wanted, said: string): boolean {
  if (claim === null) return false
  const list = (text: string) => tokensOf(text.replace(/[_-]+/gu, ' '))
  const tokens = tokensOf(plainer(said))
  const value = list(claim.value.replace(/^(?:the|an?) /iu, ''))
  const subject = list(claim.subject).filter((token) => !isNeutral(token))
  const predicate = list(claim.predicate)
  const valueAt = tokens.findIndex((_, at) =>
    value.every((each, index) => isSameToken(each, tokens[at + index] ?? '')),
  )
  const parts = tokens.map((token, at): Part => {
    if (at >= valueAt && at < valueAt + value.length) return 'value'
    const isSubject = isAboutPerson
      ? SPEAKER.has(token) || isPersonWord(token)
      : subject.some((each) => isSameToken(each, token))
    if (isSubject) return 'subject'
    if (predicate.some((each) => isSameToken(each, token))) return 'predicate'
    return isNeutral(token) ? 'neutral' : 'other'
  })
  // "The client of the client" is not the client.
  const isTwice =
    !isAboutPerson && parts.filter((part) => part === 'subject').length > subject.length
  return (
    valueAt >= 0 &&
    !isTwice &&
    isInOrder({ tokens, parts, predicate, isAboutPerson }) &&
    isNothingLeft(said, tokens, parts)
  )
}

interface Placed {
  readonly tokens: readonly string[]
  readonly parts: readonly Part[]
  readonly predicate: readonly string[]
  readonly isAboutPerson: boolean
}

const AGENT = /\p{L}{2}[eo]r$/u
const ROOT_CHARS = 3 // "own" and "owner", "manages" and "manager"

/**
 * The subject stands before the value: "Alice manages Bob" is not about whom Bob manages. A predicate
 * that names the doer, as "manager" or "managed by", has the doer for its value.
 */
function isInOrder(placed: Placed): boolean {
  const { tokens, parts, predicate } = placed
  const [subjectAt, valueAt] = [parts.indexOf('subject'), parts.indexOf('value')]
  const said = tokens.filter(
    (token, at) =>
      parts[at] === 'predicate' || (parts[at] === 'other' && isOfOther(token, predicate)),
  )
  const isDoer = predicate.some((each) => AGENT.test(each) && isOfOther(each, said))
  // "My manager is Bob" does not say whom the person manages.
  if (said.some((each) => AGENT.test(each) && isOfOther(each, predicate))) return false
  if (subjectAt < 0 || valueAt < subjectAt) return isValueFirst(placed, { said, isDoer })
  const between = tokens.slice(subjectAt, valueAt)
  if (isRoleOf(placed, between)) return false
  if (said.length > 0 && predicate.includes('by')) return between.includes('by')
  if (isDoer) return between.some((token) => BE.has(token))
  return said.length === 0 || !isPassive(between)
}

/** True for two forms of one root: "owner" for "owns". */
const isOfOther = (word: string, others: readonly string[]): boolean =>
  !others.includes(word) &&
  others.some(
    (other) =>
      other.slice(0, ROOT_CHARS) === word.slice(0, ROOT_CHARS) &&
      /rs?$/u.test(other) !== /rs?$/u.test(word),
  )

const isPassive = (tokens: readonly string[]): boolean =>
  tokens.includes('by') && tokens.some((token) => BE.has(token))

/** "Alice is the manager of Bob", "Alice is Bob's manager": the manager is the subject, not the value. */
function isRoleOf(
  { tokens, parts, predicate, isAboutPerson }: Placed,
  between: readonly string[],
): boolean {
  if (isAboutPerson || !between.some((token) => BE.has(token))) return false
  const behind = tokens.slice(parts.lastIndexOf('value') + 1)
  const isBehind = behind.some((token) => predicate.includes(token))
  const of = between.lastIndexOf('of')
  const be = between.findIndex((token) => BE.has(token))
  return isBehind || (of > be && !predicate.includes('of'))
}

/** "Lena has the key" for a key holder. */
const isAgent = (predicate: readonly string[], said: readonly string[]): boolean =>
  AGENT.test(predicate.at(-1) ?? '') && !said.includes(predicate.at(-1) ?? '')

interface Order {
  readonly said: readonly string[]
  /** The predicate names the doer of what the sentence tells as a deed. */
  readonly isDoer: boolean
}

function isValueFirst(
  { tokens, parts, predicate, isAboutPerson }: Placed,
  { said, isDoer }: Order,
): boolean {
  const [subjectAt, valueAt] = [parts.indexOf('subject'), parts.indexOf('value')]
  const between = tokens.filter((_, at) => at > valueAt && at < subjectAt && parts[at] !== 'value')
  // "Otter is the name of the server"
  const role = between.filter((token) => !ARTICLES.has(token))
  if (!isAboutPerson && BE.has(role[0] ?? '') && role.at(-1) === 'of')
    return role.slice(1, -1).join(' ') === predicate.join(' ')
  // "Nora is our lawyer", "Professor Adeyemi is my supervisor"
  if (between.some((token) => BE.has(token)) && between.every((token) => isNeutral(token)))
    return isAboutPerson
      ? said.includes(predicate.at(-1) ?? '')
      : said.every((token) => BE.has(token))
  // "We use Buildkite for CI"
  const isFor = between.some((token) => token === 'for' || token === 'as')
  if (isFor && said.length === 0 && SPEAKER.has(tokens[0] ?? '')) return true
  const isOfDoer = isDoer || predicate.includes('by') || isAgent(predicate, said)
  return isOfDoer && !isPassive(between)
}

const INNER_NAME = /(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{M}]*/gu

/** Beside subject, predicate and value stands one verb at most, before the value. */
function isNothingLeft(said: string, tokens: readonly string[], parts: readonly Part[]): boolean {
  const names = new Set((said.match(INNER_NAME) ?? []).map((name) => name.toLowerCase()))
  const end = Math.max(parts.lastIndexOf('value'), parts.lastIndexOf('subject'))
  let verbs = 0
  for (const [at, token] of tokens.entries()) {
    if (parts[at] !== 'other') continue
    const before = tokens[at - 1] ?? ''
    if (at < end && TIES.has(token)) continue
    if (at < end && TIES_TO_VERB.has(token) && parts[at - 1] === 'other') continue
    // "My brother Nils", "the customer Oleander"
    if (parts[at + 1] === 'subject' && names.has(tokens[at + 1] ?? '')) continue
    const isVerb = at > 0 && at < end && !ARTICLES.has(before) && !TIES.has(before)
    if (!isVerb || /\p{L}{3}ly$/u.test(token)) return false
    verbs += 1
  }
  return verbs <= 1
}
