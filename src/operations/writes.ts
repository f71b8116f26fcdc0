import { z } from 'zod'
import type { Kind } from '../domain/ids.ts'
import { definitionOf } from '../domain/kinds/table.ts'
import { once } from '../domain/once.ts'
import { FIELD_WORDS } from './field-words.ts'
import { provenanceFields } from './fields.ts'
import { defineOperation, type Operation } from './operation.ts'
import { WRITE_TEXTS } from './write-texts.ts'

/** The write of one kind: its body's own fields, and what may be said of how it came to be. */
function writeOf(of: Kind): Operation {
  const { summary, example } = WRITE_TEXTS[of]
  const input = () => {
    const more =
      of === 'claim' ? { ...window(), quote: quote() } : of === 'belief' ? { quote: quote() } : {}
    const { body } = definitionOf(of)
    if (!(body instanceof z.ZodObject)) throw new TypeError(`The body of ${of} is an object.`)
    return z.strictObject({ ...described(body), ...more, ...provenanceFields() })
  }
  return defineOperation({ name: of, summary, right: 'write', input, example })
}

const quote = once(() =>
  z
    .string()
    .optional()
    .describe(
      'A whole sentence of something first-hand in derivedFrom that says so, letter for letter.',
    ),
)

/** When a claim holds, as people write dates; `validTime` says the same to a program. */
const window = once(() => ({
  validFrom: z.string().optional().describe('Since when: 2024, 2024-05, 2024-05-15 or a time.'),
  validUntil: z.string().optional().describe('Until when, all of what it names included.'),
}))

/** Each field with the words that help and tool lists show; what it takes is the kind's to say. */
function described({ shape }: z.ZodObject): Readonly<Record<string, z.core.$ZodType>> {
  const fields = Object.entries(shape).map(([field, schema]) => {
    const words = FIELD_WORDS[field]
    const isPlain = words !== undefined && schema instanceof z.ZodType
    return [field, isPlain ? schema.describe(words) : schema] as const
  })
  return Object.fromEntries(fields)
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
} satisfies Record<Kind, Operation>
