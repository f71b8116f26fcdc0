import type { Ref } from '../domain/ids.ts'
import type { ClaimBody } from '../domain/kinds/claim.ts'
import { contentText } from '../domain/kinds/table.ts'
import { labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import { isInferential } from '../domain/source-types.ts'
import { type HedgeDropped, hedgeDropped } from '../fold/hedge-dropped.ts'
import type { Desk } from './desk.ts'
import type { Candidate } from './stamp.ts'

/** A statement that is surer than what it rests on, and how sure it may be at most. */
export interface Downgrade extends HedgeDropped<Ref> {
  readonly confidenceMax: number
}

/** What a draft was reasoned from; what was met with rests on nothing but itself. */
export function groundsOf(candidate: Candidate): readonly Ref[] {
  if (!isReasoned(candidate)) return []
  return [candidate.main, ...candidate.captures].flatMap(({ derivedFrom }) => derivedFrom)
}

export const isReasoned = ({ draft: { origin } }: Candidate): boolean =>
  isInferential(labelName(origin.label), origin.sourceType)

/** "Might" does not become "is" by being derived. */
export function downgradeOf(candidate: Candidate, desk: Desk): Downgrade | null {
  const { lexicons, numbers } = desk.policy
  // A policy that names no such words was told before anybody looked at them.
  if (lexicons.hedges === undefined) return null
  const captured = new Map(candidate.captures.map((each) => [each.ref, each]))
  const grounds = groundsOf(candidate).flatMap((of) => {
    const own = captured.get(of)
    const text = own ? contentText(own.kind, own.body) : desk.words.of(of)
    return text === null ? [] : [{ of, text }]
  })
  const dropped = hedgeDropped(statementOf(candidate), grounds)
  return dropped && { ...dropped, confidenceMax: confidenceMaxOf(dropped.source, numbers) }
}

/** A policy entry carries any object: what names no number lets nothing be dropped. */
export const confidenceMaxOf = (hedging: number, numbers?: Partial<Policy['numbers']>): number =>
  (hedging > 1 ? numbers?.hedgeOpenConfidenceMax : numbers?.hedgeThoughtConfidenceMax) ?? 0

/** A claim says its value; anything else what its words are. */
function statementOf({ main: { kind, body } }: Candidate) {
  const text = contentText(kind, body)
  if (kind !== 'claim') return { text }
  const { value } = body as ClaimBody // a body of kind claim was parsed as one
  return { text, value: typeof value === 'string' ? value : JSON.stringify(value) }
}
