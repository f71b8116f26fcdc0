import { z } from 'zod'
import { USES } from '../domain/doors.ts'
import { once } from '../domain/errors.ts'
import { RECORD_KINDS } from '../domain/ids.ts'
import { SOURCE_TYPES } from '../domain/labels.ts'
import { LIMITS } from '../domain/limits.ts'

export const ref = once(() =>
  z.string().describe('A memory, as kind:id. The end of the id will do, four characters or more.'),
)

export const refs = once(() => z.array(ref()).max(LIMITS.parentsMax))

export const kind = once(() => z.enum(RECORD_KINDS).describe('The kind of memory or record.'))

export const limitOf = (usual: number) =>
  z.int().min(0).max(LIMITS.pageItemsMax).default(usual).describe('How many at most.')

export const unit = once(() => z.number().min(0).max(1))

export const confidence = once(() => unit().describe('How likely it is true, 0 to 1.'))

export const reason = once(() =>
  z
    .string()
    .max(LIMITS.shortTextCharsMax)
    .optional()
    .describe('Why, in words; kept with the change.'),
)

/** Filters of a read; without filters everything is read. */
export const filters = once(() => ({
  context: z.string().optional().describe('Only what belongs to this, e.g. project:muniment.'),
  minConfidence: unit().optional().describe('Only what is at least this likely, 0 to 1.'),
  minTier: z.int().min(0).max(3).optional().describe('Only what has this trust tier or a higher.'),
}))

export const use = once(() =>
  z
    .enum(USES)
    .optional()
    .describe(
      'What it is read for: to chat takes any tier, to plan 1 or higher, to act 2 or higher.',
    ),
)

/** Every rewording in a place of its own. */
export const expand = once(() =>
  z
    .boolean()
    .default(false)
    .describe('Every rewording in a place of its own, not one place a group.'),
)

/** Fields about the origin of a write; the door fills in the rest. */
export const provenanceFields = once(() => ({
  derivedFrom: refs().optional().describe('What it was made from.'),
  because: z
    .string()
    .optional()
    .describe('The reason in words; kept as a source of its own and cited.'),
  source: z.string().optional().describe('Who it is said to come from, in free words.'),
  evidence: refs().optional().describe('What supports it.'),
  sourceType: z.enum(SOURCE_TYPES).optional().describe('How it came to be.'),
  confidence: confidence().optional(),
  eventTime: z.string().optional().describe('When it happened, UTC with milliseconds.'),
  document: z.string().optional().describe('The document it was read in.'),
}))

/** A moment of the past; what was recorded later is as if it had not been. */
export const asOf = once(() =>
  z
    .string()
    .describe(
      'As it was known then: the number of an entry, a time, or a day, which means its end.',
    ),
)
