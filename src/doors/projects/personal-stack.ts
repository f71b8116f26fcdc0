import { MunimentError, ScopeError } from '../../domain/errors.ts'
import { foldText } from '../../domain/words/terms.ts'

/**
 * The id of the person's own stack. The id itself is reserved, so every door knows the stack
 * without reading a file: only a person opens the stack, and agents read through a permitted
 * project.
 */
export const PERSONAL_STACK = 'personal'

/** The letters of the name, each with the signs that people read as this letter. */
const ALIKE = ['pрρᴘ', 'eеεᴇ3', 'rгʀ', 'sѕꜱ5$', 'oοоᴏ0', 'nηпɴ', 'aаαᴀ4', 'lӏıiіʟ1|']
const READS_AS_PERSONAL = new RegExp(`^${ALIKE.map((signs) => `[${signs}]`).join('')}$`, 'u')

/** People read “Personal” as the personal stack, so the name is reserved in every look-alike spelling. */
export const isPersonalName = (text: string): boolean =>
  READS_AS_PERSONAL.test(foldText(text).replace(/[^\p{L}\p{N}$|]/gu, ''))

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
