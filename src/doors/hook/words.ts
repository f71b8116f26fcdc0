import { type Redactor, redacted } from '../../domain/words/secrets.ts'
import { isMembers } from './event.ts'

export const PROMPT_CHARS_MAX = 100_000
export const RESULT_CHARS_MAX = 8_000
export const NAME_CHARS_MAX = 500

const LOOKED_AT_MAX = 1_000_000 // longer texts are cut before the search for secrets …
const SLACK = 16_384 // … with this room beyond the cut, for a secret across the cut
const HEAD_SHARE = 0.75 // errors often stand at the end

/** Text for capture: without secrets, and visibly cut where long. */
export function keptText(text: string, max: number, redact: Redactor = redacted): string {
  const isHuge = text.length > LOOKED_AT_MAX
  const whole = isHuge ? text : redact(text.toWellFormed())
  if (whole.length <= max) return whole
  const head = Math.floor(max * HEAD_SHARE)
  const tail = max - head
  const start = (isHuge ? redact(whole.slice(0, head + SLACK)) : whole).slice(0, head)
  const end = (isHuge ? redact(whole.slice(-(tail + SLACK))) : whole).slice(-tail)
  const said = `[cut: ${max} of ${text.length} characters are kept]`
  return `${start}\n${said}\n${end}`.toWellFormed()
}

/** A document's name: short, and on one line. */
export const keptName = (text: string, redact: Redactor = redacted): string =>
  redact(text.slice(0, NAME_CHARS_MAX + SLACK).toWellFormed())
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, NAME_CHARS_MAX)
    .toWellFormed()

/** A tool's result as a single text. Every client and tool has shapes of its own. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result
  if (Array.isArray(result)) return joined(result.map(resultText))
  if (!isMembers(result)) return result === undefined || result === null ? '' : String(result)
  const { type, text, stdout, stderr, file, content, output, filenames } = result
  if (type === 'image') return '[an image]'
  if (typeof text === 'string') return text
  if (typeof stdout === 'string') return joined([stdout, typeof stderr === 'string' ? stderr : ''])
  if (isMembers(file)) return resultText(file)
  if (typeof content === 'string' || Array.isArray(content)) return resultText(content)
  if (typeof output === 'string') return output
  if (Array.isArray(filenames)) return joined(filenames.map(String))
  return JSON.stringify(result)
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n')
