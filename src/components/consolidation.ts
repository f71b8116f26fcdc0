import type { ComponentHost, StackComponent } from '../ports/component.ts'

/**
 * Proposes what several episodes come to: lessons that recur, and with a model themes across them.
 * Each proposal cites the episodes it came from, keeps their doubts, and waits for a person.
 */
export function consolidationComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'consolidation',
    version: '1.0.0',
    required: false,
    needsInference: true,
    attach: (given) => {
      host = given
    },
    onMaintenance: async () => host?.process(['episode_to_belief']),
  }
}
