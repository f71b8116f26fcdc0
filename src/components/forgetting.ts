import type { ComponentHost, StackComponent } from '../ports/component.ts'

/** Lets go of what has faded and would hardly be missed; what is protected stays. */
export function forgettingComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'forgetting',
    version: '1.0.0',
    required: false,
    needsInference: false,
    attach: (given) => {
      host = given
    },
    onMaintenance: async () => {
      const done = await host?.sweep()
      return done && { ...done }
    },
  }
}
