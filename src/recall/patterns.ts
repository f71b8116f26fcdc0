import { foldText, termsOf } from '../domain/words/terms.ts'

export interface CommonLesson {
  /** The earliest wording. */
  readonly lesson: string
  /** Episodes with the lesson, without duplicates, in the given order. */
  readonly refs: readonly string[]
  readonly count: number
}

const EPISODES_MIN = 2

/** Words that make order matter: "tabs, not spaces" is not "spaces, not tabs". */
const ORDER_BEARING =
  /\b(?:not|no|never|without|than|over|before|after|instead|from|to|until|unless|if|when)\b|n't\b/u
/** Signs that no term holds and that tell two things apart: C, C# and C++; 5 and 5 %. */
const TELLING_SIGNS = /(?<=[\p{L}\p{N}])[+#%]+|[$€£<>=]+(?=\p{N})/gu

/** Lessons that recur across at least `min` episodes, most frequent first, then earliest. */
export function commonLessons(
  episodes: readonly { readonly ref: string; readonly lessons: readonly string[] }[],
  { min = EPISODES_MIN }: { readonly min?: number } = {},
): readonly CommonLesson[] {
  const found = new Map<string, { readonly lesson: string; readonly refs: Set<string> }>()
  for (const { ref, lessons } of episodes) {
    for (const lesson of lessons) {
      const key = lessonKey(lesson)
      if (key === '') continue
      const known = found.get(key)
      if (known) known.refs.add(ref)
      else found.set(key, { lesson: lesson.trim(), refs: new Set([ref]) })
    }
  }
  return [...found.values()]
    .filter(({ refs }) => refs.size >= min)
    .map(({ lesson, refs }) => ({ lesson, refs: [...refs], count: refs.size }))
    .sort((a, b) => b.count - a.count)
}

/** Equal for two wordings of a lesson; empty for a lesson without words. */
function lessonKey(lesson: string): string {
  const folded = foldText(lesson)
  const terms = termsOf(lesson)
  if (terms.length === 0) return folded.replace(/\s+/gu, ' ').trim()
  const signs = folded.match(TELLING_SIGNS) ?? []
  const bag = ORDER_BEARING.test(folded) ? terms : terms.toSorted()
  return [...bag, ...signs.toSorted()].join(' ')
}
