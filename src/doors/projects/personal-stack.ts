import { ScopeError } from '../../domain/errors.ts'

/**
 * The id of the person's own stack. The id itself is reserved, so that every door knows the stack without
 * reading a file: only a person opens it, and agents read it through a project that was allowed to.
 */
export const PERSONAL_STACK = 'personal'

/** Refuses a caller that is no person. */
export function assertPersonal(stackId: string, isPerson: boolean): void {
  if (stackId !== PERSONAL_STACK || isPerson) return
  throw new ScopeError(
    'The personal stack is opened by a person alone, and this call is a program’s. Nothing was read or written.',
    {
      hint: 'A project can read it after you agreed, in that project and in a terminal of your own: muniment stacks personal',
    },
  )
}
