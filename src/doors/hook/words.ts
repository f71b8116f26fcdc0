import { type Redactor, redacted } from '../../domain/secrets.ts'
import { isMembers } from './event.ts'

export const PROMPT_CHARS_MAX = 100_000
export const RESULT_CHARS_MAX = 8_000
export const NAME_CHARS_MAX = 500

const LOOKED_AT_MAX = 1_000_000 // longer texts are cut before secrets are looked for …
const SLACK = 16_384 // … and this far beyond the cut, so that one across it is seen whole
const HEAD_SHARE = 0.75 // what went wrong often stands at the end

/** Words as they are kept: without secrets, and cut where they are long, which the text says. */
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

/** On one line and short, for names of documents. */
export const keptName = (text: string, redact: Redactor = redacted): string =>
  redact(text.slice(0, NAME_CHARS_MAX + SLACK).toWellFormed())
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, NAME_CHARS_MAX)
    .toWellFormed()

/** What a tool gave back, as one text. Every client and tool has shapes of its own. */
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
