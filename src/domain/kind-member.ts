/** A word for a kind of another word: "puppy" of "pet". The term is stemmed as in search. */
export interface KindMember {
  readonly term: string
  /** 0 to 1: how often both words have this sense, and how much the kind tells. */
  readonly strength: number
}
