/** Edit distance: letters inserted, removed, changed or swapped with a neighbour. */
export function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const now = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + change,
      )
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? best) + 1)
      }
      now.push(best)
    }
    beforeLast = last
    last = now
  }
  return last[b.length] ?? a.length
}

const DISTANCE_MAX = 3 // further away, a guess is noise

/** The probable word, or nothing when none is near. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const max = Math.min(DISTANCE_MAX, Math.max(1, Math.floor(typed.length / 3)))
  // Two slips in a short word are common: “nto” for “note”. The first letter has to be right then.
  const maxFor = (candidate: string): number =>
    typed.length > 2 && candidate[0] === typed[0] ? Math.max(2, max) : max
  const ranked = words
    .map((candidate) => ({
      candidate,
      away: typed.length > 2 && candidate.startsWith(typed) ? 1 : distance(typed, candidate),
    }))
    .sort((a, b) => a.away - b.away)
  const [best] = ranked
  return best && best.away <= maxFor(best.candidate) ? best.candidate : undefined
}
