import { assert } from '../../domain/errors.ts'
import type { Command, Outcome } from '../../domain/write.ts'

export type CommandType = Exclude<Command['type'], 'write'>

/** A command as use cases give it; the clock reading and the random bytes come with submission. */
export type CommandRequest<T extends CommandType> = Omit<
  Extract<Command, { readonly type: T }>,
  'type' | 'arrival'
>

/** The outcomes of each command. A command without the authority becomes a proposal: `changed`. */
const OUTCOMES = {
  change: ['changed'],
  erase: ['erased', 'changed'],
  distrust: ['turned', 'changed'],
  readmit: ['readmitted'],
  keepOut: ['keptOut'],
  state: ['state'],
  policy: ['policy'],
  clock: ['corrected'],
  tidy: ['tidied'],
  release: ['released'],
  reject: ['rejected'],
} as const satisfies Record<CommandType, readonly Outcome['type'][]>

export type OutcomeOf<T extends CommandType> = Extract<
  Outcome,
  { readonly type: (typeof OUTCOMES)[T][number] }
>

/** The outcome of a command, checked to be one of the command's own. */
export function outcomeOf<T extends CommandType>(type: T, outcome: Outcome): OutcomeOf<T> {
  const known: readonly Outcome['type'][] = OUTCOMES[type]
  assert(known.includes(outcome.type), 'a command answers with an outcome of its own')
  return outcome as OutcomeOf<T> // checked above
}
