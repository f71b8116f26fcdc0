import { z } from 'zod'
import { LIFECYCLE_STATES } from '../domain/dispositions.ts'
import type { Kind } from '../domain/kind-names.ts'
import { definitionOf } from '../domain/kinds/table.ts'
import { kind, limit, provenanceFields, ref } from './fields.ts'
import { defineOperation, type Operation } from './operation.ts'
import { WRITE_TEXTS } from './write-texts.ts'

/** The write of one kind: its body's own fields, and what may be said of how it came to be. */
function writeOf(of: Kind): Operation {
  const { body } = definitionOf(of)
  if (!(body instanceof z.ZodObject)) throw new TypeError(`The body of ${of} is an object.`)
  const { summary, example } = WRITE_TEXTS[of]
  const input = body.extend(provenanceFields)
  return defineOperation({ name: of, summary, right: 'write', input, example })
}

const writes = {
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
} satisfies Record<Kind, Operation>

const aboutOne = z.strictObject({ ref })
const nothing = z.strictObject({})

const reads = {
  show: defineOperation({
    name: 'show',
    summary: 'One memory with its birth certificate.',
    right: 'read',
    input: aboutOne,
    example: { ref: 'raw' },
  }),
  list: defineOperation({
    name: 'list',
    summary: 'Memories of one kind, newest first.',
    right: 'read',
    input: z.strictObject({
      kind,
      limit,
      after: z.string().optional().describe('Continue after this id.'),
    }),
    example: { kind: 'raw' },
  }),
  why: defineOperation({
    name: 'why',
    summary: 'Where it came from, what it was made from, how it changed, which rule let it in.',
    right: 'read',
    input: aboutOne,
    example: { ref: 'belief' },
  }),
  trace: defineOperation({
    name: 'trace',
    summary: 'Everything a memory was made from, roots first.',
    right: 'read',
    input: aboutOne,
    example: { ref: 'belief' },
  }),
  impact: defineOperation({
    name: 'impact',
    summary: 'Everything that was made from a memory.',
    right: 'read',
    input: aboutOne,
    example: { ref: 'raw' },
  }),
  audit: defineOperation({
    name: 'audit',
    summary: 'Recompute the whole ledger and name the first thing that is not so.',
    right: 'read',
    input: nothing,
    example: {},
  }),
  stats: defineOperation({
    name: 'stats',
    summary: 'How many memories of each kind there are.',
    right: 'read',
    input: nothing,
    example: {},
  }),
} as const

const acts = {
  state: defineOperation({
    name: 'state',
    summary: 'The lifecycle state; given a state to go to, a person can change it.',
    right: 'person',
    input: z.strictObject({ to: z.enum(LIFECYCLE_STATES).optional() }),
    example: {},
  }),
  reject: defineOperation({
    name: 'reject',
    summary: 'Say no to something quarantined; the same words stay out from then on.',
    right: 'person',
    input: aboutOne,
    example: { ref: 'belief' },
  }),
} as const

/** The table every door is a translation of. What is added here appears at each of them. */
export const OPERATIONS = { ...writes, ...reads, ...acts } as const

export type OperationName = keyof typeof OPERATIONS

export type InputOf<N extends OperationName> = z.output<(typeof OPERATIONS)[N]['input']>

export const isOperation = (name: string): name is OperationName => Object.hasOwn(OPERATIONS, name)
