export const LEVELS = ['calm', 'aware', 'elevated', 'high', 'critical'] as const

export type Level = (typeof LEVELS)[number]

/** The highest score of each level but the last, for somebody who is asked for the first time. */
const TOPS = [30, 50, 70, 85] as const

/** A level is entered at the one score and left below the other, so that it does not flicker. */
const ENTERED_AT = [35, 55, 75, 90] as const
const LEFT_BELOW = [25, 45, 65, 80] as const

export const isLevel = (value: unknown): value is Level => LEVELS.some((level) => level === value)

/** The level of a score, given the level before; null where none was known. */
export function levelAfter(score: number, before: Level | null): Level {
  if (before === null) {
    const first = TOPS.findIndex((top) => score <= top)
    return levelAt(first < 0 ? TOPS.length : first)
  }
  let at = LEVELS.indexOf(before)
  while (at < ENTERED_AT.length && score >= (ENTERED_AT[at] ?? Infinity)) at += 1
  while (at > 0 && score < (LEFT_BELOW[at - 1] ?? -Infinity)) at -= 1
  return levelAt(at)
}

const levelAt = (index: number): Level => LEVELS[index] ?? 'critical'
