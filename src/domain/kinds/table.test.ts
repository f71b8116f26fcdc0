import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MunimentError } from '../errors.ts'
import { RECORD_KINDS, type RecordKind } from '../ids.ts'
import { type BodyInputOf, contentText, definitionOf, KIND_TABLE, parseBody } from './table.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const AT = '2026-01-31T09:30:00.000Z'
const LATER = '2026-02-28T23:59:59.999Z'

const common = {
  context: 'project:muniment',
  contextTags: ['ts'],
  tags: ['deploy', ' kept  as given '],
  epochId: ID,
  subjectIds: ['alice'],
}

interface Example<K extends RecordKind> {
  readonly minimal: BodyInputOf<K>
  /** What the schema adds to the minimal body. */
  readonly defaults: object
  readonly full: BodyInputOf<K>
  readonly text: string
  /** One wrong value per field, and one field that does not exist. */
  readonly bad: Readonly<Record<string, unknown>>
}

const EXAMPLES: { readonly [K in RecordKind]: Example<K> } = {
  raw: {
    minimal: { content: ' \u0000 ' },
    defaults: {},
    full: { content: 'Deploy failed', capturedFrom: 'terminal', ...common },
    text: 'Deploy failed',
    bad: { content: '', capturedFrom: 1, mood: 'blue' },
  },
  episode: {
    minimal: { objective: 'deploy v2', outcome: 'failed' },
    defaults: {
      lessons: [],
      repeat: [],
      avoid: [],
      emotionalValence: 0,
      emotionalArousal: 0,
      emotionalTags: [],
    },
    full: {
      objective: 'deploy v2',
      outcome: 'failed',
      outcomeType: 'failure',
      lessons: ['migrate first', 'lock less'],
      repeat: ['small steps'],
      avoid: ['Fridays'],
      emotionalValence: -1,
      emotionalArousal: 1,
      emotionalTags: ['dread'],
      ...common,
    },
    text: 'deploy v2\nfailed\nmigrate first\nlock less',
    bad: {
      objective: ' \n\t ',
      outcome: null,
      outcomeType: 'splendid',
      lessons: 'one',
      repeat: [''],
      avoid: [1],
      emotionalValence: -1.01,
      emotionalArousal: Number.NaN,
      emotionalTags: {},
      mood: 'blue',
    },
  },
  note: {
    minimal: { content: 'use pnpm' },
    defaults: { noteType: 'note' },
    full: { content: 'ship it', noteType: 'quote', speaker: 'Ada', reason: '', ...common },
    text: 'ship it',
    bad: { content: 7, noteType: 'memo', speaker: null, reason: [], mood: 'blue' },
  },
  claim: {
    minimal: { subject: 'user', predicate: 'city', value: null },
    defaults: {
      cardinality: 'Functional',
      validTime: {
        start: null,
        end: null,
        startGranularity: null,
        endGranularity: null,
        confidence: 1,
      },
      criticality: 'Medium',
      holds: null,
    },
    full: {
      subject: 'user',
      predicate: 'home',
      value: { town: 'Köln', at: [50.9, 6.9, null, true] },
      cardinality: 'SetValued',
      validTime: {
        start: AT,
        end: LATER,
        startGranularity: 'year',
        endGranularity: 'instant',
        confidence: 0.7,
      },
      criticality: 'Critical',
      holds: 'planned',
      ...common,
    },
    text: 'user home {"at":[50.9,6.9,null,true],"town":"Köln"}',
    bad: {
      subject: '',
      predicate: false,
      value: Number.POSITIVE_INFINITY,
      cardinality: 'functional',
      validTime: { confidence: 2 },
      criticality: null,
      holds: 'maybe',
      valueConfidence: 1,
    },
  },
  belief: {
    minimal: { statement: 'Migrations go first' },
    defaults: {
      beliefType: 'fact',
      beliefScope: 'world',
      crossDomainApplications: [],
      abstractionLevel: 'specific',
    },
    full: {
      statement: 'Small changes ship faster',
      beliefType: 'principle',
      beliefScope: 'self',
      sourceDomain: 'deployment',
      crossDomainApplications: ['writing'],
      abstractionLevel: 'universal',
      ...common,
    },
    text: 'Small changes ship faster',
    bad: {
      statement: undefined,
      beliefType: 'faith',
      beliefScope: 'cosmos',
      sourceDomain: 1,
      crossDomainApplications: [null],
      abstractionLevel: 1,
      confidence: 0.8,
    },
  },
  goal: {
    minimal: { title: 'ship' },
    defaults: { goalType: 'task', priority: 'medium', status: 'active' },
    full: {
      title: 'ship',
      description: 'before spring',
      goalType: 'commitment',
      priority: 'high',
      status: 'paused',
      ...common,
    },
    text: 'ship\nbefore spring',
    bad: { title: [], description: {}, goalType: 'wish', priority: 1, status: 'dead', mood: 1 },
  },
  relationship: {
    minimal: { entityName: 'Ada', relationshipType: 'colleague' },
    defaults: { entityType: 'person', sentiment: 0, interactionCount: 0 },
    full: {
      entityName: 'Ada',
      entityId: 'ada@example.org',
      entityType: 'agent',
      relationshipType: 'colleague',
      notes: 'likes tests',
      sentiment: -0.5,
      interactionCount: 12,
      lastInteraction: AT,
      ...common,
    },
    text: 'Ada: colleague\nlikes tests',
    bad: {
      entityName: ' ',
      entityId: '',
      entityType: 3,
      relationshipType: undefined,
      notes: 0,
      sentiment: true,
      interactionCount: 1.5,
      lastInteraction: '2026-01-31',
      mood: 1,
    },
  },
  value: {
    minimal: { name: 'candour', statement: 'Say what is so' },
    defaults: { priority: 50 },
    full: { name: 'candour', statement: 'Say what is so', priority: 100, ...common },
    text: 'candour: Say what is so',
    bad: { name: '', statement: 1, priority: 101, mood: 1 },
  },
  drive: {
    minimal: { driveType: 'curiosity' },
    defaults: { intensity: 0.5, focusAreas: [] },
    full: { driveType: 'tidiness', intensity: 1, focusAreas: ['files', 'names'], ...common },
    text: 'tidiness\nfiles\nnames',
    bad: { driveType: 5, intensity: '0.5', focusAreas: [' '], mood: 1 },
  },
  playbook: {
    minimal: { name: 'deploy', description: 'how to deploy' },
    defaults: {
      triggerConditions: [],
      steps: [],
      failureModes: [],
      recoverySteps: [],
      masteryLevel: 'novice',
      timesUsed: 0,
      successRate: 0,
    },
    full: {
      name: 'deploy',
      description: 'how to deploy',
      triggerConditions: ['a release'],
      steps: [
        { action: 'migrate', details: 'first', adaptations: 'skip if none' },
        { action: 'go' },
      ],
      failureModes: ['lock'],
      recoverySteps: ['roll back'],
      masteryLevel: 'expert',
      timesUsed: 20,
      successRate: 0.95,
      lastUsed: AT,
      ...common,
    },
    text: 'deploy\nhow to deploy\na release\nmigrate\ngo',
    bad: {
      name: 1,
      description: '',
      triggerConditions: 1,
      steps: [{ action: '' }],
      failureModes: 1,
      recoverySteps: 1,
      masteryLevel: 'god',
      timesUsed: -1,
      successRate: 1.1,
      lastUsed: '2026-02-30T00:00:00.000Z',
      mood: 1,
    },
  },
  summary: {
    minimal: { scope: 'month', periodStart: AT, periodEnd: AT, content: 'quiet' },
    defaults: { keyThemes: [], covers: [] },
    full: {
      scope: 'decade',
      periodStart: AT,
      periodEnd: LATER,
      content: 'busy',
      keyThemes: ['work'],
      covers: [`episode:${ID}`],
      ...common,
    },
    text: 'busy',
    bad: {
      scope: 'week',
      periodStart: 0,
      periodEnd: '',
      content: '',
      keyThemes: [1],
      covers: ['episode:1'],
      mood: 1,
    },
  },
  self_narrative: {
    minimal: { content: 'I build' },
    defaults: { narrativeType: 'identity', keyThemes: [], unresolvedTensions: [] },
    full: {
      content: 'I was built',
      narrativeType: 'developmental',
      keyThemes: ['growth'],
      unresolvedTensions: ['speed or care'],
      ...common,
    },
    text: 'I was built',
    bad: { content: 0, narrativeType: 'x', keyThemes: 1, unresolvedTensions: [''], mood: 1 },
  },
  epoch: {
    minimal: { epochNumber: 1, name: 'beginning', startedAt: AT },
    defaults: {
      triggerType: 'declared',
      keyBeliefIds: [],
      keyRelationshipIds: [],
      keyGoalIds: [],
      dominantDriveIds: [],
    },
    full: {
      epochNumber: 2,
      name: 'middle',
      startedAt: AT,
      endedAt: LATER,
      triggerType: 'detected',
      triggerDescription: 'a move',
      summary: 'calm',
      keyBeliefIds: [ID],
      keyRelationshipIds: [ID],
      keyGoalIds: [ID],
      dominantDriveIds: [ID],
    },
    text: 'middle\na move\ncalm',
    bad: {
      epochNumber: 0,
      name: '',
      startedAt: 'now',
      endedAt: null,
      triggerType: 'x',
      triggerDescription: 1,
      summary: 1,
      keyBeliefIds: [`belief:${ID}`],
      keyRelationshipIds: 1,
      keyGoalIds: 1,
      dominantDriveIds: [ID.toUpperCase()],
      tags: [],
    },
  },
  suggestion: {
    minimal: { memoryType: 'belief', content: {}, confidence: 0 },
    defaults: { sourceRefs: [], status: 'pending' },
    full: {
      memoryType: 'note',
      content: { tags: ['b', 'a'], content: 'maybe', priority: 1 },
      confidence: 1,
      sourceRefs: [`raw:${ID}`],
      status: 'rejected',
      reason: 'lint',
    },
    text: 'maybe\nb\na',
    bad: {
      memoryType: 'raw',
      content: [],
      confidence: 1.5,
      sourceRefs: ['raw'],
      status: 'lost',
      reason: 1,
      tags: [],
    },
  },
  assessment: {
    minimal: { entityId: 'web-search', dimensions: {} },
    defaults: { authority: [], evidence: [] },
    full: {
      entityId: 'web-search',
      dimensions: { medical: { score: 0.3 }, general: { score: 0.5 } },
      authority: [{ scope: 'all' }, { scope: 'general', requiresEvidence: true }],
      evidence: [`episode:${ID}`],
    },
    text: 'web-search\ngeneral\nmedical',
    bad: {
      entityId: '',
      dimensions: { general: { score: 2 } },
      authority: [{ scope: 'x', requiresEvidence: 'yes' }],
      evidence: [ID],
      mood: 1,
    },
  },
  report: {
    minimal: { topic: 'component', about: 'anxiety', fields: {} },
    defaults: {},
    full: { topic: 'processing', about: 'raw_to_note', fields: { upto: 12 } },
    text: 'processing: raw_to_note',
    bad: { topic: 'gossip', about: '', fields: [], tags: ['x'] },
  },
}

