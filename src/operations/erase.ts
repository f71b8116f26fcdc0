import { z } from 'zod'
import { DERIVED_CHOICES, ERASE_BASES } from '../domain/erasure.ts'
import { MunimentError, once } from '../domain/errors.ts'
import { parseRef, type Ref } from '../domain/ids.ts'
import { shortText } from '../domain/kinds/fields.ts'
import type { EntryPointer } from '../domain/write.ts'
import type { ErasurePlan } from '../engine/erase/erasure-plan.ts'
import type { Erasure } from '../engine/erase/erasures.ts'
import { proposedLines } from './change.ts'
import { type DoorContext, memoryAt, readerOf } from './context.ts'
import { ref } from './fields.ts'
import { defineOperation, type Speaker } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { clip, jsonText, oneLine, plural, shortRef } from './text/words.ts'

const eraseInput = once(() =>
  z.strictObject({
    ref: ref().optional(),
    actor: shortText().optional().describe('Everything that this actor handed in, and its key.'),
    subject: shortText().optional().describe('Every claim about this subject, whoever said it.'),
    derived: z
      .enum(DERIVED_CHOICES)
      .default('list')
      .describe('What becomes of memories made from it: they are named, go too, or stay.'),
    basis: z.enum(ERASE_BASES).default('requested').describe('Why, as a code that is kept.'),
    yes: z.boolean().default(false).describe('Do it. Nothing brings it back.'),
  }),
)

type EraseInput = z.output<ReturnType<typeof eraseInput>>

const certificateShape = shape.named(
  'ErasureCertificate',
  z.strictObject({
    format: z.literal('muniment/erasure/1'),
    statement: shape.text,
    entries: shape.list(z.strictObject({ entry: shape.text, proof: shape.list(shape.text) })),
    checkpoint: shape.text,
  }),
)

const eraseShape = z.union([
  z.strictObject({
    erased: shape.refs,
    derived: shape.refs,
    entries: shape.list(shape.entry),
    scrubbed: z.boolean(),
    proposed: shape.entry.nullable(),
    certificate: certificateShape.nullable(),
  }),
  z.strictObject({
    refs: shape.refs,
    derived: shape.refs,
    proposed: z.null(),
    words: z.record(z.string(), shape.text),
  }),
])

export const erase = defineOperation({
  name: 'erase',
  group: 'first',
  summary: 'Destroy what a memory says for good; given yes, it is done, otherwise only shown.',
  right: 'read',
  rises: { field: 'yes', right: 'write' },
  input: eraseInput,
  output: () => eraseShape,
  example: { ref: 'raw', yes: true },
  places: ['ref'],
  notes: [
    'Without --yes it only says what would go. What was captured with it goes too.',
    'Only a person erases: a model’s proposal is put up for review (6). The same words stay out.',
  ],
  tool: 'memory',
  isTakenAsIs: true,
  run: erased,
  text: (result, { input, who, page }) => {
    const ref = typeof input.ref === 'string' ? parseRef(input.ref) : null
    return erasedPage(result, { ref, who }, page)
  },
  outcome: ({ proposed }) => (proposed === null ? 'ok' : 'review'),
})

export const certificate = defineOperation({
  name: 'certificate',
  group: 'ledger',
  summary: 'A certificate of an erasure, for anyone to check.',
  right: 'read',
  input: () => z.strictObject({ ref: ref() }),
  output: () => certificateShape,
  example: { ref: 'raw' },
  notes: [
    'Of a memory and all that went with it. Anyone checks it, with the key that checkpoint prints:',
    'muniment ledger check <file> --key <key>',
  ],
  examples: ['muniment ledger certificate note:1a2b3c4d > erased.json'],
  run: ({ stack }, { ref }) => stack.erasure.certificate(ref),
  // Shown raw, because a person keeps the certificate.
  text: (proof) => [jsonText(proof)],
})

export const readmit = defineOperation({
  name: 'readmit',
  group: 'trust',
  summary: 'Allow words again that were erased or rejected.',
  right: 'person',
  input: () => z.strictObject({ ref: ref() }),
  output: () => z.strictObject({ ref: shape.text, entry: shape.entry.nullable() }),
  example: { ref: 'raw' },
  tool: null,
  run: async ({ stack, caller, actor }, { ref }) => ({
    ref,
    entry: await stack.erasure.readmit(ref, { caller, actor }),
  }),
  text: (result) => [readmittedLine(result)],
})

