import type { Caller } from '../../domain/doors.ts'
import { type Redactor, redacted } from '../../domain/secrets.ts'

type Fields = Readonly<Record<string, unknown>>

/** Names of things and of memories: nothing in them is words. */
const NAMES: ReadonlySet<string> = new Set(['derivedFrom', 'evidence', 'covers', 'ref', 'id'])

/**
 * What is about to be written, without keys, tokens and passwords of known shapes: what stands in a
 * ledger can be destroyed, but what was embedded, served and copied by then cannot. A mark
 * stays in their place, and how many were taken goes with the caller into the entry.
 */
export const withoutSecrets = (fields: Fields, redact: Redactor): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      NAMES.has(name) ? value : clean(value, redact),
    ]),
  )

/** A redactor that keeps count, and puts the count on whoever calls: the gate writes it down. */
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
