import type { MunimentError } from '../../domain/errors.ts'
import { ProvenanceError, RefusedError, ScopeError } from '../../domain/errors.ts'
import type { WriteResult } from '../../domain/outcome.ts'

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
