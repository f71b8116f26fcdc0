import { LOG_LEVELS, type LogLevel } from '../operations/config.ts'

/** Lines for whoever runs the server; never a memory's words. */
export interface Log {
  /** What went wrong on this side. */
  readonly error: (line: string) => void
  /** What a person would want to know. */
  readonly info: (line: string) => void
  /** What was asked, a line each. */
  readonly debug: (line: string) => void
}

const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** As it is safe to show on a terminal: what moves the cursor or turns words round is spelt out. */
export const shownText = (text: string): string =>
  text.replace(UNSEEN, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)

const nothing = (): void => undefined

export function logTo(write: (text: string) => void, level: LogLevel): Log {
  const line = (text: string): void => write(`muniment: ${shownText(text)}\n`)
  const from = (least: LogLevel) => (rank(level) >= rank(least) ? line : nothing)
  return { error: from('error'), info: from('info'), debug: from('debug') }
}

const rank = (level: LogLevel): number => LOG_LEVELS.indexOf(level)
