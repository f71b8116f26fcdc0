import { z } from 'zod'
import { RECORD_KINDS } from '../domain/kind-names.ts'
import { LIMITS } from '../domain/limits.ts'
import { SOURCE_TYPES } from '../domain/source-types.ts'

export const ref = z
  .string()
  .describe('A memory, as kind:id. The end of the id will do, four characters or more.')

export const kind = z.enum(RECORD_KINDS).describe('The kind of memory or record.')

export const limit = z
  .int()
  .min(0)
  .max(LIMITS.pageItemsMax)
  .default(50)
  .describe('How many at most.')

/** What every write may say of how it came to be; the door fills in the rest. */
export const provenanceFields = {
  derivedFrom: z.array(ref).max(LIMITS.parentsMax).optional().describe('What it was made from.'),
  because: z
    .string()
    .optional()
    .describe('The reason in words; kept as a source of its own and cited.'),
  source: z.string().optional().describe('Who it is said to come from, in free words.'),
  evidence: z.array(ref).max(LIMITS.parentsMax).optional().describe('What supports it.'),
  sourceType: z.enum(SOURCE_TYPES).optional().describe('How it came to be.'),
  confidence: z.number().min(0).max(1).optional().describe('How likely it is true, 0 to 1.'),
  eventTime: z.string().optional().describe('When it happened, UTC with milliseconds.'),
  document: z.string().optional().describe('The document it was read in.'),
}
