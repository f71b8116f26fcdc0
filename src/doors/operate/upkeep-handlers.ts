import type { LabelTiers } from '../../domain/doors.ts'
import { MunimentError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { ErasurePlan } from '../../engine/erase/erasure-plan.ts'
import type { Erasure } from '../../engine/erase/erasures.ts'
import type { Dump } from '../../engine/transfer/import/dump.ts'
import type { keeping as operations } from '../../operations/keeping.ts'
import type { InputOf } from '../../operations/operations.ts'
import { type DoorContext, given, type Handlers, readerOf } from './context.ts'
import { distrusted } from './distrust.ts'
import { memoryAt } from './read-handlers.ts'
import { reviewed } from './review.ts'
import { trusted } from './trust.ts'

export const upkeepHandlers = {
  review: reviewed,
  trust: trusted,
  promote: ({ stack, caller, actor }, options: InputOf<'promote'>) =>
    stack.promote({ ...given(options), caller, actor }),
  maintain: ({ stack, onProgress, capturesKeptDays }, { dryRun }: InputOf<'maintain'>) =>
    dryRun
      ? stack.applyForgetting({ dryRun })
      : stack.maintenance(given({ onProgress, capturesKeptDays })),
  import: (context, input: InputOf<'import'>) => brought(context, input),
  erase: (context, input: InputOf<'erase'>) => erased(context, input),
  certificate: ({ stack }, { ref }: InputOf<'certificate'>) => stack.erasure.certificate(ref),
  readmit: async ({ stack, caller, actor }, { ref }: InputOf<'readmit'>) => ({
    ref,
    entry: await stack.erasure.readmit(ref, { caller, actor }),
  }),
  distrust: distrusted,
  clock: async ({ stack, caller }, { correct }: InputOf<'clock'>) =>
    correct ? stack.health.correctClock(caller) : { ...(await stack.health.clock()), entry: null },
  state: async ({ stack, caller }, { to }: InputOf<'state'>) =>
    to === undefined
      ? { state: await stack.control.getState(), entry: null }
      : stack.control.setState(to, caller),
} satisfies Handlers<keyof typeof operations>

/** The erased memories; a plan also shows the first words to go. */
export type EraseAnswer =
  | Erasure
  | (ErasurePlan & {
      readonly proposed: null
      readonly words: Readonly<Record<string, string>>
    })

const WORDS_SHOWN_MAX = 20 // of a plan; a whole plan may list thousands

async function erased(
  context: DoorContext,
  { ref, actor: of, subject, derived, basis, yes }: InputOf<'erase'>,
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

/** A person's vouching restores the recorded tiers; the file itself never vouches. */
const VOUCHED: LabelTiers = {
  UserAsserted: 3,
  ExternalFirstHand: 2,
  ModelDerived: 1,
  RecallReEntry: 0,
}

/** A local file may be as large as a stack; a served door shares its thread with other calls. */
const brought = ({ stack, caller, onProgress }: DoorContext, { dump, vouch }: InputOf<'import'>) =>
  stack.transfer.import(
    dump as Dump, // the import checks its format
    given({
      grant: vouch ? VOUCHED : undefined,
      by: caller,
      memoriesMax: caller.door === 'cli' ? undefined : LIMITS.importMemoriesMax,
      onProgress,
    }),
  )
