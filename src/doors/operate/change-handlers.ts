import type { Change, ChangeResult, UnchangedReason } from '../../domain/change.ts'
import { MunimentError, RefusedError } from '../../domain/errors.ts'
import { parseRef, type Ref } from '../../domain/ids.ts'
import type { Accepted } from '../../domain/write.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import type { changes } from '../../operations/changes.ts'
import type { InputOf } from '../../operations/operations.ts'
import { type DoorContext, given, type Handlers } from './context.ts'
import { memoryAt } from './read-handlers.ts'

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

const change = async (
  context: DoorContext,
  { ref, reason }: Said,
  what: Change,
): Promise<Changed> =>
  settled(
    context,
    ref,
    await context.stack.changes.change(ref, what, what.type, by(context, reason)),
  )

export const changeHandlers = {
  update_goal: ({ stack, caller, actor }, { ref, ...change }: InputOf<'update_goal'>) => {
    const { derivedFrom, ...fields } = given(change)
    return stack.changes.updateGoal(ref, fields, { caller, actor, ...given({ derivedFrom }) })
  },
  forget: (context, input: InputOf<'forget'>) => change(context, input, { type: 'forget' }),
  recover: (context, input: InputOf<'recover'>) => change(context, input, { type: 'recover' }),
  protect: (context, { off, ...input }: InputOf<'protect'>) =>
    change(context, input, { type: 'protect', on: !off }),
  unlink: (context, input: InputOf<'unlink'>) => change(context, input, { type: 'overrule' }),
  access: (context, input: InputOf<'access'>) => change(context, input, { type: 'access' }),
  weaken: async (context, { ref, amount, reason }: InputOf<'weaken'>) =>
    settled(context, ref, await context.stack.changes.weaken(ref, amount, by(context, reason))),
  describe: async (context, { confidence, tags, ...said }: InputOf<'describe'>) => {
    if (confidence === undefined && tags === undefined) {
      throw new MunimentError('invalid_input', 'describe needs a confidence or tags.')
    }
    const what = { type: 'describe', confidence: confidence ?? null, tags: tags ?? null } as const
    return change(context, said, what)
  },
  verify: async (context, { ref, evidence, reason }: InputOf<'verify'>) => {
    const options = { ...by(context, reason), evidence }
    return settled(context, ref, await context.stack.changes.verify(ref, options))
  },
  reinforce: async (context, { ref, evidence, reason }: InputOf<'reinforce'>) => {
    const options = { ...by(context, reason), evidence }
    return settled(context, ref, await context.stack.changes.reinforce(ref, options))
  },
  supersede: (context, input: InputOf<'supersede'>) => supersede(context, input),
} satisfies Handlers<keyof typeof changes>

/** The new belief, or its proposal where a person has to decide. */
async function supersede(
  context: DoorContext,
  { ref, statement, ...options }: InputOf<'supersede'>,
): Promise<Accepted | Changed> {
  const { stack, caller, actor, model: modelId } = context
  const said = { ...given({ ...options, modelId }), caller, actor }
  try {
    return await stack.changes.supersede(ref, statement, said)
  } catch (error) {
    const reason = WAITS.find(
      (each) => error instanceof RefusedError && error.facts.reason === each,
    )
    if (!(error instanceof RefusedError) || reason === undefined) throw error
    const entry = error.facts.entry as ChangeResult['entry'] // written by the stack
    const wish = { changed: false, reason, entry, flagged: [] } as const
    return settled(context, ref, wish)
  }
}

const WAITS = ['proposed', 'proposals_full'] as const

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
