import type { Uses } from '../engine.ts'

/** What memories are looked for by, so that a part of a word finds the words that begin with it or hold it. */
export interface Wording {
  /** The terms of the question and those that one of them is a part of. */
  readonly terms: readonly string[]
  /** The term of the question that is a part of each of the others. */
  readonly partOf: ReadonlyMap<string, string>
  /** Terms that name a kind of what is asked for, by which memories are found as well. */
  readonly kinds: readonly string[]
}

const KINDS_MAX = 160 // the most used; each is a look into the index

export async function wordingOf(
  read: Uses['read'],
  asked: readonly string[],
  kinds: Iterable<string> = [],
): Promise<Wording> {
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

/** The terms of a text, with what the question names a part of standing as the question has it. */
export const asWorded = ({ partOf }: Wording, terms: readonly string[]): readonly string[] =>
  partOf.size === 0 ? terms : terms.map((term) => partOf.get(term) ?? term)

/** How many memories hold each term of the question, or one that it is a part of. */
export function holdingOf(
  { terms, partOf }: Wording,
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
