export type { Standing } from './belief/fold-line.ts'
export { anxietyComponent } from './components/anxiety/component.ts'
export { consolidationComponent } from './components/consolidation.ts'
export { defaultComponents } from './components/default-components.ts'
export { embeddingComponent } from './components/embedding.ts'
export { emotionsComponent } from './components/emotions/component.ts'
export { forgettingComponent } from './components/forgetting.ts'
export { knowledgeComponent } from './components/knowledge.ts'
export { metamemoryComponent } from './components/metamemory.ts'
export { suggestionsComponent } from './components/suggestions.ts'
export { defaultPolicy, type OpenOptions, openStack } from './compose/open-stack.ts'
export { type RestoreStackOptions, restoreStack } from './compose/restore-stack.ts'
export type { Resumed, WorkingState } from './core/checkpoint.ts'
export { Entity, type EntityOptions } from './core/entity.ts'
export type {
  NamespacedTool,
  Plugin,
  PluginContext,
  PluginOptions,
  PluginTool,
} from './core/plugins.ts'
export type { RouteOptions } from './core/route.ts'
export type { ChangeResult, UnchangedReason } from './domain/change.ts'
export type { ClaimRequest } from './domain/claim-request.ts'
export {
  DISPOSITIONS,
  type Disposition,
  type LifecycleState,
  type RuleName,
} from './domain/dispositions.ts'
export type { Caller, Door, LabelTiers, Tier } from './domain/doors.ts'
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
export { KINDS, type Kind, type RecordKind } from './domain/kind-names.ts'
export type { BodyInputOf, BodyOf } from './domain/kinds/table.ts'
export { type Label, type LabelName, label } from './domain/labels.ts'
export { LIMITS } from './domain/limits.ts'
export type { Accepted, WriteResult } from './domain/outcome.ts'
export type { ProvenancePayload } from './domain/payload.ts'
export type { Policy } from './domain/policy.ts'
export type { Provenance } from './domain/provenance.ts'
export { SOURCE_TYPES, type SourceType } from './domain/source-types.ts'
export { TRANSITION_NAMES, type TransitionName } from './domain/transition-names.ts'
export type { Use } from './domain/use.ts'
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
export type { Embedder, Vectors } from './ports/embedder.ts'
export type { InferencePort, InferOptions, Inferred } from './ports/inference.ts'
export type { Oracle, OracleQuestion } from './ports/oracle.ts'
export type { Receipt, Receipts } from './ports/receipts.ts'
export type { CheckpointShelf, Signer } from './ports/signer.ts'
export type { Store } from './ports/store.ts'
export type { Budget } from './processing/budget.ts'
export type { Config, RedactPattern } from './protocol/config.ts'
export type { Answer, AnswerClaim, AnswerValue, AskOptions, LineOf } from './stack/answering.ts'
export type { AsOf } from './stack/as-of.ts'
export type { SearchOptions } from './stack/asked.ts'
export type { AuditCode, AuditNote, AuditProblem, AuditReport } from './stack/audit-codes.ts'
export type { BeliefVersion } from './stack/belief-history.ts'
export type { ClaimOptions, ClaimResult, RememberOptions } from './stack/claiming.ts'
export type { HookErrors } from './stack/component-calls.ts'
export type { NumberChange } from './stack/confidence-history.ts'
export type { Contradicting } from './stack/contradictions.ts'
export type { Diff, Difference } from './stack/diff.ts'
export type { Erasure, ErasureCertificate } from './stack/erasable.ts'
export type { EraseOptions, EraseWhat, ReadmitWhat } from './stack/erasing.ts'
export type { ExplainOptions, Why } from './stack/explain.ts'
export type { Explained } from './stack/explained.ts'
export type { Dump } from './stack/import/dump.ts'
export type { ImportOptions, ImportRefusal, ImportReport } from './stack/import/import-records.ts'
export type { LineStep } from './stack/line-history.ts'
export type { LineageStep } from './stack/lineage-step.ts'
export type { LineAtGlance, LinesOptions, LinesPage } from './stack/lines.ts'
export type { Loaded, LoadedItem } from './stack/loading.ts'
export type { Memory } from './stack/memory-view.ts'
export type { Processed, ProcessOptions, ProcessReport } from './stack/processing/process.ts'
export type { StackProtocol } from './stack/protocol.ts'
export type { ProvedReceipt, SignedCheckpoint } from './stack/proving.ts'
export type { Bar } from './stack/recall-bars.ts'
export type { RelationshipEvent } from './stack/relationship-history.ts'
export type { Renderable, RenderOptions } from './stack/rendering.ts'
export type { SaveRecord, WriteRequest } from './stack/requests.ts'
export type { ReviewAnswer, ReviewItem } from './stack/reviewing.ts'
export type { RecallResult } from './stack/searching.ts'
export type { Stack } from './stack/stack.ts'
export type { Suggestion } from './stack/suggesting.ts'
export type { EndedEpoch } from './stack/telling/epochs.ts'
export type { Summarised, SummariseOptions } from './stack/telling/summaries.ts'
export type { Trust, TrustAssessment } from './stack/trusting.ts'
export type { Uncertain } from './stack/uncertain.ts'
export type { Withheld } from './stack/use-gate.ts'
export type { WhyNot } from './stack/why-recalled.ts'
export type { MaintenanceOptions, MaintenanceProgress } from './stack/working.ts'
export { MemoryStore } from './stores/memory/store.ts'
