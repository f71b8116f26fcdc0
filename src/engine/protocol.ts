import type { MemoryId, RecordKind, StackId } from '../domain/ids.ts'
import type { AssessmentInput } from '../domain/kinds/assessment.ts'
import type { SearchResult, StackComponent } from '../ports/component.ts'
import type { InferencePort } from '../ports/models.ts'
import type { ChangeOptions, Forgetting, ForgettingOptions, MetaOptions } from './change/changes.ts'
import type { Revision } from './change/revision.ts'
import type { AssessmentsOptions, Trust, TrustAssessment } from './distrust/trust-assessment.ts'
import type { CallOptions } from './parts.ts'
import type { Loaded, LoadOptions } from './read/load.ts'
import type { Memory } from './read/memory-view.ts'
import type {
  BeliefOptions,
  DrivesOptions,
  GoalOptions,
  NoteOptions,
  RawOptions,
  ReadOptions,
  RelationshipsOptions,
  TaggedOptions,
} from './read/readers.ts'
import type { ReadBy } from './read/served.ts'
import type { Promoted, PromoteOptions } from './review/promote.ts'
import type { Suggestion, SuggestionsOptions } from './review/suggestions.ts'
import type { SearchOptions } from './search/search-options.ts'
import type { PullOptions, SyncResult } from './sync/replication.ts'
import type { DumpOptions, Exported, ExportOptions } from './transfer/export-file.ts'
import type { ActOptions, AuthorOptions } from './write/arguments.ts'
import type { SaveRecord } from './write/write-request.ts'

type Save<K extends RecordKind> = (
  record: SaveRecord<K>,
  options?: CallOptions | null,
) => Promise<MemoryId>

type SaveBatch<K extends RecordKind> = (
  records: readonly SaveRecord<K>[],
  options?: CallOptions | null,
) => Promise<readonly MemoryId[]>

type List<K extends RecordKind, Options> = (
  options?: Options | null,
) => Promise<readonly Memory<K>[]>

/** Changes to a proposed memory, by field name. */
type Modifications = Readonly<Record<string, unknown>>

/**
 * The memory container as a contract: everything that a core, a door or a host may ask of a stack,
 * in any store. A conformance suite in `muniment/testing` walks this contract row by row.
 */
export interface StackProtocol {
  readonly stackId: StackId
  readonly schemaVersion: number
  /** Every component by name, in calling order. */
  readonly components: Readonly<Record<string, StackComponent>>

  // Low-level writes. Each brings complete provenance and answers with the id; a refusal throws.
  saveEpisode: Save<'episode'>
  saveBelief: Save<'belief'>
  saveValue: Save<'value'>
  saveGoal: Save<'goal'>
  saveNote: Save<'note'>
  saveDrive: Save<'drive'>
  saveRelationship: Save<'relationship'>
  saveRaw: Save<'raw'>
  savePlaybook: Save<'playbook'>
  saveEpoch: Save<'epoch'>
  saveSummary: Save<'summary'>
  saveSelfNarrative: Save<'self_narrative'>
  saveSuggestion: Save<'suggestion'>

  // All or nothing, every item through the gate.
  saveEpisodesBatch: SaveBatch<'episode'>
  saveBeliefsBatch: SaveBatch<'belief'>
  saveNotesBatch: SaveBatch<'note'>

  // True when written, false when the memory is gone; a stale expectedVersion throws
  // VersionConflictError.
  updateDriveAtomic(
    drive: Revision<'drive'>,
    expectedVersion?: number | null,
    options?: AuthorOptions | null,
  ): Promise<boolean>
  updateRelationshipAtomic(
    relationship: Revision<'relationship'>,
    expectedVersion?: number | null,
    options?: AuthorOptions | null,
  ): Promise<boolean>

