import {
  assert,
  type MunimentError,
  ProvenanceError,
  RefusedError,
  ScopeError,
} from '../../domain/errors.ts'
import { type Accepted, isAccepted, type WriteResult } from '../../domain/write.ts'
import type { Written } from './write-request.ts'

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
