/**
 * The order of UTF-8 bytes, equal to code point order: databases sort by these bytes. Units of a
 * JavaScript string order the characters beyond U+FFFF before some smaller characters.
 */
export function byteOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (x !== y) return rankOf(x) - rankOf(y)
  }
  return a.length - b.length
}

const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff
const BEYOND = 0x10000

/** Halves of characters beyond U+FFFF come after every whole character. */
const rankOf = (unit: number): number =>
  unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + BEYOND : unit
