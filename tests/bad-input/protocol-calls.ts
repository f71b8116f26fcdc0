/** The memories that every scene begins with, by kind. */
export type Ids = Readonly<Record<'raw' | 'note' | 'belief' | 'drive' | 'suggestion', string>>

/** Methods as a caller in JavaScript sees them: anything may be given for anything. */
export type Loose = Record<string, (...given: readonly unknown[]) => Promise<unknown>>

/** A facet of a stack, as a caller in JavaScript sees the facet. */
export const facet = (on: Loose, name: 'changes' | 'review'): Loose => on[name] as unknown as Loose // a facet is an object of methods, not a method

export const FOREIGN = '01980000-0000-7000-8000-0000000000ff'
const MANY = 10_000
export const TEN_MEGABYTES = 'x'.repeat(10_000_000)

export const throwing = {
  get limit(): never {
    throw new Error('do not look')
  },
}
export const sly = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error('do not count')
    },
  },
)

export const LISTS = [
  'getEpisodes',
  'getBeliefs',
  'getValues',
  'getGoals',
  'getNotes',
  'getRaw',
] as const

/** One bad call a line; each names what is wrong with it. */
export const BAD: readonly (readonly [
  string,
  (on: Loose, ids: Ids) => Promise<unknown> | undefined,
])[] = [
  ...LISTS.flatMap((name) =>
    [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1_001, '5'].map(
      (limit) => [`${name} limit ${limit}`, (on: Loose) => on[name]?.({ limit })] as const,
    ),
  ),
  ...LISTS.flatMap((name) => [
    [`${name} minTier`, (on: Loose) => on[name]?.({ minTier: 4 })] as const,
    [`${name} after a stranger`, (on: Loose) => on[name]?.({ after: FOREIGN })] as const,
    [`${name} after nonsense`, (on: Loose) => on[name]?.({ after: 'last' })] as const,
  ]),
  ['a context that is no text', (on) => on.getEpisodes?.({ context: 7 })],
  ['a context of 10 MB', (on) => on.getEpisodes?.({ context: TEN_MEGABYTES })],
  ['tags that are no list', (on) => on.getEpisodes?.({ tags: 'wet' })],
  ['tags that are no texts', (on) => on.getEpisodes?.({ tags: [1] })],
  ['10,000 tags', (on) => on.getEpisodes?.({ tags: Array(MANY).fill('wet') })],
  ['includeWeak that is no flag', (on) => on.getEpisodes?.({ includeWeak: 'yes' })],
  ['includeForgotten that is no flag', (on) => on.getNotes?.({ includeForgotten: 1 })],
  ['an unknown beliefType', (on) => on.getBeliefs?.({ beliefType: 'rumour' })],
  ['an unknown noteType', (on) => on.getNotes?.({ noteType: 'memo' })],
  ['an unknown status', (on) => on.getGoals?.({ status: 'abandoned' })],
  ['minConfidence NaN', (on) => on.getBeliefs?.({ minConfidence: Number.NaN })],
  ['minConfidence above one', (on) => on.getBeliefs?.({ minConfidence: 1.1 })],
  ['no drive type', (on) => on.getDrive?.()],
  ['a drive type of blanks', (on) => on.getDrive?.(' ')],
  ['includeExpired null', (on) => on.getDrives?.({ includeExpired: null })],
  ['no entity name', (on) => on.getRelationship?.(undefined)],
  ['minTrust NaN', (on) => on.getRelationships?.({ minTrust: Number.NaN })],
  ['minTrust below nought', (on) => on.getRelationships?.({ minTrust: -0.1 })],
  ['entityId that is no text', (on) => on.getRelationships?.({ entityId: 7 })],
  ['an unknown kind', (on, { note }) => on.getMemory?.('memo', note)],
  ['a kind called __proto__', (on, { note }) => on.getMemory?.('__proto__', note)],
  ['an id that is none', (on) => on.getMemory?.('note', '../../etc')],
  ['a query that is no text', (on) => on.search?.({ toString: () => 'x' })],
  ['an unknown recordType', (on) => on.search?.('x', { recordTypes: ['memo'] })],
  ['recordTypes that are no list', (on) => on.search?.('x', { recordTypes: 'note' })],
  ['minConfidence of a search', (on) => on.search?.('x', { minConfidence: Number.NaN })],
  ['a negative limit of a search', (on) => on.search?.('x', { limit: -1 })],
  ['a budget of NaN', (on) => on.load?.({ tokenBudget: Number.NaN })],
  ['a budget without end', (on) => on.load?.({ tokenBudget: Number.POSITIVE_INFINITY })],
  ['a negative budget', (on) => on.load?.({ tokenBudget: -1 })],
  ['a budget in words', (on) => on.load?.({ tokenBudget: 'all' })],
  ['a context of load', (on) => on.load?.({ context: {} })],
  ['minTier of load', (on) => on.load?.({ minTier: 'high' })],
  ['an access of an unknown kind', (on, { note }) => on.recordAccess?.('memo', note)],
  [
    'confidence NaN',
    (on, { note }) => on.updateMemoryMeta?.('note', note, { confidence: Number.NaN }),
  ],
  [
    'confidence in words',
    (on, { note }) => on.updateMemoryMeta?.('note', note, { confidence: 'high' }),
  ],
  [
    '10,000 new tags',
    (on, { note }) => on.updateMemoryMeta?.('note', note, { tags: Array(MANY).fill('x') }),
  ],
  [
    'a new tag of 10 MB',
    (on, { note }) => on.updateMemoryMeta?.('note', note, { tags: [TEN_MEGABYTES] }),
  ],
  [
    'half a character as a tag',
    (on, { note }) => on.updateMemoryMeta?.('note', note, { tags: ['\ud800'] }),
  ],
  ['a reason of 10 MB', (on, { note }) => on.forgetMemory?.('note', note, TEN_MEGABYTES)],
  ['a reason that is no text', (on, { note }) => on.forgetMemory?.('note', note, { why: 1 })],
  ['a reason with half a character', (on, { note }) => on.forgetMemory?.('note', note, '\udfff')],
  ['protected maybe', (on, { note }) => on.protectMemory?.('note', note, 'maybe')],
  ['protected null', (on, { note }) => on.protectMemory?.('note', note, null)],
  ['weakened by NaN', (on, { note }) => facet(on, 'changes').weaken?.(`note:${note}`, Number.NaN)],
  [
    'weakened by less than nothing',
    (on, { note }) => facet(on, 'changes').weaken?.(`note:${note}`, -0.5),
  ],
  [
    'evidence that is no list',
    (on, { note }) => facet(on, 'changes').verify?.(`note:${note}`, { evidence: 'x' }),
  ],
  [
    '10,000 pieces of evidence',
    (on, { note, raw }) =>
      facet(on, 'changes').verify?.(`note:${note}`, { evidence: Array(MANY).fill(`raw:${raw}`) }),
  ],
  ['an unknown status of suggestions', (on) => on.getSuggestions?.({ status: 'maybe' })],
  ['an unknown memoryType', (on) => on.getSuggestions?.({ memoryType: 'raw' })],
  ['maxAgeHours NaN', (on) => on.getSuggestions?.({ maxAgeHours: Number.NaN })],
  [
    'maxAgeHours without end',
    (on) => on.getSuggestions?.({ maxAgeHours: Number.POSITIVE_INFINITY }),
  ],
  ['negative maxAgeHours', (on) => on.getSuggestions?.({ maxAgeHours: -1 })],
  ['sourceRawId that is none', (on) => on.getSuggestions?.({ sourceRawId: 'first' })],
  ['accepting nonsense', (on) => on.acceptSuggestion?.('first')],
  [
    'modifications that are no object',
    (on, { suggestion }) => on.acceptSuggestion?.(suggestion, 'better'),
  ],
  [
    'modifications of unknown fields',
    (on, { suggestion }) => on.acceptSuggestion?.(suggestion, { colour: 'red' }),
  ],
  ['modifications that throw', (on, { suggestion }) => on.acceptSuggestion?.(suggestion, throwing)],
  [
    'modifications called __proto__',
    (on, { suggestion }) =>
      on.acceptSuggestion?.(suggestion, JSON.parse('{"__proto__":{"content":"x"}}')),
  ],
  [
    'a modified confidence in words',
    (on, { suggestion }) => on.acceptSuggestion?.(suggestion, { confidence: 'high' }),
  ],
  [
    'a modified confidence of NaN',
    (on, { suggestion }) => on.acceptSuggestion?.(suggestion, { confidence: Number.NaN }),
  ],
  [
    'a modified body of 10 MB',
    (on, { suggestion }) => on.acceptSuggestion?.(suggestion, { content: TEN_MEGABYTES }),
  ],
  [
    'dismissing for 10 MB',
    (on, { suggestion }) => on.dismissSuggestion?.(suggestion, TEN_MEGABYTES),
  ],
  [
    'dismissing for no text',
    (on, { suggestion }) => on.dismissSuggestion?.(suggestion, { because: 1 }),
  ],
  ['unknown kinds of review', (on) => facet(on, 'review').list?.({ kinds: ['gossip'] })],
  ['review after nonsense', (on) => facet(on, 'review').list?.({ after: 'last' })],
  ['review after a stranger', (on) => facet(on, 'review').list?.({ after: `note:${FOREIGN}` })],
  [
    'an unknown answer',
    (on, { suggestion }) => facet(on, 'review').resolve?.(`suggestion:${suggestion}`, 'maybe'),
  ],
  ['an answer about nonsense', (on) => facet(on, 'review').resolve?.('that one', 'keep')],
  ['no drive to update', (on) => on.updateDriveAtomic?.(null)],
  ['a drive that throws', (on) => on.updateDriveAtomic?.(throwing)],
  ['a drive without id', (on) => on.updateDriveAtomic?.({ driveType: 'x' })],
  [
    'a drive of NaN',
    (on, { drive }) => on.updateDriveAtomic?.({ id: drive, driveType: 'x', intensity: Number.NaN }),
  ],
  [
    'a version of NaN',
    (on, { drive }) => on.updateDriveAtomic?.({ id: drive, driveType: 'x' }, Number.NaN),
  ],
  [
    'a version of nought',
    (on, { drive }) => on.updateDriveAtomic?.({ id: drive, driveType: 'x' }, 0),
  ],
  [
    'a version in words',
    (on, { drive }) => on.updateDriveAtomic?.({ id: drive, driveType: 'x' }, 'last'),
  ],
  ['no assessment', (on) => on.saveTrustAssessment?.(null)],
  ['an assessment that throws', (on) => on.saveTrustAssessment?.(throwing)],
  [
    'a score of NaN',
    (on) =>
      on.saveTrustAssessment?.({ entityId: 'x', dimensions: { general: { score: Number.NaN } } }),
  ],
  ['assessments of no text', (on) => on.getTrustAssessments?.({ entityId: 7 })],
  ['trust in nobody', (on) => on.computeTrust?.('')],
  ['trust in no matter', (on) => on.computeTrust?.('x', 7)],
  ['promotion in no context', (on) => on.promote?.({ context: 7 })],
  ['promotion to what is not', (on) => on.promote?.({ as: 'law' })],
  ['promotion from NaN', (on) => on.promote?.({ minEpisodes: Number.NaN })],
  ['protectIdentity null', (on) => on.applyForgetting?.({ protectIdentity: null })],
  ['a rehearsal, perhaps', (on) => on.applyForgetting?.({ dryRun: 'perhaps' })],
  ['a dump in XML', (on) => on.dump?.({ format: 'xml' })],
  ['a dump with raw, perhaps', (on) => on.dump?.({ includeRaw: 'perhaps' })],
  ['an export to nowhere', (on) => on.export?.(undefined)],
  ['an export to no folder', (on) => on.export?.('/no/such/folder/file.md')],
  ['changes since yesterday', (on) => on.pullChanges?.({ since: 'yesterday' })],
  ['a core without a name', (on) => on.onAttach?.(' ')],
  ['a model of a core that is not here', (on) => on.onModelChanged?.(null, 'nobody')],
  ['no component', (on) => on.addComponent?.(null)],
  ['a batch that is none', (on) => on.saveNotesBatch?.('notes')],
  ['a batch with nothing in it', (on) => on.saveNotesBatch?.([null])],
  ['a record that throws', (on) => on.saveNote?.(throwing)],
]
