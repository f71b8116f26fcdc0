import type { RecordKind } from '../../src/domain/kind-names.ts'
import type { Saying } from './steps.ts'

/** Statements and what makes each of them noise, after kernle's own cases. */
export const STATEMENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Teams work better together', []],
  ['teams  work better TOGETHER ', []],
  ['Small changes ship faster', []],
  ['Cafe\u0301s open late here', []],
  ['Caf\u00e9s open late here', []],
  ['abcdefghij', []],
  ['abcdefghi', ['too_short']],
  ['aaaaa', ['too_short', 'templated_noise']],
  ['I should always consider the', ['trailing_fragment']],
  ['Belief: people like tea', ['prefix_artifact']],
])

export const PHRASES = [...STATEMENTS.keys()]

/** The body of a kind that says exactly one phrase; claims say what their line holds. */
export function bodyOf(kind: RecordKind, { phrase, variant, claim }: Saying): object {
  const tags = variant === 0 ? {} : { tags: [`variant ${variant}`] }
  switch (kind) {
    case 'raw':
    case 'note':
    case 'self_narrative':
      return { content: phrase, ...tags }
    case 'episode':
      return { objective: phrase, outcome: 'done', ...tags }
    case 'claim':
      return {
        subject: 'User',
        predicate: claim.predicate,
        value: claim.value,
        validTime: { start: claim.start, end: claim.end },
        holds: claim.holds,
        cardinality: claim.cardinality,
        criticality: claim.criticality,
        ...tags,
      }
    case 'belief':
      return { statement: phrase, ...tags }
    case 'goal':
      return { title: phrase, ...tags }
    case 'relationship':
      return { entityName: 'Kim', relationshipType: phrase, ...tags }
    case 'value':
      return { name: 'Candour', statement: phrase, ...tags }
    case 'drive':
      return { driveType: phrase, ...tags }
    case 'playbook':
      return { name: phrase, description: 'As usual', ...tags }
    case 'summary':
      return { scope: 'month', content: phrase, ...PERIOD, ...tags }
    case 'epoch':
      return { epochNumber: variant + 1, name: phrase, startedAt: PERIOD.periodStart }
    case 'suggestion':
      return { memoryType: 'belief', content: { statement: phrase, variant }, confidence: 0.5 }
    case 'report':
      return { topic: 'component', about: phrase, fields: { variant } }
    case 'assessment':
      return {
        entityId: variant === 0 ? 'ann' : 'bob',
        dimensions: { general: { score: (phrase.length % 10) / 10 } },
      }
  }
}

const PERIOD = {
  periodStart: '2025-12-01T00:00:00.000Z',
  periodEnd: '2025-12-31T00:00:00.000Z',
}
