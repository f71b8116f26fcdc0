import { z } from 'zod'
import type { Kind } from '../domain/ids.ts'
import { LIMITS } from '../domain/limits.ts'
import { OPERATIONS } from './operations.ts'
import { defineTool, snake, type Tool } from './tool.ts'

/** What became of a write; the whole ref, so that the next one can cite it. */
export const written = z.strictObject({
  ref: z.string(),
  id: z.string(),
  label: z.string(),
  tier: z.int(),
  disposition: z.string(),
  rule: z.string(),
  captured: z.array(z.string()),
  version: z.int().optional(),
})

const WORDS: Readonly<Record<string, string>> = {
  sourceType: 'external: told by another; observation: read.',
  tags: 'Labels.',
  content: 'Word for word.',
  source: 'Who said it.',
  because: 'Instead of derived_from: the reason in words.',
  context: 'Such as project:name.',
  confidence: 'How likely it is true.',
  quote: 'A whole sentence of the user that states it: it then counts for act.',
}

export const derivedFrom = z
  .array(z.string())
  .max(LIMITS.parentsMax)
  .optional()
  .describe('Refs (kind:id) it was made from.')

export const source = z
  .string()
  .optional()
  .describe(WORDS.source ?? '')

export const relayed = z.boolean().optional().describe('The user said it.')

export const because = z
  .string()
  .optional()
  .describe(WORDS.because ?? '')

export const quote = z
  .string()
  .optional()
  .describe(WORDS.quote ?? '')

interface WriteTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly fields: readonly string[]
}

/** A tool that makes one kind, with the fields of the operation that a model has use for. */
function writeTool(
  makes: Kind,
  { fields, ...about }: WriteTool,
): Tool<z.ZodObject, typeof written> {
  const { shape } = OPERATIONS[makes].input
  const all = [...fields, 'source', 'sourceType', 'tags', 'context']
  const members = all.map((field): [string, z.ZodType] => {
    const node: unknown = shape[field]
    if (!(node instanceof z.ZodType)) throw new TypeError(`${makes} has no field ${field}.`)
    const words = WORDS[field]
    return [snake(field), words === undefined ? node : node.describe(words)]
  })
  const input = z.strictObject({
    ...Object.fromEntries(members),
    derived_from: derivedFrom,
    relayed,
  })
  const effects = { readOnly: false, idempotent: false }
  return defineTool({ ...about, toolset: 'default', effects, input, output: written, makes })
}

export const writeTools = [
  writeTool('raw', {
    name: 'memory_raw',
    title: 'Capture',
    description: 'Capture something as it was said or seen.',
    fields: ['content'],
  }),
  writeTool('episode', {
    name: 'memory_episode',
    title: 'Remember an episode',
    description:
      'Keep what was tried, how it came out and what it taught. Cites raw, or its own words are captured as raw.',
    fields: ['objective', 'outcome', 'outcomeType', 'lessons'],
  }),
  writeTool('note', {
    name: 'memory_note',
    title: 'Keep a note',
    description:
      'Keep an observation, decision, insight or quote. Cites raw, or its own words are captured as raw.',
    fields: ['content', 'noteType', 'speaker'],
  }),
  writeTool('belief', {
    name: 'memory_belief',
    title: 'Form a belief',
    description:
      'State something held to be so. Must cite an episode, note or claim in derived_from, or give because.',
    fields: ['statement', 'because', 'confidence', 'quote'],
  }),
] as const
