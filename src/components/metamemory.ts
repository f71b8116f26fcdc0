import type { ComponentHost, StackComponent } from '../ports/component.ts'

const BELIEFS_MAX = 100 // newest beliefs that are looked at
export const UNCERTAIN_BELOW = 0.5 // confidence as it stands now

/** Knows how sure the stack is of what it holds. */
export function metamemoryComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'metamemory',
    version: '1.0.0',
    required: false,
    needsInference: false,
    attach: (given) => {
      host = given
    },
    onMaintenance: async () => {
      const beliefs = await host?.list('belief', { limit: BELIEFS_MAX })
      return (
        beliefs && {
          examined: beliefs.length,
          uncertain: beliefs.filter(({ confidence }) => confidence < UNCERTAIN_BELOW).length,
        }
      )
    },
  }
}
