import type { Change } from '../domain/change.ts'
import { MunimentError } from '../domain/errors.ts'
import { type Ref, splitRef } from '../domain/ids.ts'
import { REVIEW_KINDS, type ReviewKind } from '../domain/state.ts'
import { readEntry } from '../hash/ledger.ts'
import { acceptSuggestion } from './accepting.ts'
import { limitOf } from './finding.ts'
import { ungroundedAmong } from './grounding.ts'
import { type Memory, openNote, viewOf } from './memory-view.ts'
import { type ActOptions, speakerOf } from './speaker.ts'
import { dismissSuggestion } from './suggesting.ts'
import type { Uses } from './uses.ts'

export interface ReviewOptions {
  readonly kinds?: readonly ReviewKind[]
  readonly limit?: number
  /** Continue after this item: the ref of the last one of the page before. */
  readonly after?: string
}

/** Something that waits for a person, with what is known about why. */
export interface ReviewItem {
  readonly kind: ReviewKind | 'ungrounded'
  readonly ref: Ref
  readonly memory: Memory
  /** Codes: why it waits. */
  readonly reasons: readonly string[]
  /** Which answers it takes. */
  readonly answers: readonly ReviewAnswer[]
}

export const REVIEW_ANSWERS = ['accept', 'dismiss', 'reject', 'keep', 'forget'] as const
export type ReviewAnswer = (typeof REVIEW_ANSWERS)[number]

const ANSWERS: Readonly<Record<ReviewItem['kind'], readonly ReviewAnswer[]>> = {
  suggestion: ['accept', 'dismiss'],
  quarantine: ['reject'],
  contest: [],
  proposal: ['accept', 'dismiss'],
  flagged: ['keep', 'forget'],
  ungrounded: ['keep', 'forget'],
}

const REVIEW_LIMIT = 50

/** The one queue, newest first: suggestions, quarantines, contests, proposals, what lost a source. */
export async function getReview(
  uses: Uses,
  options: ReviewOptions = {},
): Promise<readonly ReviewItem[]> {
  const limit = limitOf(options.limit ?? REVIEW_LIMIT)
  const kinds = options.kinds ?? REVIEW_KINDS
  for (const kind of kinds) {
    if (!REVIEW_KINDS.includes(kind)) {
      throw new MunimentError('invalid_input', `kinds are among ${REVIEW_KINDS.join(', ')}.`)
    }
  }
  const { after } = options
  const last = after === undefined ? null : await uses.read({ type: 'memory', ref: after as Ref })
  const before = last?.state.seq ?? null
  const page = await uses.read({ type: 'review', kinds, before, limit })
  const moment = await uses.moment()
  const ungrounded = new Set(await ungroundedAmong(uses, page))
  return page.map((stored) => {
    const memory = viewOf(stored, moment)
    const waits = stored.state.review ?? 'flagged'
    const kind = ungrounded.has(memory.ref) ? 'ungrounded' : waits
    const reasons = memory.flags.map(({ code }) => code)
    const all = reasons.length > 0 ? reasons : [memory.disposition]
    return { kind, ref: memory.ref, memory, reasons: all, answers: ANSWERS[kind] }
  })
}

export interface ResolveOptions extends ActOptions {
  readonly reason?: string
  readonly modifications?: Readonly<Record<string, unknown>>
}

interface Answering {
  readonly answer: ReviewAnswer
  readonly options: ResolveOptions
  readonly reject: (ref: Ref) => Promise<unknown>
}

/** A person's answer to one item; says whether it was taken. */
export async function resolveReview(
  uses: Uses,
  ref: Ref,
  { answer, options, reject }: Answering,
): Promise<boolean> {
  const stored = await uses.read({ type: 'memory', ref })
  const waits = stored?.state.review ?? null
  if (!stored || waits === null) return false
  if (!ANSWERS[waits].includes(answer)) {
    throw new MunimentError('invalid_input', `A ${waits} takes: ${ANSWERS[waits].join(', ')}.`)
  }
  const { reason = null, modifications = null, ...who } = options
  const { id } = splitRef(ref)
  if (waits === 'suggestion') {
    if (answer === 'dismiss') return dismissSuggestion(uses, id, reason, who)
    return (await acceptSuggestion(uses, id, modifications, who)) !== null
  }
  if (waits === 'quarantine') {
    await reject(ref)
    return true
  }
  const speaker = speakerOf(uses.stackId, 'resolve_review', who)
  const say = async (change: Change): Promise<boolean> =>
    (await uses.change({ ref, change, text: reason, ...speaker })).changed
  if (answer === 'accept') {
    const wished = await proposalOf(uses, ref)
    if (wished !== null && !(await say(wished))) return false
  }
  if (answer === 'forget' && !(await say({ type: 'forget' }))) return false
  return say({ type: 'clear' })
}

/** The last change that a model wished for, as its entry and what it sealed say. */
async function proposalOf(uses: Uses, ref: Ref): Promise<Change | null> {
  const rows = await uses.read({ type: 'entriesAbout', ref })
  const entry = rows
    .map(({ bytes }) => readEntry(bytes))
    .findLast(({ op }) => op === 'memory.proposed')
  if (!entry) return null
  const { change, amount, confidence } = entry.decision.facts
  const [sealed] = entry.commitment
    ? await uses.read({ type: 'sealed', from: entry.seq, to: entry.seq })
    : []
  const tags = sealed ? openNote(sealed).tags : null
  switch (change) {
    case 'forget':
    case 'deactivate':
      return { type: change }
    case 'protect':
      return { type: 'protect', on: false }
    case 'weaken':
      return { type: 'weaken', amount: Number(amount) }
    case 'describe':
      return {
        type: 'describe',
        confidence: confidence === undefined ? null : Number(confidence),
        tags,
      }
    default:
      return null // a wish to supersede names words, which a person writes himself
  }
}
