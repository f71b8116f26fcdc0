const ELLIPSIS = '…'

/**
 * At most `max` UTF-16 units of a text, ending between words and with an ellipsis where something
 * was left out. A word that would take more than half the room with it is cut itself: a text without
 * spaces says more with a broken end than with none.
 */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text
  if (max < 1) return ''
  const room = max - ELLIPSIS.length
  const boundary = lastBoundary(text, room)
  const end = boundary * 2 >= room ? boundary : wholeCharacters(text, room)
  return text.slice(0, end).trimEnd() + ELLIPSIS
}

/** The last place at or before `at` where a word has just ended. */
function lastBoundary(text: string, at: number): number {
  let end = at
  while (end > 0 && !/\s/.test(text[end] ?? '')) end -= 1
  return end
}

/** A pair of surrogates is one character: the place before it, not the one inside it. */
function wholeCharacters(text: string, at: number): number {
  const inside = (text.codePointAt(at - 1) ?? 0) > 0xffff
  return inside ? at - 1 : at
}
