import { appendFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import { MunimentError } from '../../domain/errors.ts'
import { isPersons, type TokenRow } from './tokens.ts'

/** A line about a newly made token. The line stays when the token is revoked. */
export interface TokenLogLine {
  readonly at: string
  readonly id: string
  readonly name: string
  readonly personal: boolean
  /**
   * The terminal in which the token was made, such as pts/3; null where the system does not say.
   */
  readonly terminal: string | null
}

const PRIVATE_FILE = 0o600

export const tokenLogFile = (home: string): string => path.join(home, 'token-log.jsonl')

/**
 * A program can open a terminal of its own and make a token there: the line lets a person notice.
 */
export async function logToken(
  home: string,
  { id, name, createdAt, ...scope }: TokenRow,
  terminal: string | null,
): Promise<void> {
  const line: TokenLogLine = { at: createdAt, id, name, personal: isPersons(scope), terminal }
  try {
    await appendFile(tokenLogFile(home), `${JSON.stringify(line)}\n`, { mode: PRIVATE_FILE })
  } catch (cause) {
    throw new MunimentError('store_unavailable', `${tokenLogFile(home)} cannot be written.`, {
      hint: 'No token was made, because nobody would see that. See: muniment doctor',
      cause,
    })
  }
}

/** The last personal token made here, even if revoked since. */
export async function lastPersonalToken(home: string): Promise<TokenLogLine | null> {
  const text = await readFile(tokenLogFile(home), 'utf8').catch(() => '')
  return (
    text
      .split('\n')
      .flatMap(lineIn)
      .findLast(({ personal }) => personal) ?? null
  )
}

/** A truncated or edited line is skipped. */
function lineIn(text: string): readonly TokenLogLine[] {
  try {
    const line = Object(JSON.parse(text)) as Partial<Record<keyof TokenLogLine, unknown>> // checked below
    const { at, id, name, personal, terminal } = line
    const isWhole =
      typeof at === 'string' &&
      Number.isFinite(Date.parse(at)) &&
      typeof id === 'string' &&
      typeof name === 'string' &&
      typeof personal === 'boolean' &&
      (terminal === null || typeof terminal === 'string')
    return isWhole ? [{ at, id, name, personal, terminal }] : []
  } catch {
    return []
  }
}
