import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { MunimentError } from '../domain/errors.ts'

/**
 * The user's own folder; null where neither a variable nor the system's list of users names the folder.
 * An empty or relative path would mean another place in every folder.
 */
export function userFolder(): string | null {
  try {
    const folder = homedir()
    return isAbsolute(folder) ? folder : null
  } catch {
    return null // the system does not know the user, as in some containers
  }
}

/** The default folder of stacks and keys, looked up lazily. */
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
