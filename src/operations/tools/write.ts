import { z } from 'zod'
import { splitFields } from '../../agent/route.ts'
import type { Kind } from '../../domain/ids.ts'
import type { BodyInputOf } from '../../domain/kinds/table.ts'
import { label } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Accepted } from '../../domain/write.ts'
import { OPERATIONS } from '../operations.ts'
import { counting, withoutSecrets } from '../redaction.ts'
import { camel, defineTool, snake, type Tool, type ToolAnswer, type ToolContext } from '../tool.ts'
import { resolved } from './shared.ts'

/** Outcome of a write, with the whole ref, so that the next write can cite it. */
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
  sourceType: 'external: said by another; observation: read.',
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
  return defineTool({
    ...about,
    toolset: 'default',
    effects,
    input,
    output: written,
    makes,
    run: (context, given) => runWrite(context, makes, given),
  })
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

/** A model writes at this door, whatever its input says: `relayed` and `source` change no label. */
export async function runWrite(
  context: ToolContext,
  kind: Kind,
  input: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer> {
  const { stack, actor } = context
  const { redact, noted } = counting(context.redact)
  const named = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [camel(name), value]),
  )
  const { body, options } = splitFields(withoutSecrets(named, redact))
  const derivedFrom = await resolved(stack, 'derived_from', options.derivedFrom ?? [])
  const entity = await context.entity()
  const caller = noted(context.caller)
  const how = { ...options, derivedFrom, label: label.modelDerived(), actor, caller }
  const result = await entity.write(kind, body as BodyInputOf<Kind>, how) // parsed by the tool's schema
  return { structured: structuredOf(result), text: sentenceOf(result) }
}

export const structuredOf = ({
  ref,
  id,
  tier,
  disposition,
  rule,
  captures,
  version,
}: Accepted): ToolAnswer['structured'] => ({
  ref,
  id,
  label: 'ModelDerived',
  tier: tier ?? 0,
  disposition,
  rule,
  captured: captures,
  ...(version === undefined ? {} : { version }),
})

/** The flag of a surviving quote, which is no problem of the quote. */
const QUOTED = 'quote_against_first_hand'

export function sentenceOf(accepted: Accepted): string {
  const { ref, disposition, tier, rule, captures } = accepted
  if (rule === 'authority') return `${accepted.message} Nothing of ${ref} changed.`
  if (accepted.reasons.includes('repeated')) {
    return `Counted, not saved: ${ref} says the same, and was repeated too often. Cite it as ${ref}.`
  }
  if (accepted.revised) {
    return `Revised ${ref}, now version ${accepted.version ?? ''} (ModelDerived, tier ${tier ?? 0}).`
  }
  if (disposition === 'Corroborated') {
    return `Known already as ${ref} (rule ${rule}): nothing new was counted. Cite it as ${ref}.`
  }
  const made = captures.length === 0 ? '' : `, captured with it: ${captures.join(', ')}`
  const unquoted = accepted.reasons.some((code) => code.startsWith('quote_') && code !== QUOTED)
    ? ` ${accepted.message}`
    : ''
  return `Kept as ${ref} (${disposition}, ModelDerived, tier ${tier ?? 0}${made}).${unquoted}`
}
