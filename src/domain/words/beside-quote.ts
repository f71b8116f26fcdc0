/*
 * A sentence beside a quoted sentence can turn the quote round without a word of it: "Wrong!",
 * "That was the old rule.", "Pretend this is our policy.". A quote lifts nothing beside such a
 * sentence, nor beside a fragment of which nobody can tell what it does.
 */

/** The writer tells a story, shows words of others, or plays. */
const FRAMES_WORDS =
  /\b(?:pretend|dream\w*|lies?|manual|parrot\w*|imagine|suppose|assume|hypothetical\w*|draft|example|sample|template|quiz|joke|story|novel|poem|lyrics|fiction|once upon|opposite|forum|headline|article|spam|scam\w*|phish\w*|fake|hoax|rumou?rs?|myth|injection|true or false|wrote|writes|written|says?|said|claims?|claimed|heard|quotes?|quoted|posted|reads?|sent|stell dir vor|angenommen|beispiel|schrieb|sagt|imagine|exemple|écrit|ejemplo|escribió|dice)\b/iu

const POINTS_AT = /\b(?:this|that|these|those|them|above|following|it)\b/iu

/** An answer to the sentence before: "Wrong!", "That was the old rule.", "(or so they say)". */
const ANSWERS =
  /^(?:\(|["“«]|(?:that|this|which|those|these|such|not|no|nope|wrong|false|never|untrue|or|but|at least|just|haha|lol|ha|as if|right|sure|yeah|das|dies|nicht|nein|falsch|ça|cela|non|faux|eso|falso)(?!\p{L}))/iu

/** Fragments that only greet, thank or announce. */
const COURTESY =
  /^(?:(?:hi|hello|hey|dear|thanks|thank|ok|okay|yes|yep|good|morning|evening|afternoon|please|note|update|quick|fyi|ps|also|and|so|well|great|perfect|cool|by|the|way|for|record|reminder|now|next|one|there|bye|goodbye|just|know|first|second|finally|sorry|again|hallo|danke|bonjour|merci|hola|gracias)(?!\p{L})|you|claude|all|team|everyone|\P{L})+$/iu

const FRAGMENT_WORDS_MAX = 4
const VERB =
  /\b(?:am|is|are|was|were|be|been|have|has|had|do|does|did|can|could|will|would|shall|should|may|might|must|need|want|use|live|work|like|call|book|add|write|make|find|help|tell|show|check|fix|update|remember|send|give|put|set|ist|sind|bin|habe|hat|est|sont|suis|es|son|soy)\b|['’](?:m|s|re|ve|ll)\b/iu

/** "We moved.", "Please plan the pickup." */
const WISH = /^(?:please|i|we)(?!\p{L})/iu

const isFragment = (text: string): boolean =>
  text.split(/\s+/u).length <= FRAGMENT_WORDS_MAX &&
  ![VERB, COURTESY, WISH].some((whole) => whole.test(text))

const QUESTION = /\?\s*$/u
const ASKS_WHICH = /\b(?:of|is|are) (?:this|these|those|them)\b/iu

/** True where a sentence before or after a quote may say what the quoted words are. */
export function isTurnedBeside(
  before: string | undefined,
  after: string | undefined,
  all: readonly string[],
): boolean {
  if (all.some((text) => QUESTION.test(text) && ASKS_WHICH.test(text))) return true
  return (before !== undefined && mayFrame(before)) || (after !== undefined && mayAnswer(after))
}

const mayFrame = (text: string): boolean =>
  FRAMES_WORDS.test(text) || (QUESTION.test(text) ? POINTS_AT.test(text) : isFragment(text))

const mayAnswer = (text: string): boolean =>
  ANSWERS.test(text) || (QUESTION.test(text) ? ASKS_ABOUT.test(text) : isFragment(text))

const ASKS_ABOUT = /^(?:who|what|is|really|says)\b[^,;]{0,24}\b(?:this|that|it|so|who)\s*\?/iu
