export const PIECE_CHARS = 150_000 // fits a body even where every character takes six bytes

/** A text in pieces that fit a memory each, never cut within a character; one piece of an empty text. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  for (let start = 0; start === 0 || start < text.length; ) {
    const end = Math.min(start + PIECE_CHARS, text.length)
    const isWithin = /[\ud800-\udbff]$/.test(text.slice(start, end))
    const cut = isWithin && end < text.length ? end - 1 : end
    pieces.push(text.slice(start, cut))
    start = Math.max(cut, 1)
  }
  return pieces
}
