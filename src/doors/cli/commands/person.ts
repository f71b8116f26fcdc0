import { ScopeError } from '../../../domain/errors.ts'
import type { Session } from '../session.ts'

/** Refuses programs, and models in a shell, for decisions reserved to a person. */
export function assertPerson(session: Session, does: string): void {
  const { person, because } = session.whoWithout()
  if (person) return
  throw new ScopeError(
    `A person ${does}, at a terminal, and this call is a program’s: ${because}.`,
    {
      hint: 'Type the same in a terminal of your own.',
    },
  )
}
