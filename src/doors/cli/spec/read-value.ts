import { toInstant } from '../../../domain/time.ts'
import type { ParseJson } from '../host.ts'
import type { Reading } from './command.ts'

export type Read =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string }

const value = (of: unknown): Read => ({ ok: true, value: of })
const problem = (of: string): Read => ({ ok: false, problem: of })

/** Converts an argument. The operation's own schema checks everything beyond the type. */
export function readValue(reading: Reading, text: string, parseJson: ParseJson): Read {
  switch (reading.type) {
    case 'text':
    case 'ref':
      return value(text)
    case 'time':
      return value(asInstant(text))
    case 'number': {
      const number = Number(text)
      return text.trim() !== '' && Number.isFinite(number)
        ? value(number)
        : problem('expected a number')
    }
    case 'choice':
      return choose(reading.of, text)
    case 'flag':
      return text === 'true' || text === 'false'
        ? value((text === 'true') === reading.sets)
        : problem('takes no value')
    case 'json':
      return asJson(text, parseJson)
    case 'any':
      return readAny(text, parseJson)
    case 'item': {
      const read = text.trimStart().startsWith('{') ? readAny(text, parseJson) : value(text)
      return read.ok && typeof read.value === 'string' ? value({ [reading.essential]: text }) : read
    }
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** A day means its first moment in UTC. The schema refuses a text that is no time. */
function asInstant(text: string): string {
  const ms = DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isFinite(ms) ? toInstant(ms) : text
}

/** Ignores case and dashes, and accepts plurals: nobody should have to look up a spelling. */
function choose(choices: readonly string[], text: string): Read {
  const folded = text.toLowerCase().replaceAll('-', '_')
  const match =
    choices.find((choice) => choice === text) ??
    choices.find((choice) => choice.toLowerCase() === folded) ??
    choices.find((choice) => pluralsOf(choice.toLowerCase()).includes(folded))
  return match === undefined ? problem(`expected one of ${choices.join(', ')}`) : value(match)
}

const pluralsOf = (word: string): readonly string[] => [`${word}s`, word.replace(/y$/, 'ies')]

function asJson(text: string, parseJson: ParseJson): Read {
  try {
    return value(parseJson(text))
  } catch (error) {
    return problem(error instanceof Error ? error.message : 'expected JSON')
  }
}

const looksLikeJson = (text: string): boolean => /^\s*[{[]/.test(text) && isLooseJson(text)

function isLooseJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** `42` is a number and `Berlin` a text; a number too long for exact parsing stays text. */
function readAny(text: string, parseJson: ParseJson): Read {
  const read = asJson(text, parseJson)
  if (!read.ok) return looksLikeJson(text) ? read : value(text)
  return typeof read.value === 'number' && String(read.value) !== text ? value(text) : read
}
