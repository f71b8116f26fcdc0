/** The lengths are equal by construction: the same embedder made both. */
export function cosine(a: Int8Array, b: Int8Array): number {
  let dot = 0
  for (let at = 0; at < a.length; at += 1) dot += (a[at] ?? 0) * (b[at] ?? 0)
  return cosineOf(dot, squareOf(a), squareOf(b))
}

/** The square of a vector's length. */
export function squareOf(vector: Int8Array): number {
  let square = 0
  for (let at = 0; at < vector.length; at += 1) square += (vector[at] ?? 0) ** 2
  return square
}

/** Computed from integers, which are equal for every way of computing them. */
export const cosineOf = (dot: number, squareOfA: number, squareOfB: number): number =>
  dot === 0 ? 0 : dot / Math.sqrt(squareOfA * squareOfB)