const failure = (kind: RecordKind, input: unknown): MunimentError => {
  try {
    parseBody(kind, input)
  } catch (error) {
    if (error instanceof MunimentError) return error
    throw error
  }
  throw new Error('the body was taken')
}

const paths = (error: MunimentError): readonly string[] => error.issues.map(({ path }) => path)

describe.each(RECORD_KINDS)('%s', (kind) => {
  const { minimal, defaults, full, text, bad } = EXAMPLES[kind]

  it('fills in its defaults and nothing else', () => {
    expect(parseBody(kind, minimal)).toStrictEqual({ ...minimal, ...defaults })
  })

  it('keeps a full body as it was given, and a parsed body as it was parsed', () => {
    const body = parseBody(kind, full)
    expect(body).toStrictEqual(full)
    expect(parseBody(kind, JSON.parse(JSON.stringify(body)))).toStrictEqual(body)
  })

  it('says one text', () => {
    expect(contentText(kind, parseBody(kind, full))).toBe(text)
  })

  it('names every bad field at once', () => {
    const error = failure(kind, bad)
    expect(error.code).toBe('invalid_input')
    const fields = new Set(paths(error).map((path) => path.split('.')[1]))
    expect([...fields].sort()).toEqual(Object.keys(bad).sort())
  })

  it('refuses a field it does not know, and only for that', () => {
    const error = failure(kind, { ...full, confidence_history: [] })
    expect(error.issues).toEqual([{ path: 'body.confidence_history', message: 'unknown field' }])
  })

  it('takes members that are undefined as absent', () => {
    const holes = Object.fromEntries(Object.keys(defaults).map((name) => [name, undefined]))
    const body = parseBody(kind, { ...holes, ...minimal })
    expect(body).toStrictEqual({ ...minimal, ...defaults })
  })

  it('can be told to a client as JSON Schema', () => {
    const schema = z.toJSONSchema(definitionOf(kind).body, { io: 'input' })
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
  })

  it('stands in the table under its own name', () => {
    expect(KIND_TABLE[kind].kind).toBe(kind)
    expect(definitionOf(kind)).toBe(KIND_TABLE[kind])
  })
})

