import { z } from 'zod'
import { type RouteOptions, splitFields } from '../agent/route.ts'
import { labelAt } from '../domain/doors.ts'
import { once } from '../domain/errors.ts'
import type { Kind } from '../domain/ids.ts'
import { type BodyInputOf, definitionOf } from '../domain/kinds/table.ts'
import { labelNamed } from '../domain/labels.ts'
import type { Accepted } from '../domain/write.ts'
import { windowOf } from '../engine/claims/claim.ts'
import type { DoorContext } from './context.ts'
import { FIELD_WORDS } from './field-words.ts'
import { provenanceFields } from './fields.ts'
import { defineOperation, type Operation } from './operation.ts'
import { written } from './shapes.ts'
import { WRITE, writtenPage } from './written.ts'

type Fields = Readonly<Record<string, unknown>>

/** Texts of each kind for help and tool lists, with inputs that work on a fresh stack in order. */
const TEXTS: Readonly<
  Record<Kind, Pick<Operation, 'group' | 'summary' | 'example' | 'notes' | 'examples'>>
> = {
  raw: {
    group: 'memory',
    summary: 'Words as they were said or seen; needs no source.',
    example: { content: 'Deploy failed: migration 12 locked the table' },
  },
  episode: {
    group: 'memory',
    summary: 'An attempt: its objective, its outcome, its lessons.',
    example: { objective: 'deploy v2', outcome: 'failed', lessons: ['migrate first'] },
  },
  note: {
    group: 'first',
    summary: 'An observation, decision, insight or quote.',
    example: { content: 'The table has forty million rows' },
  },
  claim: {
    group: 'first',
    summary: 'A value for a subject and a predicate, with the time for which it holds.',
    example: { subject: 'user', predicate: 'city', value: 'Berlin' },
    notes: ['The value is JSON where it reads as JSON (42, true, ["a"]), otherwise text.'],
    examples: [
      'muniment claim user city Paris --valid-from 2024-05',
      'muniment claim user skill rust --cardinality SetValued',
    ],
  },
  belief: {
    group: 'first',
    summary: 'A statement held to be true, formed from episodes, notes or claims.',
    example: {
      statement: 'Migrations go before the deploy',
      because: 'two deploys failed on locks',
    },
  },
  goal: {
    group: 'memory',
    summary: 'An aim, formed from episodes or beliefs.',
    example: { title: 'Ship v2 without downtime', because: 'the last deploy locked a table' },
    examples: [
      'muniment memory goal "Ship v2 without downtime" --status completed',
      'muniment memory goal goal:1a2b3c4d --status paused',
    ],
  },
  relationship: {
    group: 'memory',
    summary: 'A person, a group or a system, and how you stand with each other.',
    example: {
      entityName: 'The database team',
      relationshipType: 'colleague',
      because: 'they helped with the lock',
    },
  },
  value: {
    group: 'memory',
    summary: 'A principle, formed from beliefs.',
    example: {
      name: 'Care',
      statement: 'Leave the data safer than you found it',
      derivedFrom: ['belief'],
    },
  },
  drive: {
    group: 'agent',
    summary: 'A motive of the agent, formed from episodes or beliefs.',
    example: { driveType: 'curiosity', because: 'the lock was not understood' },
  },
  playbook: {
    group: 'agent',
    summary: 'A proven procedure, step by step.',
    example: {
      name: 'Deploy with a migration',
      description: 'Migrate first, then deploy',
      steps: [{ action: 'run the migration' }, { action: 'deploy' }],
      because: 'it worked twice',
    },
  },
  summary: {
    group: 'memory',
    summary: 'The summary of a month, a quarter, a year or an epoch.',
    example: {
      scope: 'month',
      periodStart: '2026-01-01T00:00:00.000Z',
      periodEnd: '2026-01-31T23:59:59.999Z',
      content: 'Deploys became safe',
      because: 'no deploy failed after the tenth',
    },
  },
  self_narrative: {
    group: 'agent',
    summary: 'The agent’s account of itself.',
    example: { content: 'I have become careful with tables', because: 'the lock taught me' },
  },
  epoch: {
    group: 'agent',
    summary: 'The record of an epoch; begin and conclude write one for you.',
    example: { epochNumber: 1, name: 'First deploys', startedAt: '2026-01-01T00:00:00.000Z' },
  },
}

