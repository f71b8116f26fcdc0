import { MunimentError } from '../../domain/errors.ts'
import type { Trust, TrustAssessment } from '../../engine/distrust/trust-assessment.ts'
import type { InputOf } from '../../operations/operations.ts'
import type { DoorContext } from './context.ts'

/** How far somebody is trusted in a matter, with everything that was said of them. */
export interface Trusted extends Trust {
  readonly assessment: TrustAssessment | null
}

/** Without an entity, everyone of whom something was said. */
export async function trusted(
  context: DoorContext,
  input: InputOf<'trust'>,
): Promise<Trusted | readonly TrustAssessment[]> {
  const { stack } = context
  const { entityId, domain, score } = input
  if (entityId === undefined) {
    if (score !== undefined) throw new MunimentError('invalid_input', 'A score for whom?')
    return stack.getTrustAssessments()
  }
  if (score !== undefined) await assess(context, { ...input, entityId, score })
  const [assessment = null] = await stack.getTrustAssessments({ entityId })
  return { ...(await stack.computeTrust(entityId, domain)), assessment }
}

type Assessing = InputOf<'trust'> & { readonly entityId: string; readonly score: number }

/** The last word on an entity is one record, so a score in one matter is said beside the others. */
async function assess(
  { stack, caller, actor }: DoorContext,
  { entityId, domain, score, evidence }: Assessing,
): Promise<void> {
  const [before] = await stack.getTrustAssessments({ entityId })
  const dimensions = { ...before?.dimensions, [domain]: { score } }
  const authority = [...(before?.authority ?? [])]
  const rests = [...new Set([...(before?.evidence ?? []), ...evidence])]
  const assessment = { entityId, dimensions, authority, evidence: rests }
  await stack.saveTrustAssessment(assessment, { caller, actor })
}
