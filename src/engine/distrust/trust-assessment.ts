import type { MemoryId } from '../../domain/ids.ts'
import {
  type AssessmentBody,
  type AssessmentInput,
  GENERAL,
  scoreIn,
  UNKNOWN_TRUST,
} from '../../domain/kinds/assessment.ts'
import type { Instant } from '../../domain/time.ts'
import { isAccepted } from '../../domain/write.ts'
import type { Engine } from '../engine.ts'
import { findAll } from '../read/list.ts'
import type { Memory } from '../read/memory-view.ts'
import { type ActOptions, given, nameOf, speakerOf } from '../write/arguments.ts'
import { refusalError } from '../write/outcomes.ts'

/** The latest trust assessment of an entity. */
export interface TrustAssessment extends AssessmentBody {
  readonly id: MemoryId
  readonly lastUpdated: Instant
}

/** The trust in an actor, and its ground. */
export interface Trust {
  readonly entityId: string
  readonly domain: string
  readonly score: number
  /** The source of the score: this domain, the general domain, a mean, or no assessment. */
  readonly basis: 'domain' | 'general' | 'mean' | 'unknown'
  readonly authority: AssessmentBody['authority']
  readonly assessedAt: Instant | null
}

export async function saveTrustAssessment(
  engine: Engine,
  assessment: AssessmentInput,
  options?: ActOptions | null,
): Promise<MemoryId> {
  const { caller, label, actor } = speakerOf(
    engine.stackId,
    'save_trust_assessment',
    given(options),
  )
  const result = await engine.write(
    {
      kind: 'assessment',
      body: assessment,
      provenance: {
        sourceType: label.type === 'ModelDerived' ? 'inference' : 'direct_experience',
        label,
        sourceId: actor,
        ingestionPath: `${caller.door}:${caller.operation}`,
        confidence: 1,
        llmModel: label.type === 'ModelDerived' ? `unknown:${actor}` : null,
      },
    },
    caller,
  )
  if (!isAccepted(result)) throw refusalError(result)
  return result.id
}

export interface AssessmentsOptions {
  readonly entityId?: string
  readonly domain?: string
}

/** The latest assessment of each entity, newest first. */
export async function getTrustAssessments(
  engine: Engine,
  options?: AssessmentsOptions | null,
): Promise<readonly TrustAssessment[]> {
  const { entityId, domain } = given(options)
  if (entityId !== undefined) nameOf('entityId', entityId)
  if (domain !== undefined) nameOf('domain', domain)
  const all = await findAll(engine, 'assessment', {
    ...(entityId === undefined ? {} : { name: entityId }),
    includeForgotten: true,
  })
  const seen = new Set<string>()
  const last = all.filter(({ body }) => {
    const isFirst = !seen.has(body.entityId)
    seen.add(body.entityId)
    return isFirst
  })
  const isAbout = ({ body }: Memory<'assessment'>): boolean =>
    domain === undefined || Object.hasOwn(body.dimensions, domain)
  return last
    .filter(isAbout)
    .map(({ id, createdAt, body }) => ({ ...body, id, lastUpdated: createdAt }))
}

/** The score of the domain, else the general score, else the mean of all scores, else one half. */
export async function computeTrust(
  engine: Engine,
  entityId: string,
  of?: string | null,
): Promise<Trust> {
  const domain = nameOf('domain', of ?? GENERAL)
  const [found] = await getTrustAssessments(engine, { entityId: nameOf('entityId', entityId) })
  if (!found) {
    return {
      entityId,
      domain,
      score: UNKNOWN_TRUST,
      basis: 'unknown',
      authority: [],
      assessedAt: null,
    }
  }
  const { dimensions, authority, lastUpdated } = found
  const score = scoreIn(dimensions, domain)
  return {
    entityId,
    domain,
    score,
    basis: basisOf(dimensions, domain),
    authority,
    assessedAt: lastUpdated,
  }
}

function basisOf(dimensions: AssessmentBody['dimensions'], domain: string): Trust['basis'] {
  if (Object.hasOwn(dimensions, domain)) return domain === GENERAL ? 'general' : 'domain'
  if (Object.hasOwn(dimensions, GENERAL)) return 'general'
  return Object.keys(dimensions).length > 0 ? 'mean' : 'unknown'
}
