import { normaliseText } from './identity.ts'
import type { RecordKind } from './kind-names.ts'
import { CONTEXT_FREE, type FacetFields } from './kinds/definition.ts'
import { definitionOf } from './kinds/table.ts'
import type { Facets } from './state.ts'

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Values for list filters, out of a body; a kind's definition names the fields. */
export function facetsOf(kind: RecordKind, body: object): Facets {
  const fields = body as Readonly<Record<string, unknown>> // parsed as this kind
  const { facets } = definitionOf(kind)
  const pick = (name: keyof FacetFields): string | null => {
    const field = facets[name]
    return field === undefined ? null : textOr(fields[field])
  }
  return {
    subtype: pick('subtype'),
    status: pick('status'),
    // Folded, so case and spacing of a subject do not matter; the body has the exact bytes.
    name: kind === 'claim' ? normaliseText(pick('name') ?? '') : pick('name'),
    context: textOr(fields.context),
    contextTags: (fields.contextTags as readonly string[] | undefined) ?? CONTEXT_FREE,
    tags: (fields.tags as readonly string[] | undefined) ?? CONTEXT_FREE,
  }
}

/** Raises the place in `load`, or bounds an actor's statements; 0 where neither applies. */
export function weightOf(kind: RecordKind, body: object, confidence: number): number {
  const { load, weight } = definitionOf(kind)
  if (weight) return weight(body)
  const from = load?.bonus?.from
  if (from === undefined) return 0
  if (from === 'confidence') return confidence
  return Number((body as Readonly<Record<string, unknown>>)[from] ?? 0) // parsed as this kind
}
