import { z } from 'zod'
import { USES } from '../../domain/doors.ts'
import { KINDS } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'

const text = z.string().max(LIMITS.shortTextCharsMax)

/** Kinds that a model may ask about; reports are internal. */
export const memoryType = z.enum([...KINDS, 'suggestion', 'assessment'])

export const memoryId = text.describe('Its ref (kind:id) or id.')

export const kinds = z.array(z.enum(KINDS)).optional()

export const context = text.optional().describe('Such as project:name.')

export const limitOf = (usual: number) => z.int().min(1).max(100).default(usual)

export const saidBy = text.optional().describe('An actor, as lineage names it.')

/** Of what was learnt then; both ends count. */
export const since = text.optional().describe('A day or a time.')

export const until = text.optional()

/** The use of a read. */
export const use = z.enum(USES).optional()

export const share = z.number().min(0).max(1)

/** The fields of a memory shown to a model: words with the provenance to judge the words by. */
export const shownFields = {
  ref: z.string(),
  kind: z.string(),
  text: z.string(),
  label: z.string(),
  tier: z.int(),
  confidence: z.number(),
  created_at: z.string(),
  source: z.string().optional(),
  status: z.string().exactOptional().describe('Of a goal.'),
}

/** The fields of a memory in a lineage, down to the first words. */
export const shownInLineage = {
  ...shownFields,
  source_type: z.string(),
  actor: z.string(),
  path: z.string(),
  model: z.string().optional(),
  relayed: z.boolean(),
  derived_from: z.array(z.string()),
}

/** The step by which a person makes something count that the use may not read. */
export const withheldStep = z.string().exactOptional()

/** Said with everything recalled, where the words themselves cannot take it back. */
export const notice = z.string()
