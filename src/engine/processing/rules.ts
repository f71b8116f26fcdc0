import type { Kind } from '../../domain/ids.ts'
import type { SUGGESTED_KINDS } from '../../domain/kinds/suggestion.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { TransitionName } from '../../domain/vocabulary.ts'
import { foldText } from '../../domain/words/terms.ts'
import { commonLessons } from '../../recall/patterns.ts'
import type { Drafted } from './prompt.ts'

type OutcomeType = 'success' | 'failure' | 'partial'

const WORD = "(?<![\\p{L}\\p{N}'])"
const END = '(?![\\p{L}\\p{N}])'
const anyOf = (words: string): RegExp =>
  new RegExp(
    `${WORD}(?:${words
      .trim()
      .split(/\s*\n\s*/)
      .join('|')})${END}`,
    'u',
  )

/** Whole words: "unsuccessful" is no success, and "the download completed" is one. */
const SUCCEEDED = anyOf(`
  success(?:ful|fully|es)?
  succeed(?:s|ed)
  done
  complet(?:ed|es)
  finish(?:ed|es)
  accomplish(?:ed|es)
  fixed
  solved
  resolved
  shipped
  released
  deployed
  merged
  works?
  worked
  pass(?:ed|es)
`)
const FAILED = anyOf(`
  unsuccessful(?:ly)?
  fail(?:s|ed|ure|ures|ing)?
  errors?
  errored
  broke(?:n)?
  crash(?:ed|es)
  unable to
  (?:could|can|did|does|do|was|were|is|are|would|will)(?: ?not|n't)
  never
  impossible
  timed out
  rolled back
  missed
  lost
`)
const PARTLY = anyOf(`
  partly
  partial(?:ly)?
  half(?:way)?
  mostly
  almost
  nearly
  in part
  some of
`)
/** A failure word in a phrase of success. */
const HARMLESS =
  /(?:without|no|zero)(?: any| a single| further)? (?:errors?|failures?|crash(?:es)?)/gu

/** The outcome that a text states; null where the text states none. */
export function outcomeOf(text: string): OutcomeType | null {
  const folded = foldText(text)
  const plain = folded.replace(HARMLESS, ' success ')
  const [good, bad, part] = [SUCCEEDED, FAILED, PARTLY].map((words) => words.test(plain))
  if (part || (good && bad && !isDenied(plain))) return 'partial'
  if (bad) return 'failure'
  return good ? 'success' : null
}

/** "Was not completed" names a success and denies it. */
const isDenied = (plain: string): boolean =>
  /(?:not|n't|never|unable to|fail(?:ed|s)? to)(?: \p{L}+){0,2} (?:success\p{L}*|succeed\p{L}*|done|complet\p{L}+|finish\p{L}*|accomplish\p{L}*|fix\p{L}*|solv\p{L}+|resolv\p{L}+|ship\p{L}*|releas\p{L}+|deploy\p{L}*|merg\p{L}+|work\p{L}*|pass\p{L}*)/u.test(
    plain,
  )

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

interface Telling {
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

export type TargetKind = (typeof SUGGESTED_KINDS)[number]

/** One processing step from a source kind to a target kind. */
export interface Transition {
  readonly from: Kind
  readonly to: TargetKind
  readonly dueFrom: number
  /** Number of memories in one batch. */
  readonly batch: number
  readonly sourcesMin: number
  readonly confidenceMin: number
  /** True to use only protected sources. */
  readonly protectedOnly: boolean
}

const OPEN = { sourcesMin: 1, confidenceMin: 0, protectedOnly: false } as const

const TRANSITIONS: Readonly<Record<TransitionName, Transition>> = {
  raw_to_episode: { from: 'raw', to: 'episode', dueFrom: 10, batch: 10, ...OPEN },
  raw_to_note: { from: 'raw', to: 'note', dueFrom: 10, batch: 10, ...OPEN },
  episode_to_belief: {
    from: 'episode',
    to: 'belief',
    dueFrom: 5,
    batch: 10,
    sourcesMin: 3,
    confidenceMin: 0.6,
    protectedOnly: false,
  },
  episode_to_goal: { from: 'episode', to: 'goal', dueFrom: 5, batch: 10, ...OPEN },
  episode_to_relationship: { from: 'episode', to: 'relationship', dueFrom: 3, batch: 5, ...OPEN },
  belief_to_value: {
    from: 'belief',
    to: 'value',
    dueFrom: 5,
    batch: 10,
    sourcesMin: 5,
    confidenceMin: 0,
    protectedOnly: true,
  },
  episode_to_drive: { from: 'episode', to: 'drive', dueFrom: 5, batch: 10, ...OPEN },
}

export const transitionNamed = (name: TransitionName): Transition => TRANSITIONS[name]

/** A memory as a source of processing. */
export interface Source {
  readonly ref: string
  readonly text: string
  readonly lessons: readonly string[]
  readonly confidence: number
  readonly isProtected: boolean
  /** Emotional arousal, from 0 to 1. */
  readonly arousal: number
  readonly ageMs: number
}

const AROUSAL_DUE = 3 // sum over all waiting memories
const AGE_DUE_MS = 24 * 3_600_000 // longest wait of the oldest memory

/** True if enough memories wait, or they are arousing enough, or one waits too long. */
export function isDue({ dueFrom, protectedOnly }: Transition, waiting: readonly Source[]): boolean {
  const eligible = protectedOnly ? waiting.filter(({ isProtected }) => isProtected) : waiting
  if (eligible.length === 0) return false
  const arousal = eligible.reduce((sum, source) => sum + source.arousal, 0)
  return (
    eligible.length >= dueFrom ||
    arousal >= AROUSAL_DUE ||
    eligible.some(({ ageMs }) => ageMs >= AGE_DUE_MS)
  )
}
