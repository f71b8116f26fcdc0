import type { Caller } from '../domain/doors.ts'
import { type Redactor, redacted } from '../domain/words/secrets.ts'

type Fields = Readonly<Record<string, unknown>>

/** Names of things and of memories: nothing inside is text. */
const NAMES: ReadonlySet<string> = new Set(['derivedFrom', 'evidence', 'covers', 'ref', 'id'])

/**
 * Removes keys, tokens and passwords of known shapes before a write: a ledger's words can be
 * destroyed, but embedded, served or copied words cannot. Marks stay in their place, and the entry
 * records their number.
 */
export const withoutSecrets = (fields: Fields, redact: Redactor): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      NAMES.has(name) ? value : clean(value, redact),
    ]),
  )

/** A redactor with a count; the gate records the count through the caller. */
export function counting(redact: Redactor = redacted): {
  readonly redact: Redactor
  readonly noted: (caller: Caller) => Caller
} {
  let count = 0
  return {
    redact: (text) =>
      redact(text, () => {
        count += 1
      }),
    noted: (caller) => (count === 0 ? caller : { ...caller, redacted: count }),
  }
}

function clean(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((each) => clean(each, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [redact(name), clean(each, redact)]),
  )
}
