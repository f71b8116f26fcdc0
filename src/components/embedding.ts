import type { ComponentHost, StackComponent } from '../ports/component.ts'

/** Keeps the vectors that search uses up to date. */
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
    onMaintenance: async () => {
      const done = await host?.reindex()
      return done && { reIndexed: done.reIndexed }
    },
  }
}
