import type { StackComponent } from '../../ports/component.ts'

/** A component with a name and the hooks that a case is about. */
export const part = (name: string, hooks: Partial<StackComponent> = {}): StackComponent => ({
  name,
  version: '1.0.0',
  required: false,
  needsInference: false,
  ...hooks,
})

/** A hook that fails whenever it is called. */
export const failing = (): never => {
  throw new Error('this component is broken')
}