/** The erased memories; a plan also shows the first words to go. */
type EraseAnswer =
  | Erasure
  | (ErasurePlan & {
      readonly proposed: null
      readonly words: Readonly<Record<string, string>>
    })

const WORDS_SHOWN_MAX = 20 // of a plan; a whole plan may list thousands

async function erased(
  context: DoorContext,
  { ref, actor: of, subject, derived, basis, yes }: EraseInput,
): Promise<EraseAnswer> {
  const { stack, caller, actor } = context
  const asked = [ref, of, subject].filter((each) => each !== undefined)
  if (asked.length !== 1) {
    throw new MunimentError('invalid_input', 'erase needs a memory, an actor or a subject: one.')
  }
  const what = ref ?? (of !== undefined ? { actor: of } : { subject: String(subject) })
  if (yes) return stack.erasure.erase(what, { derived, basis, caller, actor })
  const plan = await stack.erasure.plan(what, { derived })
  const shown = [plan.refs, plan.derived].flatMap((refs) => refs.slice(0, WORDS_SHOWN_MAX))
  const reader = readerOf(context)
  const memories = await Promise.all(shown.map((each) => memoryAt(stack, each, reader)))
  const words = Object.fromEntries(memories.map((memory) => [memory.ref, memory.text]))
  return { ...plan, proposed: null, words }
}

const SHOWN_MAX = 20 // --json has every one

interface ErasureRequest {
  /** The named memory; null for an actor or a subject. */
  readonly ref: Ref | null
  readonly who: Speaker
}

type Words = Readonly<Record<string, string>>

function list(refs: readonly string[], { ink, width }: Page, words: Words = {}): readonly string[] {
  const lines = refs.slice(0, SHOWN_MAX).map((ref) => {
    const short = shortRef(ref)
    const text = clip(oneLine(words[ref] ?? ''), width - short.length - 4)
    return `  ${ink.ref(short)}${text === '' ? '' : `  ${text}`}`
  })
  const more = refs.length - SHOWN_MAX
  return more > 0 ? [...lines, `  … and ${more} more: --json`] : lines
}

/** Erased memories, or those a plan would erase, with everything derived from them. */
function erasedPage(answer: EraseAnswer, asked: ErasureRequest, page: Page): readonly string[] {
  const { ink } = page
  const words = 'words' in answer ? answer.words : {}
  const left =
    answer.derived.length === 0
      ? []
      : [
          `Made from it, and still there: ${answer.derived.length}`,
          ...list(answer.derived, page, words),
        ]
  if (!('entries' in answer)) {
    if (answer.refs.length === 0) return [NOTHING]
    return [
      `Would erase ${plural(answer.refs.length, 'memory', 'memories')}, for good:`,
      ...list(answer.refs, page, words),
      ...left,
      'Nothing was done. With --yes it is, and nothing brings it back.',
    ]
  }
  if (isWish(answer, asked)) {
    const { ref, who } = asked
    return proposedLines({ ref, entry: answer.proposed }, who, page, 'would be gone for good')
  }
  const { erased, scrubbed } = answer
  if (answer.entries.length === 0) return [NOTHING]
  const where = scrubbed
    ? 'No file of the stack holds it any more.'
    : 'Somebody reads an older state: the files are cleaned when the stack is opened next.'
  return [
    `${ink.good('Erased')} ${plural(erased.length, 'memory', 'memories')}. ${where}`,
    ...list(erased, page),
    ...left,
    ink.faint(
      'Backups, exports and copies are yours to clean, also old stacks that a restore set aside',
    ),
    ink.faint('(<stack>.db.replaced); muniment doctor lists them.'),
    ...certificateLines(erased, page),
  ]
}

const NOTHING = 'Nothing to erase: nothing of it is here, or it was erased already.'

/** A model's proposal, also a repeated proposal without an entry. */
const isWish = (
  { proposed, entries }: Extract<EraseAnswer, { entries: unknown }>,
  asked: ErasureRequest,
): asked is ErasureRequest & { readonly ref: Ref } =>
  asked.ref !== null && (proposed !== null || (entries.length === 0 && !asked.who.person))

const certificateLines = ([first]: readonly Ref[], { ink }: Page): readonly string[] =>
  first === undefined
    ? []
    : [
        ink.faint(
          `proof of it, for anyone: muniment ledger certificate ${shortRef(first)} > erased.json`,
        ),
      ]

const readmittedLine = ({ entry }: { readonly entry: EntryPointer | null }): string =>
  entry === null ? 'Nothing kept these words out.' : `Let back in, by entry ${entry.seq}.`
