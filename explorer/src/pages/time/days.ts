/** The entries of a day (UTC). */
export interface Day {
  readonly day: string
  readonly entries: number
  readonly first: number
  readonly last: number
}

const DAY_MS = 86_400_000

const dayOf = (time: string): string => time.slice(0, 10)

/** Entries by day, from the first day to the last, with the days between that have none. */
export function daysOf(
  entries: readonly { readonly seq: number; readonly time: string }[],
): readonly Day[] {
  const days = new Map<string, Day>()
  for (const { seq, time } of entries) {
    const day = dayOf(time)
    const known = days.get(day)
    days.set(day, {
      day,
      entries: (known?.entries ?? 0) + 1,
      first: Math.min(known?.first ?? seq, seq),
      last: Math.max(known?.last ?? seq, seq),
    })
  }
  const named = [...days.keys()].sort()
  const [from] = named
  const to = named.at(-1)
  if (from === undefined || to === undefined) return []
  const length = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return Array.from({ length }, (_, index) => {
    const day = dayOf(new Date(Date.parse(from) + index * DAY_MS).toISOString())
    return days.get(day) ?? { day, entries: 0, first: -1, last: -1 }
  })
}

/**
 * The last entry at or before a time, found by halving; -1 before the first entry. `timeAt` reads
 * the time of an entry.
 */
export async function lastUntil(
  time: string,
  head: number,
  timeAt: (seq: number) => Promise<string>,
): Promise<number> {
  let low = -1
  let high = head
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((await timeAt(middle)) <= time) low = middle
    else high = middle - 1
  }
  return low
}
