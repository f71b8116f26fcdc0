import { LIMITS } from '../../domain/limits.ts'
import type { TransitionName } from '../../domain/vocabulary.ts'
import { foldText } from '../../domain/words/terms.ts'
import { commonLessons } from '../../recall/patterns.ts'
import type { Drafted } from './drafted.ts'
import { outcomeOf } from './outcome.ts'
import type { Source } from './transitions.ts'

type Patterns = readonly (readonly [pattern: RegExp, weight: number])[]

/** Patterns of a capture about an event, … */
const EPISODE: Patterns = [
  [/\b(?:completed|finished|shipped|released|deployed|launched|merged|delivered)\b/u, 0.8],
  [/\b(?:fixed|solved|resolved|repaired|debugged)\b/u, 0.6],
  [/\b(?:failed|broke|crashed|could not|couldn't|unable to|unsuccessful)\b/u, 0.7],
  [/\b(?:tried|attempted|worked on|built|implemented|wrote|migrated|set up)\b/u, 0.7],
  [/\b(?:learn(?:ed|t)|reali[sz]ed|lesson|turned out|found out)\b/u, 0.7],
  [/\b(?:today|yesterday|this morning|last (?:night|week)|after|when (?:i|we)|then)\b/u, 0.4],
  [/\b(?:because|due to|so that|which caused|as a result)\b/u, 0.6],
]

/** … about a belief, … */
const BELIEF: Patterns = [
  [/\b(?:i|we) (?:believe|think|hold|suspect|feel that)\b/u, 0.9],
  [/\b(?:always|never|every time|usually|tends? to)\b/u, 0.7],
  [/\b(?:should|must|ought to|have to|need to)\b/u, 0.7],
  [/\b(?:better|worse|best|worst|prefer|rather than|more important)\b/u, 0.7],
  [/\b(?:is|are) (?:important|essential|crucial|dangerous|harmful|useful|worth)\b/u, 0.6],
  [/\b(?:means that|implies|in general|generally|the rule is|principle)\b/u, 0.6],
  [/\b(?:pattern|keeps? happening|again and again|each time)\b/u, 0.5],
]

/** … or about a fact worth keeping. */
const NOTE: Patterns = [
  [/\b(?:decided|decision|agreed|chose|we will|going with)\b/u, 0.8],
  [/\b(?:note|remember|keep in mind|important|fyi|reminder)\b/u, 0.7],
  [/["“”]|\b(?:said|told|quoted|mentioned|asked)\b/u, 0.6],
  [/\b(?:idea|insight|interesting|what if|maybe we)\b/u, 0.6],
  [/https?:\/\/|\bsee\b|\bdocs?\b/u, 0.5],
  [/\b(?:meeting|call|talked|spoke|met)\b/u, 0.5],
  [/\b\d{4}-\d{2}-\d{2}\b|\b\d+(?:\.\d+)?(?:%|ms|s|kb|mb|gb)(?!\w)|\$\d/u, 0.5],
]

const TELLING_SHARE = 0.5 // half of all weights gives the highest score
const TELLING_MIN = 0.4 // lower scores count as none
const TEXT_CHARS_MIN = 10 // shortest capture to draft from
const TEXT_CHARS_MAX = 4_000 // longest capture to draft from; longer texts have several topics

export interface Telling {
  readonly episode: number
  readonly belief: number
  readonly note: number
}

/** Scores of a text for each kind, from 0 to 1. */
export function tellingOf(text: string): Telling {
  const folded = foldText(text.slice(0, TEXT_CHARS_MAX))
  return {
    episode: share(EPISODE, folded),
    belief: share(BELIEF, folded),
    note: share(NOTE, folded),
  }
}

function share(patterns: Patterns, text: string): number {
  const sum = (list: Patterns): number => list.reduce((all, [, weight]) => all + weight, 0)
  const matched = sum(patterns.filter(([pattern]) => pattern.test(text)))
  return Math.min(1, matched / (TELLING_SHARE * sum(patterns)))
}

const LESSON_EPISODES_MIN = 3 // episodes with an equal lesson
const LESSON_CONFIDENCE = 0.7 // of beliefs from recurrence alone

/** Drafts without a model; null for transitions without a rule. */
export function draftedByRule(
  transition: TransitionName,
  sources: readonly Source[],
): readonly Drafted[] | null {
  switch (transition) {
    case 'raw_to_episode':
      return sources.flatMap(asEpisode)
    case 'raw_to_note':
      return sources.flatMap(asNote)
    case 'episode_to_belief':
      return recurring(sources)
    default:
      return null
  }
}

const isLongEnough = ({ text }: Source): boolean =>
  text.trim().length >= TEXT_CHARS_MIN && text.length <= TEXT_CHARS_MAX

const whole = ({ ref, text }: Source) => [{ source: ref, quote: text }]

function asEpisode(source: Source): readonly Drafted[] {
  const { episode, belief } = tellingOf(source.text)
  if (!isLongEnough(source) || episode < TELLING_MIN || belief > episode) return []
  const [first = source.text, ...rest] = source.text.split(/(?<=[.!?])\s+/u)
  const outcome = rest.length === 0 ? source.text : rest.join(' ')
  const outcomeType = outcomeOf(source.text)
  const content = { objective: first, outcome, ...(outcomeType && { outcomeType }) }
  return [{ content, confidence: rounded(episode), cites: whole(source) }]
}

/** Only captures that are no episode: one capture gives one memory. */
function asNote(source: Source): readonly Drafted[] {
  const { episode, belief, note } = tellingOf(source.text)
  const telling = Math.max(belief, note)
  if (!isLongEnough(source) || telling < TELLING_MIN) return []
  if (episode >= TELLING_MIN && belief <= episode) return []
  const noteType = belief > note ? 'insight' : 'note'
  const content = { content: source.text, noteType }
  return [{ content, confidence: rounded(telling), cites: whole(source) }]
}

/** A lesson cites its earliest episodes, up to the limit. */
function recurring(sources: readonly Source[]): readonly Drafted[] {
  const byRef = new Map(sources.map((source) => [source.ref, source]))
  return commonLessons(sources, { min: LESSON_EPISODES_MIN }).map(({ lesson, refs }) => ({
    content: { statement: lesson, beliefType: 'pattern' },
    confidence: LESSON_CONFIDENCE,
    cites: refs.slice(0, LIMITS.parentsMax).flatMap((ref) => quoteOf(byRef.get(ref), lesson)),
  }))
}

/** The lesson in the words of each episode, which may differ from the first. */
function quoteOf(source: Source | undefined, lesson: string) {
  const own = source?.lessons.find(
    (each) =>
      commonLessons([
        { ref: 'own', lessons: [each] },
        { ref: 'other', lessons: [lesson] },
      ]).length > 0,
  )
  return source === undefined || own === undefined ? [] : [{ source: source.ref, quote: own }]
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000
