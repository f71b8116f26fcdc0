/** Text to a vector whose direction is what the text means; the same text gives the same bytes. */
export interface Meaning {
  /** Vectors of another id are never compared with these. */
  readonly id: string
  readonly dimension: number
  embed(text: string): Int8Array
}

/** What the table of words knows of words that are given by their hashes. */
export interface WordSense {
  /** Eighths of a bit that a word tells by how rarely it is used. */
  rarityOf(word: number, term: number): number
  /** The vector of a text by its print; words that the table lacks have no part in it. */
  vectorOf(print: Uint32Array): Int8Array
}