describe('protection at birth', () => {
  const isProtected = (kind: RecordKind, input: unknown): boolean =>
    definitionOf(kind).isProtected(parseBody(kind, input))

  it.each(RECORD_KINDS)('%s', (kind) => {
    const expected = ['value', 'drive', 'summary'].includes(kind)
    expect(isProtected(kind, EXAMPLES[kind].minimal)).toBe(expected)
  })

  it.each([
    ['task', false],
    ['aspiration', true],
    ['commitment', true],
    ['exploration', false],
  ])('a goal that is a %s: %s', (goalType, expected) => {
    expect(isProtected('goal', { title: 'ship', goalType })).toBe(expected)
  })
})

describe('periods', () => {
  it('refuses a summary that ends before it starts', () => {
    const period = { periodStart: LATER, periodEnd: AT }
    const error = failure('summary', { ...EXAMPLES.summary.minimal, ...period })
    expect(error.issues).toEqual([
      { path: 'body.periodEnd', message: 'may not be before periodStart' },
    ])
  })

  it('refuses an epoch that ends before it starts', () => {
    const error = failure('epoch', { epochNumber: 1, name: 'x', startedAt: LATER, endedAt: AT })
    expect(error.issues).toEqual([{ path: 'body.endedAt', message: 'may not be before startedAt' }])
  })

  it('takes a claim whose window is impossible: the gate quarantines it', () => {
    const validTime = { start: LATER, end: AT }
    const body = parseBody('claim', { subject: 'a', predicate: 'b', value: 1, validTime })
    expect(body.validTime).toMatchObject(validTime)
  })
})

describe('kinds', () => {
  it.each(['memory', 'constructor', '__proto__', '', undefined])('refuses %s', (kind) => {
    const error = failure(kind as RecordKind, { content: 'x' })
    expect(error.code).toBe('invalid_input')
    expect(paths(error)).toEqual(['kind'])
    for (const known of RECORD_KINDS) expect(error.message).toContain(known)
    expect(() => definitionOf(kind as RecordKind)).toThrow(MunimentError)
  })
})
