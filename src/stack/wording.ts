import type { Uses } from './uses.ts'

/** What memories are looked for by, so that a part of a word finds the words that begin with it. */
export interface Wording {
  /** The terms of the question and those that begin with one of them. */
  readonly terms: readonly string[]
  /** The term of the question that each of the others begins with. */
  readonly beginning: ReadonlyMap<string, string>
}

export async function wordingOf(read: Uses['read'], asked: readonly string[]): Promise<Wording> {
  const begun = asked.length === 0 ? [] : await read({ type: 'begins', terms: asked })
  const own = new Set(asked)
  const beginning = new Map<string, string>()
  for (const [at, terms] of begun.entries()) {
    for (const term of terms) {
      if (!own.has(term) && !beginning.has(term)) beginning.set(term, asked[at] ?? term)
    }
  }
  return { terms: [...asked, ...beginning.keys()], beginning }
}

/** The terms of a text, with what the question only begins standing as the question has it. */
export const asWorded = ({ beginning }: Wording, terms: readonly string[]): readonly string[] =>
  beginning.size === 0 ? terms : terms.map((term) => beginning.get(term) ?? term)

/** How many memories hold each term of the question, or one that begins with it. */
export function holdingOf(
  { terms, beginning }: Wording,
  counts: readonly number[],
  documents: number,
): ReadonlyMap<string, number> {
  const holding = new Map<string, number>()
  for (const [at, term] of terms.entries()) {
    const asked = beginning.get(term) ?? term
    const sum = (holding.get(asked) ?? 0) + (counts[at] ?? 0)
    holding.set(asked, Math.min(documents, sum))
  }
  return holding
}
