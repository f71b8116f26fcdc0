import { z } from 'zod'
import { DISTRUST_BASES, DISTRUST_WHYS, ORIGIN_KINDS } from '../domain/distrust.ts'
import { DOORS } from '../domain/doors.ts'
import { MunimentError, once } from '../domain/errors.ts'
import { parseRef, type Ref, splitRef } from '../domain/ids.ts'
import { shortText } from '../domain/kinds/fields.ts'
import { type Answer, servedByAnswer } from '../engine/claims/answer.ts'
import { answerWords, differencesOf } from '../engine/claims/answer-differences.ts'
import type { DistrustedOrigin, DistrustWhat, Turned, WhatIf } from '../engine/distrust/distrust.ts'
import type { Memory } from '../engine/read/memory-view.ts'
import { proposedLines } from './change.ts'
import { answerShape } from './claim-shapes.ts'
import { type DoorContext, given, readerOf } from './context.ts'
import { reason, ref } from './fields.ts'
import { defineOperation, type Speaker } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { clip, oneLine, plural, shortRef } from './text/words.ts'

const distrustInput = once(() =>
  z.strictObject({
    ref: ref().optional(),
    actor: shortText().optional().describe('Everything that this actor handed in.'),
    door: z.enum(DOORS).optional().describe('Everything that came through this door.'),
    inSession: shortText().optional().describe('Everything that was written in this session.'),
    basis: z.enum(DISTRUST_BASES).optional().describe('Why, as a code that is kept.'),
    reason: reason().describe('Why, in words; of one memory only.'),
    yes: z.boolean().default(false).describe('Do it. Trusting again undoes it.'),
    off: z.boolean().default(false).describe('Trust it again: everything is as it was.'),
  }),
)

type DistrustInput = z.output<ReturnType<typeof distrustInput>>

/** The words of the first memories: a page of refs alone says nothing to a person. */
const wordsShape = shape.list(z.strictObject({ ref: shape.text, text: shape.text }))

const distrustShape = z.union([
  z.strictObject({
    origins: shape.list(
      z.strictObject({
        origin: z.enum(ORIGIN_KINDS),
        name: shape.maybe,
        since: shape.text,
        basis: z.enum(DISTRUST_BASES),
        memories: shape.count,
        entry: shape.count,
      }),
    ),
  }),
  z.strictObject({
    whatIf: z.strictObject({
      memories: shape.list(
        z.strictObject({
          ref: shape.text,
          kind: shape.kind,
          disposition: shape.disposition,
          why: z.enum(DISTRUST_WHYS),
        }),
      ),
      words: wordsShape,
      flagged: shape.list(z.strictObject({ ref: shape.text, by: shape.text })),
      answers: shape.list(z.strictObject({ before: answerShape, after: answerShape })),
    }),
  }),
  z.strictObject({
    turned: z.strictObject({
      entry: shape.entry.nullable(),
      memories: shape.refs,
      words: wordsShape,
      flagged: shape.refs,
      cleared: shape.refs,
      proposed: shape.entry.nullable(),
    }),
    off: z.boolean(),
    note: shape.maybe,
  }),
])

export const distrust = defineOperation({
  name: 'distrust',
  group: 'trust',
  summary: 'Stop believing a memory, an actor, a door or a session; shows the effect first.',
  right: 'read',
  rises: { field: ['yes', 'off'], right: 'write' },
  input: distrustInput,
  output: () => distrustShape,
  example: { actor: 'deploy-bot' },
  places: ['ref'],
  notes: [
    'Without --yes it only says what would change. Without a name: whom nothing is believed of.',
    'Only a person can: a model’s proposal about one memory is put up for review (6). Nothing is lost.',
  ],
  examples: [
    'muniment trust distrust --actor deploy-bot --yes --basis compromised',
    'muniment trust distrust --actor deploy-bot --off',
  ],
  run: distrusted,
  text: (result, { input, who, page }) => {
    const ref = typeof input.ref === 'string' ? parseRef(input.ref) : null
    return distrustPage(result, { ref, who }, page)
  },
  outcome: (result) => ('turned' in result && result.turned.proposed !== null ? 'review' : 'ok'),
})

