export type { Resumed, WorkingState } from './agent/checkpoint.ts'
export { Entity, type EntityOptions } from './agent/entity.ts'
export type {
  NamespacedTool,
  Plugin,
  PluginContext,
  PluginOptions,
  PluginTool,
} from './agent/plugins.ts'
export type { RouteOptions } from './agent/route.ts'
export { anxietyComponent } from './components/anxiety/component.ts'
export {
  consolidationComponent,
  defaultComponents,
  embeddingComponent,
  forgettingComponent,
  suggestionsComponent,
} from './components/default-components.ts'
export { emotionsComponent } from './components/emotions/component.ts'
export { knowledgeComponent } from './components/knowledge.ts'
export { metamemoryComponent } from './components/metamemory.ts'
export { defaultPolicy, type OpenOptions, openStack } from './compose/open-stack.ts'
export { type RestoreStackOptions, restoreStack } from './compose/restore-stack.ts'
export type { ChangeResult, UnchangedReason } from './domain/change.ts'
export type { ClaimRequest } from './domain/claims.ts'
export type { Caller, Door, LabelTiers, Tier, Use } from './domain/doors.ts'
export {
  ERROR_CODES,
  type ErrorCode,
  type FieldIssue,
  InvariantError,
  LimitError,
  MaintenanceModeError,
  MunimentError,
  NoActiveStackError,
  ProvenanceError,
  RefusedError,
  ScopeError,
  VersionConflictError,
} from './domain/errors.ts'
export type { Hash, MemoryId, Ref, StackId } from './domain/ids.ts'
export { KINDS, type Kind, type RecordKind } from './domain/ids.ts'
export type { BodyInputOf, BodyOf } from './domain/kinds/table.ts'
export {
  type Label,
  type LabelName,
  label,
  SOURCE_TYPES,
  type SourceType,
} from './domain/labels.ts'
export { LIMITS } from './domain/limits.ts'
export type { Policy } from './domain/policy.ts'
export type { Provenance, ProvenancePayload } from './domain/provenance.ts'
export {
  DISPOSITIONS,
  type Disposition,
  type LifecycleState,
  type RuleName,
  TRANSITION_NAMES,
  type TransitionName,
} from './domain/vocabulary.ts'
export type { Accepted, WriteResult } from './domain/write.ts'
export type { AuditCode, AuditNote, AuditProblem, AuditReport } from './engine/audit/codes.ts'
export type {
  Answer,
  AnswerClaim,
  AnswerValue,
  AskOptions,
  TimelineKey,
} from './engine/claims/answer.ts'
export type { ClaimOptions, ClaimResult, RememberOptions } from './engine/claims/claim.ts'
export type { Contradicting } from './engine/claims/contradictions.ts'
export type {
  TimelineStep,
  TimelineSummary,
  TimelinesOptions,
  TimelinesPage,
} from './engine/claims/timelines.ts'
export type { HookErrors } from './engine/components/component-calls.ts'
export type { MaintenanceOptions, MaintenanceProgress } from './engine/components/health.ts'
export type { Trust, TrustAssessment } from './engine/distrust/trust-assessment.ts'
export type { EndedEpoch } from './engine/epochs/epochs.ts'
export type { Summarised, SummariseOptions } from './engine/epochs/summaries.ts'
export type { EraseOptions, EraseWhat, ReadmitWhat } from './engine/erase/erase.ts'
export type { Erasure, ErasureCertificate } from './engine/erase/erasures.ts'
export type { BeliefVersion, RelationshipEvent } from './engine/history/histories.ts'
export type { Diff, Difference } from './engine/history/history.ts'
export type { ExplainOptions, Why } from './engine/history/why.ts'
export type { Budget } from './engine/processing/prompt.ts'
export type { Processed, ProcessOptions, ProcessReport } from './engine/processing/run/process.ts'
export type { ProvedReceipt, SignedCheckpoint } from './engine/proofs/prove.ts'
export type { StackProtocol } from './engine/protocol.ts'
export type { AsOf } from './engine/read/as-of.ts'
export type { Loaded, LoadedItem } from './engine/read/load.ts'
export type { LineageStep, Memory, NumberChange } from './engine/read/memory-view.ts'
export type { Uncertain } from './engine/read/overview.ts'
export type { Renderable, RenderOptions } from './engine/read/render.ts'
export type { Withheld } from './engine/read/use-gate.ts'
export type { ReviewAnswer } from './engine/review/proposals.ts'
export type { ReviewItem } from './engine/review/review.ts'
export type { Suggestion } from './engine/review/suggestions.ts'
export type { Explained, WhyNot } from './engine/search/explained.ts'
export type { Bar } from './engine/search/recall-bars.ts'
export type { RecallResult } from './engine/search/search.ts'
export type { SearchOptions } from './engine/search/search-options.ts'
export type { Dump } from './engine/transfer/import/dump.ts'
export type {
  ImportOptions,
  ImportRefusal,
  ImportReport,
} from './engine/transfer/import/import-records.ts'
export type { SaveRecord, WriteRequest } from './engine/write/write-request.ts'
export type { Standing } from './fold/fold-line.ts'
export type { Config, RedactPattern } from './operations/settings.ts'
export type {
  ComponentHost,
  ComponentMemory,
  Fields,
  SaveEvent,
  SearchQuery,
  SearchResult,
  StackComponent,
  Stats,
} from './ports/component.ts'
export type {
  Embedder,
  InferencePort,
  InferOptions,
  Inferred,
  Oracle,
  OracleQuestion,
  Vectors,
} from './ports/models.ts'
export type { Receipt, Receipts } from './ports/receipts.ts'
export type { Store } from './ports/store.ts'
export type { CheckpointShelf, Signer } from './ports/world.ts'
export type { Stack } from './stack.ts'
