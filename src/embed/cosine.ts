/** Of the same length by construction: one embedder made both. */
export function cosine(a: Int8Array, b: Int8Array): number {
  let dot = 0
  let ofA = 0
  let ofB = 0
  for (let at = 0; at < a.length; at += 1) {
    const x = a[at] ?? 0
    const y = b[at] ?? 0
    dot += x * y
    ofA += x * x
    ofB += y * y
  }
  return dot === 0 ? 0 : dot / Math.sqrt(ofA * ofB)
}