export interface Worded {
  readonly words: readonly { readonly ref: Ref; readonly text: string }[]
}

/** Distrusted origins, or the effect of distrust, planned or done. */
type DistrustAnswer =
  | { readonly origins: readonly DistrustedOrigin[] }
  | { readonly whatIf: WhatIf & Worded }
  | { readonly turned: Turned & Worded; readonly off: boolean; readonly note: string | null }

async function distrusted(context: DoorContext, input: DistrustInput): Promise<DistrustAnswer> {
  const { stack } = context
  const what = meant(input)
  const { ref, off, yes, basis, reason } = input
  if (what === null) {
    if (yes || off) throw oneNeeded()
    return { origins: await stack.sources.distrusted() }
  }
  if (!yes && !off) {
    const whatIf = await stack.sources.whatIf({ distrust: what, caller: context.caller })
    const shown = whatIf.answers.flatMap(({ before, after }) =>
      [before, after].flatMap(servedByAnswer),
    )
    const memories = await firstOf(context, whatIf.memories)
    await stack.lookup.noteServed('distrust', readerOf(context), [...shown, ...memories])
    return { whatIf: { ...whatIf, words: memories.map(wordsOf) } }
  }
  const by = { ...readerOf(context), ...given({ basis, reason }) }
  const turned = off ? await stack.sources.trust(what, by) : await stack.sources.distrust(what, by)
  const isNobodys =
    !off && ref === undefined && turned.entry !== null && turned.memories.length === 0
  const memories = await firstOf(
    context,
    turned.memories.map((each) => ({ ref: each })),
  )
  await stack.lookup.noteServed('distrust', readerOf(context), memories)
  const words = memories.map(wordsOf)
  return { turned: { ...turned, words }, off, note: isNobodys ? NOBODYS : null }
}

/** The first memories that this caller may read. */
async function firstOf(
  { stack, caller }: DoorContext,
  all: readonly { readonly ref: Ref }[],
): Promise<readonly Memory[]> {
  const found = await Promise.all(
    all.slice(0, SHOWN_MAX).map(({ ref }) => {
      const { kind, id } = splitRef(ref)
      return stack.getMemory(kind, id, { caller })
    }),
  )
  return found.filter((memory) => memory !== null && memory.withheld === undefined) as Memory[] // filtered
}

const wordsOf = ({ ref, text }: Memory) => ({ ref, text })

const NOBODYS =
  'Nothing that is believed comes from there: is the name right? Trusting it again undoes this.'

function meant({ ref, actor, door, inSession }: DistrustInput): DistrustWhat | null {
  const session = inSession
  const origins = Object.entries({ actor, door, session }).filter(([, name]) => name !== undefined)
  if (origins.length + (ref === undefined ? 0 : 1) > 1) throw oneNeeded()
  if (ref !== undefined) return ref
  return origins.length === 0 ? null : (Object.fromEntries(origins) as DistrustWhat) // a single pair
}

const oneNeeded = (): MunimentError =>
  new MunimentError(
    'invalid_input',
    'distrust needs a memory, an actor, a door or a session: one of them.',
  )

const SHOWN_MAX = 20 // --json has every one

interface DistrustRequest {
  /** The named memory; null for an origin. */
  readonly ref: Ref | null
  readonly who: Speaker
}

/** Distrusted origins, or the effect of distrust, planned or done. */
function distrustPage(
  answer: DistrustAnswer,
  asked: DistrustRequest,
  page: Page,
): readonly string[] {
  if ('origins' in answer) return originsPage(answer.origins, page)
  if ('whatIf' in answer) return whatIfPage(answer.whatIf, page)
  return turnedPage(answer.turned, { ...asked, off: answer.off, note: answer.note }, page)
}

