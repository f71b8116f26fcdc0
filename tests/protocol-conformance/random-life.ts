import fc from 'fast-check'
import type { Caller } from '../../src/domain/doors.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import { KINDS, type Ref, splitRef } from '../../src/domain/ids.ts'
import type { StackHand } from '../../src/testing/conformance/protocol-given.ts'
import { MODEL, PERSON } from '../../src/testing/conformance/protocol-review.ts'
import type { FakeClock } from '../../src/testing/world.ts'

/** Every kind that says something, and suggestions. */
const SAVED = [...KINDS.filter((kind) => kind !== 'epoch'), 'suggestion'] as const

const DEEDS = [
  'forget',
  'recover',
  'protect',
  'unprotect',
  'describe',
  'weaken',
  'access',
  'verify',
  'supersede',
  'revise',
  'resolve',
] as const

const words = fc.constantFrom('heron', 'canal', 'the reeds', 'rain at noon', 'a grey morning')

/** One step of a life: something is saved, or something befalls what was saved before. */
export const steps = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant('save' as const),
      kind: fc.constantFrom(...SAVED),
      confidence: fc.constantFrom(0.2, 0.5, 0.8, 1),
      tags: fc.constantFrom<readonly string[] | null>(null, ['wet'], ['wet', 'cold'], ['far']),
      context: fc.constantFrom<string | null>(null, 'project:a', 'project:b'),
      contextTags: fc.constantFrom<readonly string[] | null>(null, ['project:a']),
    }),
    fc.record({
      type: fc.constant('do' as const),
      deed: fc.constantFrom(...DEEDS),
      at: fc.nat(30),
      amount: fc.constantFrom(0.1, 0.3, 0.6, 0.85),
      caller: fc.constantFrom<Caller | null>(null, null, PERSON, MODEL),
      words,
    }),
    fc.record({ type: fc.constant('wait' as const), days: fc.constantFrom(1, 40, 400, 1_500) }),
  ),
  { minLength: 5, maxLength: 40 },
)

type Step = typeof steps extends fc.Arbitrary<readonly (infer S)[]> ? S : never
type Deed = Extract<Step, { type: 'do' }>

const DAYS_MAX = 3_000 // a life that nobody wrote to for longer would be asked whether its clock is right

/** Lives through the steps; what a stack refuses is part of life, and only coded errors are. */
export async function live(
  hand: StackHand,
  clock: FakeClock,
  life: readonly Step[],
): Promise<readonly Ref[]> {
  const made: Ref[] = []
  let daysLeft = DAYS_MAX
  for (const step of life) {
    if (step.type === 'wait') {
      clock.advance({ days: Math.min(step.days, daysLeft) })
      daysLeft -= Math.min(step.days, daysLeft)
    } else if (step.type === 'save') {
      const { kind, confidence, tags, context, contextTags } = step
      const placed = {
        ...(tags && { tags }),
        ...(context && { context }),
        ...(contextTags && { contextTags }),
      }
      const body = kind === 'suggestion' ? {} : placed
      made.push(await hand.make(kind, body as never, { confidence })) // of every kind but that
    } else {
      const ref = made[step.at % Math.max(1, made.length)]
      if (ref) await perform(hand, ref, step)
    }
  }
  return made
}

async function perform(hand: StackHand, ref: Ref, deed: Deed): Promise<void> {
  try {
    await act(hand, ref, deed)
  } catch (cause) {
    if (!(cause instanceof MunimentError) || cause.code === 'invariant') throw cause
  }
}

async function act({ stack }: StackHand, ref: Ref, deed: Deed): Promise<unknown> {
  const { kind, id } = splitRef(ref)
  const who = deed.caller ? { caller: deed.caller } : {}
  switch (deed.deed) {
    case 'forget':
      return stack.forgetMemory(kind, id, deed.words, who)
    case 'recover':
      return stack.recoverMemory(kind, id, who)
    case 'protect':
      return stack.protectMemory(kind, id, true, who)
    case 'unprotect':
      return stack.protectMemory(kind, id, false, who)
    case 'describe':
      return stack.updateMemoryMeta(kind, id, {
        confidence: deed.amount,
        tags: [deed.words],
        ...who,
      })
    case 'weaken':
      return stack.changes.weaken(ref, deed.amount, who)
    case 'access':
      return stack.recordAccess(kind, id, who)
    case 'verify': {
      const [raw] = await stack.getRaw({ limit: 1 })
      return stack.changes.verify(ref, { evidence: raw ? [raw.ref] : [], ...who })
    }
    case 'supersede':
      return stack.changes.supersede(ref, `Now ${deed.words} is otherwise`, who)
    case 'revise':
      return stack.updateDriveAtomic({ id, driveType: deed.words, intensity: deed.amount })
    case 'resolve': {
      const [item] = await stack.review.list({ limit: 1 })
      const [answer] = item?.answers ?? []
      return item && answer ? stack.review.resolve(item.ref, answer, who) : null
    }
  }
}