/** Kinds whose tool is in the default set, with words of its own. */
const IN_DEFAULT_SET: ReadonlySet<Kind> = new Set(['raw', 'episode', 'note', 'claim', 'belief'])

/** The write of one kind: its body's own fields, and its provenance. */
const writeOf = (of: Kind) =>
  defineOperation({
    name: of,
    ...TEXTS[of],
    right: 'write',
    input: (): z.ZodObject => {
      const { body } = definitionOf(of)
      if (!(body instanceof z.ZodObject)) throw new TypeError(`The body of ${of} is an object.`)
      return z.strictObject({ ...described(body), ...MORE[of]?.(), ...provenanceFields() })
    },
    output: () => written,
    tool: IN_DEFAULT_SET.has(of) ? 'default' : 'memory',
    ...WRITE,
    run: (context, input) => write(context, of, of === 'claim' ? dated(input) : input),
    text: (result, asked) => writtenPage(result, asked),
  })

const quote = once(() =>
  z
    .string()
    .optional()
    .describe(
      'A whole sentence of something first-hand in derivedFrom that says so, letter for letter.',
    ),
)

/** Fields beside those of the body. The dates of a claim are as people write them; `validTime` says the same to a program. */
const MORE: Readonly<Partial<Record<Kind, () => Readonly<Record<string, z.ZodType>>>>> = {
  claim: () => ({
    validFrom: z.string().optional().describe('Since when: 2024, 2024-05, 2024-05-15 or a time.'),
    validUntil: z.string().optional().describe('Until when, all of what it names included.'),
    quote: quote(),
  }),
  belief: () => ({ quote: quote() }),
}

/** Each field with the words that help and tool lists show; its kind defines the values it takes. */
function described({ shape }: z.ZodObject): Readonly<Record<string, z.core.$ZodType>> {
  const fields = Object.entries(shape).map(([field, schema]) => {
    const words = FIELD_WORDS[field]
    const isPlain = words !== undefined && schema instanceof z.ZodType
    return [field, isPlain ? schema.describe(words) : schema] as const
  })
  return Object.fromEntries(fields)
}

/** Turns dates as people write them into the window of a claim. */
function dated({ validFrom, validUntil, validTime, ...rest }: Fields): Fields {
  const texts = [validFrom, validUntil].map((text) => (typeof text === 'string' ? text : undefined))
  if (texts.every((text) => text === undefined)) return { ...rest, validTime }
  const window = windowOf(texts[0], texts[1], ['validFrom', 'validUntil'])
  return { ...rest, validTime: { ...Object(validTime), ...window } }
}

/** A person writes as a person, a tool as a tool; every other caller at a door is a model. */
async function write(
  { entity, caller, actor, id }: DoorContext,
  kind: Kind,
  input: Fields,
): Promise<Accepted> {
  const { body, options } = splitFields(input)
  const label = labelNamed(labelAt(caller))
  const routed: RouteOptions = { ...options, ...(id === undefined ? {} : { id }), label, actor }
  return entity.write(kind, body as BodyInputOf<Kind>, { ...routed, caller }) // parsed by the schema
}

export const writes = {
  raw: writeOf('raw'),
  episode: writeOf('episode'),
  note: writeOf('note'),
  claim: writeOf('claim'),
  belief: writeOf('belief'),
  goal: writeOf('goal'),
  relationship: writeOf('relationship'),
  value: writeOf('value'),
  drive: writeOf('drive'),
  playbook: writeOf('playbook'),
  summary: writeOf('summary'),
  self_narrative: writeOf('self_narrative'),
  epoch: writeOf('epoch'),
} satisfies Record<Kind, unknown>
