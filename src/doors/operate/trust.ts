import { MunimentError } from '../../domain/errors.ts'
import type { Trust, TrustAssessment } from '../../engine/distrust/trust-assessment.ts'
import type { InputOf } from '../../operations/operations.ts'
import type { DoorContext } from './context.ts'

/** Trust in an entity in one domain, with all assessments. */
export interface Trusted extends Trust {
  readonly assessment: TrustAssessment | null
}

/** Without an entity, every assessed entity. */
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

/**
 * The latest assessment of an entity is a single record, so a new score is merged with the others.
 */
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
