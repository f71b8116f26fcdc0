import { z } from 'zod'
import { type Change, isAnnotator, RESOLVED_STATUSES } from './change.ts'
import { LINE_KINDS, VERDICTS } from './claim-state.ts'
import { MunimentError } from './errors.ts'
import { type Hash, isHash, type Ref, tryParseRef } from './ids.ts'
import { jsonObject, tags, unitInterval } from './kinds/fields.ts'
import { snapshot } from './kinds/snapshot.ts'
import { LIMITS } from './limits.ts'
import { once } from './once.ts'
import { type Instant, isInstant } from './time.ts'

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
  const parsed = change().safeParse(snapshot(value))
  if (parsed.success) return parsed.data as Change // the schema is the type, written out
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: path.map(String).join('.') || 'change',
    message,
  }))
  const said = issues.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new MunimentError('invalid_input', `That is no change of a memory. ${said}.`, { issues })
}
