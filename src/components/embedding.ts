import type { ComponentHost, StackComponent } from '../ports/component.ts'

/**
 * Keeps the vectors that search uses up to date: those of the stack's own table of words, or of the
 * model that a core brings. Vectors bear the name and dimension of who made them; under another name
 * they are made anew, a stretch at a time, and going back costs nothing.
 */
export function embeddingComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'embedding',
    version: '1.0.0',
    required: true,
    needsInference: true,
    attach: (given) => {
      host = given
    },
    onInference: (inference) => host?.useEmbedder(inference?.embedder ?? null),
    onMaintenance: async () => {
      const done = await host?.reindex()
      return done && { ...done }
    },
  }
}
