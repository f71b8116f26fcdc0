import { z } from 'zod'
import { MunimentError, once } from '../domain/errors.ts'
import { shortText } from '../domain/kinds/fields.ts'
import type { Trust, TrustAssessment } from '../engine/distrust/trust-assessment.ts'
import type { DoorContext } from './context.ts'
import { refs, unit } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { table } from './text/table.ts'
import { age, oneLine } from './text/words.ts'

const trustInput = once(() =>
  z.strictObject({
    entityId: shortText().optional().describe('Who: the actor as provenance names it.'),
    domain: shortText().default('general').describe('In which matter.'),
    score: unit()
      .optional()
      .describe('From 0, not at all, to 1. Below 0.6 it bounds the tier of what they say.'),
    evidence: refs().default([]).describe('What it rests on.'),
  }),
)

type TrustInput = z.output<ReturnType<typeof trustInput>>

const authorityShape = shape.list(
  z.strictObject({ scope: shape.text, requiresEvidence: z.boolean().optional() }),
)

const assessmentShape = shape.named(
  'TrustAssessment',
  z.strictObject({
    id: shape.text,
    lastUpdated: shape.text,
    entityId: shape.text,
    dimensions: z.record(z.string(), z.strictObject({ score: shape.number })),
    authority: authorityShape,
    evidence: shape.refs,
  }),
)

const trustedShape = z.strictObject({
  entityId: shape.text,
  domain: shape.text,
  score: shape.number,
  basis: z.enum(['domain', 'general', 'mean', 'unknown']),
  authority: authorityShape,
  assessedAt: shape.maybe,
  assessment: assessmentShape.nullable(),
})

export const assess = defineOperation({
  name: 'assess',
  group: 'trust',
  summary: 'The trust in an actor; with a score, a person sets it.',
  right: 'read',
  rises: { field: 'score', right: 'person' },
  input: trustInput,
  output: () => z.union([trustedShape, shape.list(assessmentShape)]),
  example: { entityId: 'deploy-bot', domain: 'deploys', score: 0.7 },
  places: ['entityId'],
  notes: ['Without a name: everyone of whom something was said. Only a person can give a score.'],
  examples: ['muniment trust assess deploy-bot --domain deploys'],
  run: trusted,
  text: (result, { page }) =>
    'entityId' in result ? trustPage(result, page) : assessmentsPage(result, page),
})

/** Trust in an entity in one domain, with all assessments. */
export interface Trusted extends Trust {
  readonly assessment: TrustAssessment | null
}

/** Without an entity, every assessed entity. */
async function trusted(
  context: DoorContext,
  input: TrustInput,
): Promise<Trusted | readonly TrustAssessment[]> {
  const { stack } = context
  const { entityId, domain, score } = input
  if (entityId === undefined) {
    if (score !== undefined) throw new MunimentError('invalid_input', 'A score for whom?')
    return stack.getTrustAssessments()
  }
  if (score !== undefined) await addScore(context, { ...input, entityId, score })
  const [assessment = null] = await stack.getTrustAssessments({ entityId })
  return { ...(await stack.computeTrust(entityId, domain)), assessment }
}

type Assessing = TrustInput & { readonly entityId: string; readonly score: number }

/**
 * The latest assessment of an entity is a single record, so a new score is merged with the others.
 */
async function addScore(
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

const BASIS: Readonly<Record<Trusted['basis'], string>> = {
  domain: 'scored in this matter',
  general: 'as was said in general',
  mean: 'the mean of what was scored',
  unknown: 'nothing is known of them',
}

function trustPage(trust: Trusted, page: Page): readonly string[] {
  const { entityId, domain, score, basis, assessment } = trust
  const who = page.ink.strong(oneLine(entityId))
  const matter = domain === 'general' ? '' : ` in ${oneLine(domain)}`
  return [
    `${who} is trusted ${score.toFixed(2)}${matter}: ${BASIS[basis]}.`,
    ...(assessment ? assessmentLines([assessment], page).map((line) => `  ${line}`) : []),
  ]
}

const assessmentsPage = (all: readonly TrustAssessment[], page: Page): readonly string[] =>
  all.length === 0
    ? ['Nobody was assessed yet. A person says: muniment trust assess <who> --score 0.7']
    : assessmentLines(all, page)

const assessmentLines = (all: readonly TrustAssessment[], { now }: Page): readonly string[] =>
  table(
    all.flatMap(({ entityId, dimensions, lastUpdated }) =>
      Object.entries(dimensions).map(([domain, { score }]) => [
        { text: oneLine(entityId) },
        { text: oneLine(domain) },
        { text: score.toFixed(2) },
        { text: age(lastUpdated, now) },
      ]),
    ),
  )
