import type { StackComponent } from '../ports/component.ts'

/** The place of patterns drawn from recent memories. It has no hooks, so nothing is proposed. */
export const suggestionsComponent = (): StackComponent => ({
  name: 'suggestions',
  version: '1.0.0',
  required: false,
  needsInference: true,
})
