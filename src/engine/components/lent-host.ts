import { ScopeError } from '../../domain/errors.ts'
import type { ComponentHost } from '../../ports/component.ts'

/** A host that refuses calls once its component is removed. */
export function whileIn(host: ComponentHost, isIn: () => boolean): ComponentHost {
  const assertIn = (): void => {
    if (!isIn()) throw new ScopeError('The component was taken out of this stack.')
  }
  const guarded = Object.entries(host).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member] as const
    const call = (...given: readonly unknown[]): unknown => {
      // A removed component may still withdraw its embedder.
      if (name !== 'useEmbedder' || given[0] !== null) assertIn()
      return member(...given)
    }
    return [name, call] as const
  })
  return Object.freeze(Object.fromEntries(guarded)) as unknown as ComponentHost // member for member
}
