import type { RecordKind } from '../../domain/ids.ts'
import type { BodyInputOf } from '../../domain/kinds/table.ts'

/** Kinds for the low-level `save*` methods; an assessment has its own method. */
export type SavedKind = Exclude<RecordKind, 'assessment' | 'report'>

const PERIOD = {
  periodStart: '2026-01-01T00:00:00.000Z',
  periodEnd: '2026-01-31T00:00:00.000Z',
}

/** A body of every kind with unique words, and a possible source kind. */
export const SAMPLES: {
  readonly [K in SavedKind]: {
    readonly body: (n: number) => BodyInputOf<K>
    readonly from: SavedKind | null
  }
} = {
  raw: { body: (n) => ({ content: `heard on platform ${n}` }), from: null },
  episode: { body: (n) => ({ objective: `catch train ${n}`, outcome: 'missed it' }), from: 'raw' },
  note: { body: (n) => ({ content: `train ${n} leaves early` }), from: 'raw' },
  claim: { body: (n) => ({ subject: `train ${n}`, predicate: 'leaves', value: n }), from: 'note' },
  belief: { body: (n) => ({ statement: `Train ${n} leaves before its time` }), from: 'episode' },
  goal: { body: (n) => ({ title: `Be early for train ${n}` }), from: 'episode' },
  relationship: {
    body: (n) => ({ entityName: `conductor ${n}`, relationshipType: 'acquaintance' }),
    from: 'episode',
  },
  value: {
    body: (n) => ({ name: `patience ${n}`, statement: `Waiting for train ${n} is travelling too` }),
    from: 'belief',
  },
  drive: { body: (n) => ({ driveType: `curiosity ${n}`, intensity: 0.5 }), from: 'episode' },
  playbook: {
    body: (n) => ({ name: `catching train ${n}`, description: 'run', steps: [{ action: 'run' }] }),
    from: 'episode',
  },
  summary: {
    body: (n) => ({ scope: 'month', ...PERIOD, content: `a month of train ${n}` }),
    from: 'note',
  },
  self_narrative: { body: (n) => ({ content: `one who met train ${n}` }), from: 'episode' },
  epoch: {
    body: (n) => ({ epochNumber: n, name: `train years ${n}`, startedAt: PERIOD.periodStart }),
    from: null,
  },
  suggestion: {
    body: (n) => ({
      memoryType: 'note',
      content: { content: `bus ${n} is better` },
      confidence: 0.6,
    }),
    from: null,
  },
}
