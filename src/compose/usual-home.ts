import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { MunimentError } from '../domain/errors.ts'

/**
 * The user's own folder; null where nobody says which it is: neither a variable nor the system's list of
 * users. One that is empty or relative would be another one in every folder.
 */
export function userFolder(): string | null {
  try {
    const folder = homedir()
    return isAbsolute(folder) ? folder : null
  } catch {
    return null // a user that the system does not know, as in some containers
  }
}

/** Where stacks and keys are kept unless told otherwise. Asked only by those who need it. */
export function usualHome(): string {
  if (process.env.MUNIMENT_HOME) return resolve(process.env.MUNIMENT_HOME)
  const folder = userFolder()
  if (folder !== null) return join(folder, '.muniment')
  const { HOME } = process.env
  const why = HOME === undefined ? 'it is not set' : `it is “${HOME}”`
  throw new MunimentError(
    'store_unavailable',
    `Nobody says which the user’s own folder is: HOME should, and ${why}.`,
    { hint: 'Say where memory is kept: --home <dir>, or set MUNIMENT_HOME.' },
  )
}
