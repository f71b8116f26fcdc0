import { z } from 'zod'
import {
  type Change,
  type ChangeResult,
  UNCHANGED_REASONS,
  type UnchangedReason,
} from '../domain/change.ts'
import { RefusedError } from '../domain/errors.ts'
import { parseRef, type Ref } from '../domain/ids.ts'
import type { Memory } from '../engine/read/memory-view.ts'
import { type DoorContext, given, memoryAt } from './context.ts'
import type { Lines, Outcome, Speaker, TextContext } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { UNCHANGED } from './text/reasons.ts'
import { oneLine, plural, shortRef } from './text/words.ts'

export const changedShape = shape.named(
  'Changed',
  z.strictObject({
    ref: shape.text,
    now: shape.now,
    changed: z.boolean(),
    reason: z.enum(UNCHANGED_REASONS).nullable(),
    entry: shape.entry.nullable(),
    flagged: shape.refs,
  }),
)

/** The result of a change, with the memory's state afterwards. */
export interface Changed extends ChangeResult {
  readonly ref: Ref
  readonly now: Pick<
    Memory,
    'confidence' | 'strength' | 'strengthTier' | 'isProtected' | 'tags' | 'review'
  >
}

/** Labels follow the door: the door names the caller of a change (5.2). */
export const by = ({ caller, actor }: DoorContext, reason?: string | undefined) => ({
  caller,
  actor,
  ...given({ reason }),
})

interface Said {
  readonly ref: string
  readonly reason?: string | undefined
}

export const changeTo = async (
  context: DoorContext,
  { ref, reason }: Said,
  what: Change,
): Promise<Changed> =>
  settled(
    context,
    ref,
    await context.stack.changes.change(ref, what, what.type, by(context, reason)),
  )

/** Refusals a caller can act on; other reasons are answers. */
const REFUSALS: Readonly<Partial<Record<UnchangedReason, string>>> = {
  protected: 'is protected',
  wrong_kind: 'is of a kind that does not take this',
  set_aside: 'is forgotten or set aside',
  not_pending: 'is not pending',
  unwitnessed: 'cannot be decided without first-hand evidence, or a person’s word',
}

export async function settled(
  { stack }: DoorContext,
  of: string,
  result: ChangeResult,
): Promise<Changed> {
  const ref = parseRef(of)
  const memory = await memoryAt(stack, ref) // a missing memory is an error for every operation
  const { reason } = result
  const refusal = reason === null ? undefined : REFUSALS[reason]
  if (refusal !== undefined) {
    throw new RefusedError('refused', `${ref} ${refusal}.`, { facts: { reason, ref } })
  }
  const { confidence, strength, strengthTier, isProtected, tags, review } = memory
  const now = { confidence, strength, strengthTier, isProtected, tags, review }
  return { ...result, ref, now }
}

/** Commands that change a memory, with the words for success. */
const DONE = {
  forget: 'Forgotten:',
  recover: 'Recovered:',
  protect: 'Protected:',
  weaken: 'Weakened:',
  access: 'Noted as used:',
  unlink: 'Unlinked:',
  describe: 'Described:',
  verify: 'Verified:',
  reinforce: 'Reinforced:',
  supersede: 'Superseded:',
  end: 'Ended:',
  retract: 'Retracted:',
  reopen: 'Reopened:',
  recast: 'The timeline is written anew at',
  adjudicate: 'Decided:',
} as const

type ChangeName = keyof typeof DONE

/** The result of a change, the caller, and the command to type next. */
export function changedPage(changed: Changed, name: ChangeName, { who, page }: TextContext): Lines {
  const { ink } = page
  const ref = ink.ref(shortRef(changed.ref))
  if (changed.reason === 'proposed') return proposedLines(changed, who, page)
  if (!changed.changed)
    return [
      `${ref}: ${UNCHANGED[changed.reason ?? 'already_so']}`,
      ...entryLine(changed, who, page),
    ]
  const done = name === 'protect' && !changed.now.isProtected ? 'No longer protected:' : DONE[name]
  const { flagged } = changed
  return [
    `${ink.good(done)} ${ref}  ${numbersOf(changed)}`,
    ...entryLine(changed, who, page),
    ...(flagged.length === 0 ? [] : [restingOn(flagged.length)]),
    ...nextLine(changed, name).map((line) => ink.faint(`  ${line}`)),
  ]
}

const restingOn = (count: number): string =>
  `  ${plural(count, 'memory rests', 'memories rest')} on it and waits for a look: muniment review`

function nextLine({ ref, now }: Changed, name: ChangeName): readonly string[] {
  if (name === 'end' || name === 'retract')
    return [`undo it: muniment claims reopen ${shortRef(ref)}`]
  if (name === 'forget') return [`back again: muniment memory recover ${shortRef(ref)}`]
  const isFaint = now.strengthTier === 'weak' || now.strengthTier === 'dormant'
  if (name !== 'recover' || !isFaint) return []
  return [
    'search finds it; list shows it with --weak, until it is of use:',
    `  muniment memory access ${shortRef(ref)}`,
  ]
}

const numbersOf = ({ now }: Changed): string =>
  [
    `confidence ${now.confidence.toFixed(2)}`,
    `strength ${now.strength.toFixed(2)} (${now.strengthTier})`,
    now.isProtected ? 'protected' : '',
    now.tags.length === 0 ? '' : `tags ${oneLine(now.tags.join(', '))}`,
  ]
    .filter((part) => part !== '')
    .join(', ')

const entryLine = (
  { entry }: Changed,
  { label, because }: Speaker,
  { isVerbose }: Page,
): readonly string[] =>
  entry === null || !isVerbose ? [] : [`  entry ${entry.seq}, as ${label}: ${because}`]

/**
 * A model's proposal about words of a person or a tool: kept, and without effect until a person
 * decides.
 */
export function proposedLines(
  { ref, entry }: Pick<Changed, 'ref' | 'entry'>,
  { because }: Speaker,
  { ink }: Page,
  why = 'is first-hand',
): readonly string[] {
  const short = shortRef(ref)
  if (entry === null) {
    return [
      `${ink.hint('Not recorded:')} another proposal about ${ink.ref(short)} waits for a person already.`,
      `  Nothing has changed. See it: muniment review ${short}`,
    ]
  }
  return [
    `${ink.hint('Put up for review:')} ${ink.ref(short)} ${why}, and this call is a model’s: ${because}.`,
    '  Nothing has changed. A person decides:',
    `    muniment review ${short} accept`,
    `    muniment review ${short} dismiss`,
  ]
}

export const EVIDENCE = [
  'Evidence counts when it rests on other first-hand words than the memory does, and once each.',
  'Anything else is written down as said and moves no number.',
]

export const FIRST_HAND =
  'What a person or a tool said is not a model’s to take away: a model’s proposal is put up for review (6).'

/** A proposal changes nothing yet; scripts tell it by the exit code. */
export const outcomeOf = ({ reason }: Pick<Changed, 'reason'>): Outcome =>
  reason === 'proposed' ? 'review' : 'ok'

/** Members that the operations of a change share. */
export const CHANGE = { isSaid: true, outcome: outcomeOf } as const
