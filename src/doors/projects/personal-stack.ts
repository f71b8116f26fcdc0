import { MunimentError, ScopeError } from '../../domain/errors.ts'

/**
 * The id of the person's own stack. The id itself is reserved, so every door knows the stack
 * without reading a file: only a person opens the stack, and agents read through a permitted
 * project.
 */
export const PERSONAL_STACK = 'personal'

/** People read “Personal” as the personal stack, so the name is reserved in every spelling. */
export const isPersonalName = (text: string): boolean =>
  text.normalize('NFKC').trim().toLowerCase() === PERSONAL_STACK

/** Refuses callers other than a person, and every other spelling of the reserved name. */
export function assertPersonal(stackId: string, isPerson: boolean): void {
  if (!isPersonalName(stackId)) return
  if (!isPerson) throw notAPerson()
  if (stackId !== PERSONAL_STACK) throw misspelt(stackId)
}

const notAPerson = (): ScopeError =>
  new ScopeError(
    'The personal stack is opened by a person alone, and this call is a program’s. Nothing was read or written.',
    {
      hint: 'A project can read it after you agreed, in that project and in a terminal of your own: muniment stacks personal',
    },
  )

const misspelt = (stackId: string): MunimentError =>
  new MunimentError('invalid_id', `“${stackId}” is a reserved name. Nothing was written.`, {
    hint: 'Your personal stack is called “personal”, in small letters: --stack personal. Any other stack needs another name.',
  })
