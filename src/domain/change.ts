import { z } from 'zod'
import { LINE_KINDS, type LineKind, VERDICTS, type Verdict } from './claims.ts'
import { MunimentError, once } from './errors.ts'
import { type Hash, isHash, type Ref, tryParseRef } from './ids.ts'
import { readBy } from './issue-words.ts'
import { jsonObject, tags, unitInterval } from './kinds/fields.ts'
import { snapshot } from './kinds/json-value.ts'
import { LIMITS } from './limits.ts'
import { type Instant, isInstant } from './time.ts'
import type { EntryPointer } from './write.ts'

/** Final statuses of a suggestion. */
export const RESOLVED_STATUSES = [
  'promoted',
  'modified',
  'dismissed',
  'rejected',
  'expired',
] as const
export type ResolvedStatus = (typeof RESOLVED_STATUSES)[number]

/** Changes of a memory after birth. No change touches the words or the certificate. */
export type Change =
  | { readonly type: 'forget' }
  | { readonly type: 'recover' }
  | { readonly type: 'protect'; readonly on: boolean }
  | { readonly type: 'access' }
  | { readonly type: 'weaken'; readonly amount: number }
  /** First sight below the dormant mark, recorded once for memories that rest on this memory. */
  | { readonly type: 'note_dormant' }
  | {
      readonly type: 'describe'
      readonly confidence: number | null
      readonly tags: readonly string[] | null
    }
  | {
      readonly type: 'annotate'
      /** The annotating component. A new annotation replaces the component's earlier annotation. */
      readonly by: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'process'; readonly into: readonly Ref[] }
  | { readonly type: 'verify'; readonly evidence: readonly Ref[] }
  | { readonly type: 'reinforce'; readonly evidence: readonly Ref[] }
  | { readonly type: 'deactivate' }
  | { readonly type: 'resolve'; readonly status: ResolvedStatus; readonly into: Ref | null }
  | { readonly type: 'end'; readonly at: Instant }
  /** Says that a claim never held. `reopen` undoes both `end` and `retract`. */
  | { readonly type: 'retract' }
  | { readonly type: 'reopen' }
  /** Decides a contest for or against this claim, or leaves the answer unknown. */
  | {
      readonly type: 'adjudicate'
      readonly verdict: Verdict
      readonly evidence: readonly Ref[]
      /** The claim's timeline, whose other claims must be loaded. */
      readonly line: Hash
    }
  /** Closes a contest that nobody decided in time, or whose other sides are gone. */
  | { readonly type: 'lapse'; readonly line: Hash }
  /** A person sets the cardinality, at the claim that has defined the cardinality so far. */
  | { readonly type: 'recast'; readonly cardinality: LineKind }
  | { readonly type: 'ask_review' }
  /** The words contradict an older memory. Both stand until a person decides. */
  | { readonly type: 'note_contradiction'; readonly against: Ref }
  /** A person has looked at the flags; the flags are removed. */
  | { readonly type: 'clear' }
  /** The memory is no rewording: its link to the other memory is removed. */
  | { readonly type: 'overrule' }

export type ChangeType = Change['type']

/** Name of an annotating component. Entries store the name, so only a code is allowed. */
const ANNOTATOR = /^[a-z][a-z0-9_-]{0,63}$/
export const isAnnotator = (name: unknown): name is string =>
  typeof name === 'string' && ANNOTATOR.test(name)

/** Reasons why a change did not happen. A closed list, so a door can word each reason. */
export const UNCHANGED_REASONS = [
  'not_found',
  'erased',
  'already_so',
  'protected',
  'not_forgotten',
  'not_pending',
  'wrong_kind',
  'set_aside',
  'not_contested',
  'unwitnessed', // a verdict needs first-hand evidence or a person's word
  'proposed', // the caller lacks the authority: a proposal waits for a person
  'proposals_full', // this actor has reached the limit of waiting proposals
  'attested', // recorded as a statement, without changing a number
] as const
/** Why a change was not made. */
export type UnchangedReason = (typeof UNCHANGED_REASONS)[number]

/** The outcome of a change: made or not, and why not. */
export interface ChangeResult {
  readonly changed: boolean
  readonly reason: UnchangedReason | null
  /** The recording entry, also for a mere proposal or attestation. */
  readonly entry: EntryPointer | null
  readonly flagged: readonly Ref[]
}

const ref = once(() =>
  z.custom<Ref>((value) => tryParseRef(value) !== undefined, 'expected kind:id'),
)
const refs = once(() =>
  z
    .array(ref())
    .max(LIMITS.parentsMax, `at most ${LIMITS.parentsMax} are taken (parentsMax)`)
    .transform((list) => [...new Set(list)]),
)
const hash = once(() => z.custom<Hash>(isHash, 'expected a hash in hex'))
const instant = once(() => z.custom<Instant>(isInstant, 'expected a moment in UTC'))

const wellFormedTags = once(() =>
  tags().refine((list) => list.every((tag) => tag.isWellFormed()), 'half a character'),
)

const change = once(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('forget') }),
    z.strictObject({ type: z.literal('recover') }),
    z.strictObject({ type: z.literal('protect'), on: z.boolean() }),
    z.strictObject({ type: z.literal('access') }),
    z.strictObject({ type: z.literal('weaken'), amount: unitInterval() }),
    z.strictObject({ type: z.literal('note_dormant') }),
    z.strictObject({
      type: z.literal('describe'),
      confidence: unitInterval().nullable(),
      tags: wellFormedTags().nullable(),
    }),
    z.strictObject({
      type: z.literal('annotate'),
      by: z.string().refine(isAnnotator, 'is no name of a component'),
      fields: jsonObject(),
    }),
    z.strictObject({ type: z.literal('process'), into: refs() }),
    z.strictObject({ type: z.literal('verify'), evidence: refs() }),
    z.strictObject({ type: z.literal('reinforce'), evidence: refs() }),
    z.strictObject({ type: z.literal('deactivate') }),
    z.strictObject({
      type: z.literal('resolve'),
      status: z.enum(RESOLVED_STATUSES),
      into: ref().nullable(),
    }),
    z.strictObject({ type: z.literal('end'), at: instant() }),
    z.strictObject({ type: z.literal('retract') }),
    z.strictObject({ type: z.literal('reopen') }),
    z.strictObject({
      type: z.literal('adjudicate'),
      verdict: z.enum(VERDICTS),
      evidence: refs(),
      line: hash(),
    }),
    z.strictObject({ type: z.literal('lapse'), line: hash() }),
    z.strictObject({ type: z.literal('recast'), cardinality: z.enum(LINE_KINDS) }),
    z.strictObject({ type: z.literal('ask_review') }),
    z.strictObject({ type: z.literal('note_contradiction'), against: ref() }),
    z.strictObject({ type: z.literal('clear') }),
    z.strictObject({ type: z.literal('overrule') }),
  ]),
)

/** `unknown` becomes a change here, once: the gate can record and replay every parsed change. */
export function parseChange(value: unknown): Change {
  const { data, issues } = readBy(change(), snapshot(value), {
    unknown: 'is not a field of this change',
    root: 'change',
  })
  if (data !== null) return data as Change // the schema is the type, written out
  const said = issues.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new MunimentError('invalid_input', `That is no change of a memory. ${said}.`, { issues })
}