function originsPage(origins: readonly DistrustedOrigin[], page: Page): readonly string[] {
  if (origins.length === 0) return ['Nobody is distrusted.']
  return origins.map(({ origin, name, since, basis, memories, entry }) => {
    const count = plural(memories, 'memory', 'memories')
    const at = page.isVerbose ? `, entry ${entry}` : ''
    return `${origin} ${name ?? '(erased)'}  since ${since.slice(0, 10)}, ${basis}: ${count}${at}`
  })
}

const cut = (lines: readonly string[]): readonly string[] => {
  const more = lines.length - SHOWN_MAX
  return more > 0 ? [...lines.slice(0, SHOWN_MAX), `  … and ${more} more: --json`] : lines
}

const WHY_ROOM = 30

/** A memory with its words, as far as the line reaches. */
function wordLine(ref: Ref, words: Worded['words'], { ink, width }: Page): string {
  const text = words.find((each) => each.ref === ref)?.text
  const short = shortRef(ref)
  const room = width - short.length - WHY_ROOM
  return `  ${ink.ref(short)}${text === undefined ? '' : `  ${clip(oneLine(text), room)}`}`
}

function whatIfPage(
  { memories, words, flagged, answers }: WhatIf & Worded,
  page: Page,
): readonly string[] {
  const { width } = page
  if (memories.length === 0)
    return ['Nothing would change: nothing that is believed comes from there.']
  const byGround = memories.filter(({ why }) => why === 'ground').length
  const lost = plural(memories.length, 'memory', 'memories')
  return [
    `${lost} would lose belief${byGround === 0 ? '' : `, ${byGround} of them because nothing else supports them`}:`,
    ...cut(memories.map(({ ref, why }) => `${wordLine(ref, words, page)} (${WHYS[why]})`)),
    ...(answers.length === 0 ? ['No answer would change.'] : ['Answers that would change:']),
    ...cut(
      answers.map(({ before, after }) =>
        clip(`  ${before.subject} ${before.predicate}: ${turnedWords(before, after)}`, width),
      ),
    ),
    ...(flagged.length === 0
      ? []
      : [`Waiting for a person, for having lost a source: ${flagged.length}`]),
    'Nothing was done. With --yes it is; --off undoes it.',
  ]
}

const WHYS = {
  origin: 'comes from there',
  own: 'named here',
  ground: 'rests on nothing else',
} as const

/** The new answer; for an unchanged answer, the parts that changed. */
function turnedWords(before: Answer, after: Answer): string {
  const changes = differencesOf(before, after).map(({ of, before: was, after: is }) =>
    of === 'answer' ? `${was} → ${is}` : `${of} ${was} → ${is}`,
  )
  const isAnother = answerWords(before) !== answerWords(after)
  return oneLine(isAnother ? changes.join() : `stays ${answerWords(before)}; ${changes.join(', ')}`)
}

function turnedPage(
  { entry, memories, words, flagged, cleared, proposed }: Turned & Worded,
  {
    ref,
    who,
    off,
    note,
  }: DistrustRequest & Pick<Extract<DistrustAnswer, { off: boolean }>, 'off' | 'note'>,
  page: Page,
): readonly string[] {
  if (ref !== null && !off && (proposed !== null || (entry === null && !who.person))) {
    return proposedLines({ ref, entry: proposed }, who, page, 'would not be believed')
  }
  if (entry === null) return [off ? 'Nothing of it was distrusted.' : 'It is distrusted already.']
  const count = plural(memories.length, 'memory', 'memories')
  return [
    off
      ? `${page.ink.good('Trusted again:')} ${count}.`
      : `${page.ink.bad('Distrusted:')} ${count}.`,
    ...(note === null ? [] : [note]),
    ...cut(memories.map((each) => wordLine(each, words, page))),
    ...(flagged.length === 0 ? [] : [`Lost a source, and wait for a person: ${flagged.length}`]),
    ...(cleared.length === 0 ? [] : [`Have a source back: ${cleared.length}`]),
  ]
}
