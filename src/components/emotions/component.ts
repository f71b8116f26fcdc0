import type { StackComponent } from '../ports/component.ts'

/** The place of valence and arousal. It has no hooks, so nothing is read into a memory. */
export const emotionsComponent = (): StackComponent => ({
  name: 'emotions',
  version: '1.0.0',
  required: false,
  needsInference: true,
})
