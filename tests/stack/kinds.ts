import type { RecordKind } from '../../src/domain/ids.ts'
import type { BodyInputOf } from '../../src/domain/kinds/table.ts'

/** A body of every kind, and the kind it can be made from. */
export const SAMPLES: {
  readonly [K in Exclude<RecordKind, 'assessment' | 'report'>]: {
    readonly body: BodyInputOf<K>
    readonly from: RecordKind | null
  }
} = {
  raw: { body: { content: 'heard on the platform' }, from: null },
  episode: { body: { objective: 'catch the train', outcome: 'missed it' }, from: 'raw' },
  note: { body: { content: 'the nine o’clock leaves early', noteType: 'fact' }, from: 'raw' },
  claim: { body: { subject: 'train 9', predicate: 'leaves at', value: '08:58' }, from: 'note' },
  belief: { body: { statement: 'Trains here leave before their time' }, from: 'episode' },
  goal: { body: { title: 'Be early at the platform', goalType: 'commitment' }, from: 'belief' },
  relationship: {
    body: { entityName: 'the conductor', relationshipType: 'acquaintance', sentiment: 0.5 },
    from: 'episode',
  },
  value: { body: { name: 'patience', statement: 'Waiting is part of travelling' }, from: 'belief' },
  drive: { body: { driveType: 'curiosity', intensity: 0.7 }, from: 'episode' },
  playbook: {
    body: { name: 'catching trains', description: 'how it is done', steps: [{ action: 'run' }] },
    from: 'belief',
  },
  summary: {
    body: {
      scope: 'month',
      periodStart: '2026-01-01T00:00:00.000Z',
      periodEnd: '2026-01-31T00:00:00.000Z',
      content: 'a month of trains',
    },
    from: 'note',
  },
  self_narrative: { body: { content: 'one who learnt to be early' }, from: 'goal' },
  epoch: {
    body: { epochNumber: 1, name: 'the commuting years', startedAt: '2026-01-01T00:00:00.000Z' },
    from: null,
  },
  suggestion: {
    body: { memoryType: 'belief', content: { statement: 'Buses are better' }, confidence: 0.4 },
    from: null,
  },
}

export type SampleKind = keyof typeof SAMPLES
export const SAMPLE_KINDS = Object.keys(SAMPLES) as readonly SampleKind[] // its own keys
