import type { Ref } from '../domain/ids.ts'

/** Whether a memory still stands on something. One that never had sources is not ungrounded. */
export type Grounding = 'grounded' | 'ungrounded' | 'sourceless'

export function groundingOf(parents: readonly Ref[], isAlive: (parent: Ref) => boolean): Grounding {
  if (parents.length === 0) return 'sourceless'
  return parents.some(isAlive) ? 'grounded' : 'ungrounded'
}
