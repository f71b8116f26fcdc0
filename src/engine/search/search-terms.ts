import type { Read } from '../world.ts'

/**
 * Terms for finding memories; a part of a word also finds words that begin with the part or contain
 * the part.
 */
export interface SearchTerms {
  readonly terms: readonly string[]
  readonly partOf: ReadonlyMap<string, string>
  /** Terms that name a kind of a question's term, for finding further memories. */
  readonly kinds: readonly string[]
}

const KINDS_MAX = 160 // the most used; each is a look into the index

export async function searchTermsOf(
  read: Read,
  asked: readonly string[],
  kinds: Iterable<string> = [],
): Promise<SearchTerms> {
  const begun = asked.length === 0 ? [] : await read({ type: 'begins', terms: asked })
  const own = new Set(asked)
  const partOf = new Map<string, string>()
  for (const [at, terms] of begun.entries()) {
    for (const term of terms) {
      if (!own.has(term) && !partOf.has(term)) partOf.set(term, asked[at] ?? term)
    }
  }
  const terms = [...asked, ...partOf.keys()]
  const others = [...kinds].filter((term) => !partOf.has(term))
  return { terms, partOf, kinds: others.slice(0, KINDS_MAX) }
}

/** The terms of a text, with completions replaced by the question's term. */
export const withQuestionTerms = (
  { partOf }: SearchTerms,
  terms: readonly string[],
): readonly string[] => (partOf.size === 0 ? terms : terms.map((term) => partOf.get(term) ?? term))

export function holdingOf(
  { terms, partOf }: SearchTerms,
  counts: readonly number[],
  documents: number,
): ReadonlyMap<string, number> {
  const holding = new Map<string, number>()
  for (const [at, term] of terms.entries()) {
    const asked = partOf.get(term) ?? term
    const sum = (holding.get(asked) ?? 0) + (counts[at] ?? 0)
    holding.set(asked, Math.min(documents, sum))
  }
  return holding
}
