/** The leaves from `start` up to but not including `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** The left part is the largest power of two that leaves at least a leaf for the right. */
export function halves({ start, end }: Range): readonly [Range, Range] {
  let width = 1
  while (width * 2 < end - start) width *= 2
  return [
    { start, end: start + width },
    { start: start + width, end },
  ]
}

/** The ranges whose roots are the siblings of a leaf, lowest first (RFC 6962 PATH). */
export function inclusionRanges(index: number, range: Range): readonly Range[] {
  if (range.end - range.start === 1) return []
  const [left, right] = halves(range)
  return index < left.end
    ? [...inclusionRanges(index, left), right]
    : [...inclusionRanges(index, right), left]
}

/** The ranges whose roots show that a tree of `oldSize` became this tree (RFC 6962 PROOF). */
export function consistencyRanges(oldSize: number, range: Range): readonly Range[] {
  if (oldSize === range.end) {
    // A range from the first leaf on is the old tree itself, whose root the verifier holds.
    return range.start === 0 ? [] : [range]
  }
  const [left, right] = halves(range)
  return oldSize <= left.end
    ? [...consistencyRanges(oldSize, left), right]
    : [...consistencyRanges(oldSize, right), left]
}
