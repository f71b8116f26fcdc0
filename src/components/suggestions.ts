import type { ComponentHost, StackComponent } from '../ports/component.ts'

/**
 * Proposes memories out of raw captures, by how they are worded or with a model. A capture is done
 * with when something came of it: when a person accepts, and not because somebody has looked.
 */
export function suggestionsComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'suggestions',
    version: '1.0.0',
    required: false,
    needsInference: true,
    attach: (given) => {
      host = given
    },
    onMaintenance: async () => host?.process(['raw_to_episode', 'raw_to_note']),
  }
}
