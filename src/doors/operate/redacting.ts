import { type Redactor, redacted } from '../../domain/secrets.ts'

type Fields = Readonly<Record<string, unknown>>

/** Names of things and of memories: nothing in them is words. */
const NAMES: ReadonlySet<string> = new Set(['derivedFrom', 'evidence', 'covers', 'ref', 'id'])

/**
 * What is about to be written, without keys, tokens and passwords of known shapes: what stands in a
 * ledger can be destroyed, but what was embedded, served and copied by then cannot. The mark that
 * stays in their place is what records it, with the words and for as long as they last.
 */
export const withoutSecrets = (fields: Fields, redact: Redactor = redacted): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      NAMES.has(name) ? value : clean(value, redact),
    ]),
  )

function clean(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((each) => clean(each, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, clean(each, redact)]),
  )
}
