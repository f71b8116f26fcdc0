/** A word that names a kind of another: "puppy" of "pet". The term is stemmed as search has it. */
export interface KindMember {
  readonly term: string
  /** 0 to 1: how often both words are meant so, and how much the kind tells. */
  readonly strength: number
}
