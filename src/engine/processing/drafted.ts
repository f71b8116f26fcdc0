import { z } from 'zod'
import { shortText, text, unitInterval } from '../../domain/kinds/fields.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type { TargetKind } from './transitions.ts'

/** What it rests on, in the very words of the source. */
export interface Cited {
  readonly source: string
  readonly quote: string
}

/** A memory as a model or a rule would have it; nobody has looked yet whether it holds up. */
export interface Drafted {
  readonly content: JsonObject
  readonly confidence: number
  readonly cites: readonly Cited[]
}

const ITEMS_MAX = 20 // of one answer; more is not drawn from ten memories but made up
const CITES_MAX = 50

const words = (what: string) => text().describe(what)

/** What is asked for, a kind at a time: no field that says who said it or how far to trust it. */
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

/** The shape that a model is asked to answer in. */
export const schemaFor = (kind: TargetKind): JsonObject =>
  z.toJSONSchema(answerFor(kind), { io: 'input' }) as JsonObject // a JSON Schema is JSON

const ANSWER_CHARS_MAX = 200_000 // no answer of the length asked for is longer
const FENCE = '```'

/** Some models put their answer behind a fence. Cut by hand: a pattern takes for ever on blank lines. */
function unfenced(answer: string): string {
  const text = answer.trim()
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE)) return text
  return text.slice(text.indexOf('\n') + 1, -FENCE.length)
}

/** What a model answered, or null where it is not what was asked for: then nothing of it is taken. */
export function readAnswer(kind: TargetKind, answer: string): readonly Drafted[] | null {
  if (answer.length > ANSWER_CHARS_MAX) return null
  try {
    const parsed = answerFor(kind).safeParse(JSON.parse(unfenced(answer)))
    if (!parsed.success) return null
    return parsed.data.items.map(({ content, confidence, cites }) => ({
      content: content as JsonObject, // parsed as one
      confidence,
      cites,
    }))
  } catch {
    return null
  }
}
