import type { Tier } from '../../../src/domain/doors.ts'
import type { RecordKind } from '../../../src/domain/ids.ts'
import type { LabelName } from '../../../src/domain/labels.ts'
import type { GateDraft } from '../steps.ts'

/** Section 3 of the design: what each kind may be made from; `+` may cite the one it revises. */
const KINDS: Readonly<Record<RecordKind, string>> = {
  raw: '',
  episode: 'raw',
  note: 'raw',
  claim: 'raw episode note claim',
  belief: 'episode note claim +',
  goal: 'episode belief',
  relationship: 'episode',
  value: 'belief',
  drive: 'episode belief',
  playbook: 'episode belief +',
  summary: 'episode note belief summary',
  self_narrative: 'episode belief value goal drive +',
  epoch: '',
  suggestion: '',
  assessment: '',
  report: '',
}

export const mayCite = (kind: RecordKind, parent: string): boolean =>
  KINDS[kind].split(' ').includes(parent)

export const mayRevise = (kind: RecordKind, parent: string): boolean =>
  kind === parent && KINDS[kind].includes('+')

export const needsSource = (kind: RecordKind): boolean => KINDS[kind] !== ''

/** Echo, burst and tombstone act on kinds that assert; the others are events and records. */
export const asserts = (kind: RecordKind): boolean =>
  !['raw', 'episode', 'epoch', 'suggestion', 'assessment', 'report'].includes(kind)

export const isExternal = (label: LabelName): boolean =>
  label === 'UserAsserted' || label === 'ExternalFirstHand'

export const isReasoned = ({ label, sourceType }: Pick<GateDraft, 'label' | 'sourceType'>) =>
  label === 'ModelDerived' || sourceType === 'inference' || sourceType === 'consolidation'

/** The tiers of section 5.2: a person's word 3, a tool's 2, a model's 1, a re-entry 0. */
export const TIER: Readonly<Record<LabelName, Tier>> = {
  UserAsserted: 3,
  ExternalFirstHand: 2,
  ModelDerived: 1,
  RecallReEntry: 0,
}

type Way = Pick<GateDraft, 'door' | 'person' | 'grant'>

/** Which labels a door lets through, in the words of the table of section 5.2. */
function claimable({ door, person, grant }: Way): readonly LabelName[] {
  const all: readonly LabelName[] = [
    'UserAsserted',
    'ExternalFirstHand',
    'ModelDerived',
    'RecallReEntry',
  ]
  const model: readonly LabelName[] = ['ModelDerived', 'RecallReEntry']
  switch (door) {
    case 'lib':
    case 'hook':
      return all
    case 'cli':
      return person ? ['UserAsserted', ...model] : model
    case 'explorer':
      return person ? ['UserAsserted', ...model] : []
    case 'mcp':
      return model
    case 'http':
      return grant === null ? model : all
    case 'import':
    case 'sync':
      return grant === null ? [] : all
  }
}

/** The tier a draft may have by its door, its label and what its caller was granted. */
export function doorTier(draft: Way & Pick<GateDraft, 'label'>): Tier | null {
  if (!claimable(draft).includes(draft.label)) return null
  if (draft.grant === null) return TIER[draft.label]
  const granted = draft.grant[draft.label]
  if (granted === undefined) return null
  return granted < TIER[draft.label] ? granted : TIER[draft.label]
}

/** The host process itself, or a person whom the door lets speak as one. */
export const isTrusted = (way: Way): boolean =>
  way.door === 'lib' || (way.person && doorTier({ ...way, label: 'UserAsserted' }) !== null)

const SENSELESS = [
  'ModelDerived seed',
  'RecallReEntry seed',
  'RecallReEntry direct_experience',
  'RecallReEntry observation',
]

export const isSenseless = ({
  label,
  sourceType,
}: Pick<GateDraft, 'label' | 'sourceType'>): boolean => SENSELESS.includes(`${label} ${sourceType}`)

export const isLive = ({ disposition }: { readonly disposition: string }): boolean =>
  !['Quarantined', 'Rejected', 'Superseded', 'Invalidated', 'Distrusted'].includes(disposition)
