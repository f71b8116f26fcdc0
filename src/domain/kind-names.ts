/** The thirteen kinds, in the order of lists and exports. */
export const KINDS = [
  'raw',
  'episode',
  'note',
  'claim',
  'belief',
  'goal',
  'relationship',
  'value',
  'drive',
  'playbook',
  'summary',
  'self_narrative',
  'epoch',
] as const

export type Kind = (typeof KINDS)[number]

/** Records about memory: kept and sealed like memories, believed by nobody. */
export const RECORD_KINDS = [...KINDS, 'suggestion', 'assessment', 'report'] as const

export type RecordKind = (typeof RECORD_KINDS)[number]

const kinds: ReadonlySet<string> = new Set(KINDS)
const recordKinds: ReadonlySet<string> = new Set(RECORD_KINDS)

export const isKind = (text: unknown): text is Kind => typeof text === 'string' && kinds.has(text)

export const isRecordKind = (text: unknown): text is RecordKind =>
  typeof text === 'string' && recordKinds.has(text)
