import { LOG_LEVELS, type LogLevel } from '../operations/settings.ts'

/** Lines for the operator of the server; never a memory's words. */
export interface Log {
  /** Faults of the server. */
  readonly error: (line: string) => void
  /** Events of interest to a person. */
  readonly info: (line: string) => void
  /** A line for each request. */
  readonly debug: (line: string) => void
}

const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Text safe for a terminal: control characters and direction marks are escaped. */
export const shownText = (text: string): string =>
  text.replace(UNSEEN, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)

const nothing = (): void => undefined

export function logTo(write: (text: string) => void, level: LogLevel): Log {
  const line = (text: string): void => write(`muniment: ${shownText(text)}\n`)
  const from = (least: LogLevel) => (rank(level) >= rank(least) ? line : nothing)
  return { error: from('error'), info: from('info'), debug: from('debug') }
}

const rank = (level: LogLevel): number => LOG_LEVELS.indexOf(level)
