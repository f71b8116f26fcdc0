import type { Ref } from '../domain/ids.ts'
import type { ClaimBody } from '../domain/kinds/claim.ts'
import { contentText } from '../domain/kinds/table.ts'
import { isInferential, labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import { type HedgeDropped, hedgeDropped } from '../fold/check-quote.ts'
import type { Desk } from './desk.ts'
import type { Candidate } from './stamp.ts'

/** A statement more certain than its source, and the confidence allowed at most. */
export interface Downgrade extends HedgeDropped<Ref> {
  readonly confidenceMax: number
}

/** The sources of a reasoned draft; a draft from experience rests on no source. */
export function groundsOf(candidate: Candidate): readonly Ref[] {
  if (!isReasoned(candidate)) return []
  return [candidate.main, ...candidate.captures].flatMap(({ derivedFrom }) => derivedFrom)
}

export const isReasoned = ({ draft: { origin } }: Candidate): boolean =>
  isInferential(labelName(origin.label), origin.sourceType)

/** "Might" does not become "is" by being derived. */
export function downgradeOf(candidate: Candidate, desk: Desk): Downgrade | null {
  const { lexicons, numbers } = desk.policy
  // A policy without hedge words dates from before hedges were checked.
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

/** An old policy entry may miss these numbers; a missing number caps the confidence at 0. */
export const confidenceMaxOf = (hedging: number, numbers?: Partial<Policy['numbers']>): number =>
  (hedging > 1 ? numbers?.hedgeOpenConfidenceMax : numbers?.hedgeThoughtConfidenceMax) ?? 0

/** For a claim, its value is also checked. */
function statementOf({ main: { kind, body } }: Candidate) {
  const text = contentText(kind, body)
  if (kind !== 'claim') return { text }
  const { value } = body as ClaimBody // parsed as a claim
  return { text, value: typeof value === 'string' ? value : JSON.stringify(value) }
}
