import { MunimentError } from '../errors.ts'
import { isRecordKind, RECORD_KINDS, type RecordKind } from '../ids.ts'
import { issueWords } from '../issue-words.ts'
import { type AssessmentBody, type AssessmentInput, assessment } from './assessment.ts'
import { type BeliefBody, type BeliefInput, belief } from './belief.ts'
import { type ClaimBody, type ClaimInput, claim } from './claim.ts'
import type { KindDefinition } from './definition.ts'
import { type DriveBody, type DriveInput, drive } from './drive.ts'
import { type EpisodeBody, type EpisodeInput, episode } from './episode.ts'
import { type EpochBody, type EpochInput, epoch } from './epoch.ts'
import { bodyError } from './fields.ts'
import { type GoalBody, type GoalInput, goal } from './goal.ts'
import { snapshot } from './json-value.ts'
import { type NoteBody, type NoteInput, note } from './note.ts'
import { type PlaybookBody, type PlaybookInput, playbook } from './playbook.ts'
import { type RawBody, type RawInput, raw } from './raw.ts'
import { type RelationshipBody, type RelationshipInput, relationship } from './relationship.ts'
import { type ReportBody, type ReportInput, report } from './report.ts'
import { type SelfNarrativeBody, type SelfNarrativeInput, selfNarrative } from './self-narrative.ts'
import { type SuggestionBody, type SuggestionInput, suggestion } from './suggestion.ts'
import { type SummaryBody, type SummaryInput, summary } from './summary.ts'
import { type ValueBody, type ValueInput, value } from './value.ts'

interface BodyTypes {
  raw: { stored: RawBody; given: RawInput }
  episode: { stored: EpisodeBody; given: EpisodeInput }
  note: { stored: NoteBody; given: NoteInput }
  claim: { stored: ClaimBody; given: ClaimInput }
  belief: { stored: BeliefBody; given: BeliefInput }
  goal: { stored: GoalBody; given: GoalInput }
  relationship: { stored: RelationshipBody; given: RelationshipInput }
  value: { stored: ValueBody; given: ValueInput }
  drive: { stored: DriveBody; given: DriveInput }
  playbook: { stored: PlaybookBody; given: PlaybookInput }
  summary: { stored: SummaryBody; given: SummaryInput }
  self_narrative: { stored: SelfNarrativeBody; given: SelfNarrativeInput }
  epoch: { stored: EpochBody; given: EpochInput }
  suggestion: { stored: SuggestionBody; given: SuggestionInput }
  assessment: { stored: AssessmentBody; given: AssessmentInput }
  report: { stored: ReportBody; given: ReportInput }
}

/** A stored body, every default filled in. */
export type BodyOf<K extends RecordKind> = BodyTypes[K]['stored']

/** A body as a caller may give it: defaults may be left out. */
export type BodyInputOf<K extends RecordKind> = BodyTypes[K]['given']

export const KIND_TABLE: { readonly [K in RecordKind]: KindDefinition<BodyOf<K>> } = {
  raw,
  episode,
  note,
  claim,
  belief,
  goal,
  relationship,
  value,
  drive,
  playbook,
  summary,
  self_narrative: selfNarrative,
  epoch,
  suggestion,
  assessment,
  report,
}

export function definitionOf(kind: RecordKind): KindDefinition {
  // A definition picked by a kind known only at run time can promise no more than `object` bodies.
  return lookUp(kind) as KindDefinition
}

/** `unknown` becomes the body of a kind here and nowhere else. */
export function parseBody<K extends RecordKind>(kind: K, input: unknown): BodyOf<K> {
  const definition = lookUp(kind)
  const copy = snapshot(input)
  const parsed = definition.body.safeParse(copy, { error: issueWords })
  if (parsed.success) return parsed.data
  throw bodyError(kind, copy, parsed.error.issues)
}

export const contentText = (kind: RecordKind, body: object): string => definitionOf(kind).text(body)

function lookUp<K extends RecordKind>(kind: K): KindDefinition<BodyOf<K>> {
  if (isRecordKind(kind)) return KIND_TABLE[kind]
  throw new MunimentError('invalid_input', `A kind is one of ${RECORD_KINDS.join(', ')}.`, {
    issues: [{ path: 'kind', message: 'unknown kind' }],
  })
}

/**
 * The name under which words of a kind are barred. An event may happen again, even after a
 * rejection; only an erasure bars the words of an event.
 */
export const keptOutAs = (kind: RecordKind): string =>
  definitionOf(kind).asserts ? kind : `erased:${kind}`
