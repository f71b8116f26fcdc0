import type { StackComponent } from '../../ports/component.ts'

/** A component with a name and the hooks under test. */
export const part = (name: string, hooks: Partial<StackComponent> = {}): StackComponent => ({
  name,
  version: '1.0.0',
  required: false,
  needsInference: false,
  ...hooks,
})

/** A hook that always fails. */
export const failing = (): never => {
  throw new Error('this component is broken')
}