  getSuggestion(suggestionId: string): Promise<Suggestion | null>
  /** 100 unless `limit` says otherwise. */
  getSuggestions(options?: SuggestionsOptions | null): Promise<readonly Suggestion[]>
  /** The id of the new memory; null for a suggestion that is missing, not pending, or noise. */
  acceptSuggestion(
    suggestionId: string,
    modifications?: Modifications | null,
    options?: ActOptions | null,
  ): Promise<MemoryId | null>
  dismissSuggestion(
    suggestionId: string,
    reason?: string | null,
    options?: ActOptions | null,
  ): Promise<boolean>

  // Newest first, 50 unless `limit` says otherwise; filters come before limits.
  getEpisodes: List<'episode', TaggedOptions>
  getBeliefs: List<'belief', BeliefOptions>
  getValues: List<'value', ReadOptions>
  getGoals: List<'goal', GoalOptions>
  getNotes: List<'note', NoteOptions>
  getRaw: List<'raw', RawOptions>
  getDrive(driveType: string): Promise<Memory<'drive'> | null>
  getDrives(options?: DrivesOptions | null): Promise<readonly Memory<'drive'>[]>
  getRelationship(entityName: string): Promise<Memory<'relationship'> | null>
  getRelationships(
    options?: RelationshipsOptions | null,
  ): Promise<readonly Memory<'relationship'>[]>
  getMemory<K extends RecordKind>(memoryType: K, memoryId: string): Promise<Memory<K> | null>

  /** 10 unless `limit` says otherwise. */
  search(query: string, options?: SearchOptions | null): Promise<readonly SearchResult[]>
  /** 8,000 tokens unless given, 50,000 at most. */
  load(options?: LoadOptions | null): Promise<Loaded>

  // Each call writes one entry of the ledger, and returns whether the call changed the memory.
  recordAccess(memoryType: string, memoryId: string, options?: ActOptions | null): Promise<boolean>
  updateMemoryMeta(
    memoryType: string,
    memoryId: string,
    options?: MetaOptions | null,
  ): Promise<boolean>
  forgetMemory(
    memoryType: string,
    memoryId: string,
    reason: string,
    options?: ActOptions | null,
  ): Promise<boolean>
  recoverMemory(
    memoryType: string,
    memoryId: string,
    options?: ChangeOptions | null,
  ): Promise<boolean>
  /** On unless `isProtected` is false. */
  protectMemory(
    memoryType: string,
    memoryId: string,
    isProtected?: boolean,
    options?: ChangeOptions | null,
  ): Promise<boolean>

  saveTrustAssessment(assessment: AssessmentInput, options?: ActOptions | null): Promise<MemoryId>
  getTrustAssessments(options?: AssessmentsOptions | null): Promise<readonly TrustAssessment[]>
  computeTrust(entityId: string, domain?: string | null): Promise<Trust>

  promote(options?: PromoteOptions | null): Promise<Promoted>
  /** Identity kinds are spared unless `protectIdentity` is false. */
  applyForgetting(options?: ForgettingOptions | null): Promise<Forgetting>

  sync(): Promise<SyncResult>
  pullChanges(options?: PullOptions | null): Promise<SyncResult>
  getPendingSyncCount(): Promise<number>
  isOnline(): Promise<boolean>

  getStats(): Promise<Readonly<Record<string, number>>>
  /**
   * Markdown with raw captures and without forgotten memories, unless the options say otherwise.
   */
  dump(options?: (DumpOptions & ReadBy) | null): Promise<string>
  export(path: string, options?: (ExportOptions & ReadBy) | null): Promise<Exported>

  onAttach(coreId: string, inference?: InferencePort | null): Promise<void>
  onDetach(coreId: string): Promise<void>
  onModelChanged(inference?: InferencePort | null, coreId?: string): Promise<void>

  getComponent(name: string): Promise<StackComponent | null>
  addComponent(component: StackComponent): Promise<void>
  /** Refuses to remove a required component. */
  removeComponent(name: string): Promise<void>
  /** Figures of each component under the component's name. */
  maintenance(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>
}
