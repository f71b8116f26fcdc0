import { foldText } from '../domain/words/terms.ts'

/** Words by which a person asks for every time, and not for once. */
const ALWAYS =
  /\b(?:always|never|ever|every|each|any|anything|everything|whenever|all|from (?:now|today) on|from today|as a rule|in general|by default|without|before|unless|until|instead|keep in mind|remember|prefer|rather|only|no more|not even)\b/u
/** A wish in the first person. */
const I_WANT =
  /\b(?:i|we) (?:(?:really|always|usually|would|'d|also|do) )*(?:want|like|love|prefer|need|expect|hate|dislike|insist|cannot stand|can't stand|am (?:a )?(?:vegetarian|vegan|allergic))\b|\bi(?:'d| would) rather\b|\bi am (?:a )?(?:vegetarian|vegan|allergic)\b|\bmy (?:preference|favou?rite)\b/u
/** Words of a demand or a ban. */
const MUST = /\b(?:must|should|may|shall|can|are|is) (?:never|not|always|only)\b|\bmust\b/u
const ORDER =
  /^(?:please |and |also )*(?:always|never|do not|don't|no|use|write|answer|keep|avoid|tell|show|report|ask|name|put|give|send|speak|call|explain|stop|start with|check|make sure|remember|let|add|leave|prefer|reply|run|test|mark|sign|cite|quote|round|sort|group|forget)\b/u
/** Another's account of a wish: "the user prefers tabs". */
const TOLD =
  /^(?:\S+ ){1,3}?(?:(?:really|always|usually) )?(?:prefers|likes|wants|hates|dislikes|expects|insists|asked (?:us|me) to|does not (?:want|like)|doesn't (?:want|like))\b/u
/** A ban holds until it is lifted, unless it says for how long. */
const BAN =
  /^(?:please )?(?:do not|don't) (?!forget|worry|bother|wait|panic|mind)\p{L}|^(?:no \p{L}+s|nothing with|nothing that) |\b(?:cannot|can't) (?:eat|drink|stand|tolerate|see|hear)\b/u
/** An order about all things of a sort, or about the speaker: "use metric units", "call me Theo". */
const GENERAL =
  /^(?:please )?(?:(?:use|format|sign|name|round|leave|keep) (?!(?:the|this|that|these|those|an?|it|them|one|two|three|our|\p{L}+ing|\p{L}+day)\b)(?!.* (?:for|to|about) the\b)|(?:write|answer|reply|speak)(?: to me| me)? (?:in|as|with|only|\p{L}+(?:ish|man|ench|ese|ian)) ?|(?:call|address|greet|wake) me\b|(?:stick|keep) to )|^\p{L}+s (?:should|in) \p{L}|\bis (?:allergic|vegan|vegetarian)\b/u
const ONCE =
  /\b(?:now|tonight|today|tomorrow|yet|again|first|this (?:time|morning|afternoon|evening|week)|until|for the moment|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/u
const ASKS = /\?\s*$/u
const CHARS_MAX = 400 // a longer prompt is a task

/** True for a wish that holds until the person takes it back; a task for once is none. */
export function isLastingWish(text: string, by: 'person' | 'another'): boolean {
  if (text.length > CHARS_MAX || ASKS.test(text)) return false
  const folded = foldText(text).trim()
  if (by === 'another') return TOLD.test(folded)
  if (I_WANT.test(folded) || TOLD.test(folded)) return true
  if (MUST.test(folded)) return true
  if (!ONCE.test(folded) && (BAN.test(folded) || GENERAL.test(folded))) return true
  return ALWAYS.test(folded) && folded.split(/[.,;:!] /u).some((part) => ORDER.test(part.trim()))
}
