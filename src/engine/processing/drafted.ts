import { z } from 'zod'
import { shortText, text, unitInterval } from '../../domain/kinds/fields.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type { TargetKind } from './transitions.ts'

/** A quote from a source, letter for letter. */
export interface Cited {
  readonly source: string
  readonly quote: string
}

/** An unchecked draft of a memory by a model or a rule. */
export interface Drafted {
  readonly content: JsonObject
  readonly confidence: number
  readonly cites: readonly Cited[]
}

const ITEMS_MAX = 20 // of one answer; a model that gives more from ten memories invents
const CITES_MAX = 50

const words = (what: string) => text().describe(what)

/** The fields of each kind in an answer: none for the author or the trust. */
const CONTENT: Readonly<Record<TargetKind, () => z.ZodObject>> = {
  episode: () =>
    z.object({
      objective: words('What was tried.'),
      outcome: words('How it went.'),
      lessons: z.array(text()).max(10).default([]).describe('What it taught, in its own words.'),
    }),
  note: () => z.object({ content: words('What is worth keeping, on its own.') }),
  belief: () =>
    z.object({ statement: words('What holds across the episodes cited, in one sentence.') }),
  goal: () =>
    z.object({
      title: words('What is to be brought about.'),
      description: text().optional(),
    }),
  relationship: () =>
    z.object({
      entityName: shortText().describe('Who.'),
      relationshipType: shortText().describe('How they stand to the one whose memory this is.'),
      notes: text().optional(),
    }),
  value: () =>
    z.object({
      name: shortText().describe('A word or two.'),
      statement: words('What matters, in one sentence.'),
    }),
  drive: () =>
    z.object({
      driveType: shortText().describe('What pulls, in a word.'),
      focusAreas: z.array(shortText()).max(10).default([]),
    }),
}

const cite = () =>
  z.object({
    source: shortText().describe('Its number as given: S1, S2, …'),
    quote: words('A whole sentence of that source, letter for letter.'),
  })

const answerFor = (kind: TargetKind) =>
  z.object({
    items: z
      .array(
        z.object({
          content: CONTENT[kind](),
          confidence: unitInterval().describe('How sure the sources make it, from 0 to 1.'),
          cites: z.array(cite()).min(1).max(CITES_MAX),
        }),
      )
      .max(ITEMS_MAX),
  })

/** The JSON Schema for a model's answer. */
export const schemaFor = (kind: TargetKind): JsonObject =>
  z.toJSONSchema(answerFor(kind), { io: 'input' }) as JsonObject // a JSON Schema is JSON

const ANSWER_CHARS_MAX = 200_000 // longer than any answer within the token limit
const FENCE = '```'

/** Removes a code fence of some models, without a pattern: blank lines make patterns very slow. */
function unfenced(answer: string): string {
  const text = answer.trim()
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE)) return text
  return text.slice(text.indexOf('\n') + 1, -FENCE.length)
}

/** Parses a model's answer; null for any other shape, and then no item is taken. */
export function readAnswer(kind: TargetKind, answer: string): readonly Drafted[] | null {
  if (answer.length > ANSWER_CHARS_MAX) return null
  try {
    const parsed = answerFor(kind).safeParse(JSON.parse(unfenced(answer)))
    if (!parsed.success) return null
    return parsed.data.items.map(({ content, confidence, cites }) => ({
      content: content as JsonObject, // parsed by the schema
      confidence,
      cites,
    }))
  } catch {
    return null
  }
}
