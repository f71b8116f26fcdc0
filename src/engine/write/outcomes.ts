import {
  assert,
  type MunimentError,
  ProvenanceError,
  RefusedError,
  ScopeError,
} from '../../domain/errors.ts'
import {
  type Accepted,
  type Command,
  isAccepted,
  type Outcome,
  type WriteResult,
} from '../../domain/write.ts'
import type { Written } from './write-request.ts'

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
  receive: ['received'],
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

/** A refusal as the error that `save*` and the core's writes throw. */
export function refusalError(result: WriteResult): MunimentError {
  const details = {
    ...(result.hint === null ? {} : { hint: result.hint }),
    facts: {
      rule: result.rule,
      reasons: result.reasons,
      entry: result.entry,
      suggestion: result.suggestion,
      ...(result.keptOutBy === undefined ? {} : { keptOutBy: result.keptOutBy }),
    },
  }
  const message = result.message ?? `Refused by the rule ${result.rule}.`
  if (result.rule === 'lineage') return new ProvenanceError('refused', message, details)
  if (result.rule === 'origin') return new ScopeError(message, details)
  return new RefusedError('refused', message, details)
}

/** The result of an accepted write; a refusal throws. */
export function accepted(result: WriteResult): Accepted {
  if (isAccepted(result)) return result
  throw refusalError(result)
}

/** The results of accepted writes; a refusal throws. */
export function acceptedIn(written: Written): readonly Accepted[] {
  if (written.refused) throw refusalError(written.result)
  return written.results.map((result) => {
    assert(isAccepted(result), 'an accepted write has an id')
    return result
  })
}

/** Another writer moved the head since the reads of this write; nothing was decided. */
export class HeadMovedError extends Error {}

const TRIES_MAX = 20 // after so many tries the write no longer expects a head

/**
 * Repeats a read and a write until no other writer moved the head in between: of two processes with
 * an equal proposal, the second finds the first. Under constant foreign writes, the last read
 * counts.
 */
export async function retryAfterHeadMove<T>(
  { foreignMoves }: { readonly foreignMoves: () => Promise<number> },
  attempt: (expectedMoves: number | null) => Promise<T>,
): Promise<T> {
  for (let tries = 1; tries < TRIES_MAX; tries += 1) {
    try {
      return await attempt(await foreignMoves())
    } catch (cause) {
      if (!(cause instanceof HeadMovedError)) throw cause
    }
  }
  return attempt(null)
}
