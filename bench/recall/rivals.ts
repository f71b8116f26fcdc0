import { staticEmbedder } from '../../src/compose/static-embedder.ts'
import { queryTerms, termsOf } from '../../src/domain/words/terms.ts'
import type { Conversation } from './data.ts'

/** A ranking of turns to compare with: the ids of a conversation's turns, best first. */
export type Rival = (question: string) => readonly string[]

const K1 = 1.2
const B = 0.75

const ordered = ({ turns }: Conversation, scores: readonly number[]): readonly string[] =>
  turns
    .map(({ id }, at) => ({ id, at, score: scores[at] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .map(({ id }) => id)

/** Plain bm25 over stemmed terms, any telling word of the question. */
export function bm25(conversation: Conversation): Rival {
  const texts = conversation.turns.map(({ text }) => termsOf(text))
  const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
  const counts = texts.map((terms) => {
    const times = new Map<string, number>()
    for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1)
    return times
  })
  return (question) => {
    const scores = texts.map(() => 0)
    for (const term of queryTerms(question)) {
      const held = counts.filter((times) => times.has(term)).length
      const idf = Math.max(1e-6, Math.log((texts.length - held + 0.5) / (held + 0.5)))
      counts.forEach((times, at) => {
        const count = times.get(term) ?? 0
        const norm = K1 * (1 - B + (B * (texts[at]?.length ?? 0)) / average)
        scores[at] = (scores[at] ?? 0) + (idf * count * (K1 + 1)) / (count + norm)
      })
    }
    return ordered(conversation, scores)
  }
}

/** The embedder of the package alone. */
export function meaningAlone(conversation: Conversation): Rival {
  const embedder = staticEmbedder()
  const vectors = conversation.turns.map(({ text }) => embedder.embed(text))
  return (question) => {
    const asked = embedder.embed(question)
    const scores = vectors.map((vector) =>
      vector.reduce((sum, component, at) => sum + component * (asked[at] ?? 0), 0),
    )
    return ordered(conversation, scores)
  }
}
