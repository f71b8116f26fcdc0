import type { RecordKind } from '../../src/domain/ids.ts'
import { contentText, parseBody } from '../../src/domain/kinds/table.ts'
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

/** What somebody met with, in several sentences: said, denied, left open, said twice. */
export const ACCOUNTS = [
  'Kim chose the city Berlin for the user. The rest is open.',
  'Kim moved to Berlin by train. It rained all day long. Kim never moved to Paris by train.',
  'Caf\u00e9s were shut. Maybe Kim moved to Berlin by train. Did Kim bring a piano to Paris?',
  'Kim probably has 2 dogs and 1 cat. To Berlin. Kim has 2 dogs and 1 cat, Kim has',
  'Small changes ship faster. Teams work better together. Small changes ship faster.',
  'Teams work better together',
  'I live in Berlin now. The rest is open.',
] as const

/** The words by which a memory is found, quoted and known again. */
export const textOf = (kind: RecordKind, saying: Saying): string =>
  contentText(kind, parseBody(kind, bodyOf(kind, saying)))

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
