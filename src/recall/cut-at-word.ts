const ELLIPSIS = '…'

/**
 * At most `max` UTF-16 units of a text, cut between words, with an ellipsis after a cut. Without a
 * word boundary in the second half, the cut falls inside a word: a text without spaces should not
 * become nearly empty.
 */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text
  if (max < 1) return ''
  const room = max - ELLIPSIS.length
  const boundary = lastBoundary(text, room)
  const end = boundary * 2 >= room ? boundary : wholeCharacters(text, room)
  return text.slice(0, end).trimEnd() + ELLIPSIS
}

/** The last word end at or before `at`. */
function lastBoundary(text: string, at: number): number {
  let end = at
  while (end > 0 && !/\s/.test(text[end] ?? '')) end -= 1
  return end
}

/** A surrogate pair is one character: a cut inside the pair moves before the pair. */
function wholeCharacters(text: string, at: number): number {
  const inside = (text.codePointAt(at - 1) ?? 0) > 0xffff
  return inside ? at - 1 : at
}
