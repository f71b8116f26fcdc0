import type { Embedder } from '../../ports/models.ts'
import type { TextEmbedder } from './text-embedder.ts'

/** The built-in text embedder behind the port of all providers. */
export function builtInEmbedder(embedder: TextEmbedder): Embedder {
  const { id, dimension } = embedder
  return {
    id,
    dimension,
    embed: async (texts, { signal } = {}) => {
      const values = new Int8Array(texts.length * dimension)
      for (const [at, text] of texts.entries()) {
        signal?.throwIfAborted()
        embedder.embedInto(text, values, at * dimension)
      }
      return { embedder: id, dimension, count: texts.length, values }
    },
  }
}
