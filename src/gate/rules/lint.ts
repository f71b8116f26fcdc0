import type { BeliefBody } from '../../domain/kinds/belief.ts'
import type { ValueBody } from '../../domain/kinds/value.ts'
import type { Case, Rule } from '../case.ts'
import { lintStatement } from '../quote.ts'

/** A noisy belief or value is refused, and kept as a rejected suggestion. */
export const lint: Rule = {
  name: 'lint',
  judge: (c) => {
    const reasons = reasonsFor(c)
    if (reasons.length === 0) return undefined
    return {
      type: 'refuse',
      reasons,
      facts: {},
      message: `This reads as noise, not as a ${c.candidate.main.kind}: ${inWords(reasons)}.`,
      hint: 'Say it as one whole sentence.',
    }
  },
}

function reasonsFor({ candidate, policy }: Case): readonly string[] {
  const { kind, body } = candidate.main
  const { lintCharsMin: min, lintCharsMax: max, lintNameCharsMin } = policy.numbers
  if (kind === 'belief') {
    return lintStatement((body as BeliefBody).statement, { min, max }) // parsed as a belief
  }
  if (kind !== 'value') return []
  const { name, statement } = body as ValueBody // parsed as a value
  const ofName = lintStatement(name, { min: lintNameCharsMin, max })
  return [...ofName.map((reason) => `name_${reason}`), ...lintStatement(statement, { min, max })]
}

const inWords = (reasons: readonly string[]): string =>
  reasons.map((reason) => reason.replaceAll('_', ' ')).join(', ')
