import type { Caller } from './domain/doors.ts'
import { assert } from './domain/errors.ts'
import type { MemoryId, RecordKind, StackId } from './domain/ids.ts'
import type { AssessmentInput } from './domain/kinds/assessment.ts'
import { isInstant } from './domain/time.ts'
import type { LifecycleState } from './domain/vocabulary.ts'
import type { WriteResult } from './domain/write.ts'
import {
  applyForgetting,
  type ChangeOptions,
  Changes,
  type Forgetting,
  type ForgettingOptions,
  forget,
  type MetaOptions,
  protect,
  recordAccess,
  recover,
  reviseRecord,
  updateMeta,
} from './engine/change/changes.ts'
import type { Revision } from './engine/change/revision.ts'
import { Claims } from './engine/claims/claims.ts'
import { Health, type MaintenanceOptions, Upkeep } from './engine/components/health.ts'
import { Control } from './engine/control.ts'
import { EngineCore, SCHEMA_VERSION } from './engine/core.ts'
import { Sources } from './engine/distrust/distrust.ts'
import {
  type AssessmentsOptions,
  computeTrust,
  getTrustAssessments,
  saveTrustAssessment,
  type Trust,
  type TrustAssessment,
} from './engine/distrust/trust-assessment.ts'
import { Epochs } from './engine/epochs/epochs.ts'
import { Erasures } from './engine/erase/erasures.ts'
import { History } from './engine/history/history.ts'
import type { ExplainOptions } from './engine/history/why.ts'
import type { CallOptions, StackParts } from './engine/parts.ts'
import { Ledger } from './engine/proofs/ledger.ts'
import type { StackProtocol } from './engine/protocol.ts'
import type { FindOptions, ListOptions } from './engine/read/list.ts'
import { type Loaded, type LoadOptions, load } from './engine/read/load.ts'
import type { Memory } from './engine/read/memory-view.ts'
import { statsOf } from './engine/read/overview.ts'
import {
  type BeliefOptions,
  type DrivesOptions,
  type GoalOptions,
  type Listed,
  type NoteOptions,
  type RawOptions,
  type ReadOptions,
  type RelationshipsOptions,
  readAll,
  readBeliefs,
  readDrives,
  readGoals,
  readKind,
  readMemory,
  readNamed,
  readNotes,
  readRaw,
  readRelationships,
  type TaggedOptions,
} from './engine/read/readers.ts'
import { servedByLoad } from './engine/read/render.ts'
import { type ReadBy, servedBySearch } from './engine/read/served.ts'
import type { UseOptions } from './engine/read/use-gate.ts'
import { type Promoted, type PromoteOptions, promote } from './engine/review/promote.ts'
import { ReviewQueue } from './engine/review/review-queue.ts'
import {
  acceptSuggestion,
  dismissSuggestion,
  getSuggestion,
  getSuggestions,
  type Suggestion,
  type SuggestionsOptions,
} from './engine/review/suggestions.ts'
import { Lookup, type RecallResult, recall, search } from './engine/search/search.ts'
import type { SearchOptions } from './engine/search/search-options.ts'
import { type PullOptions, Replication, type SyncResult } from './engine/sync/replication.ts'
import {
  type DumpOptions,
  dumpServed,
  type Exported,
  type ExportOptions,
  exportFile,
} from './engine/transfer/export-file.ts'
import { Transfer } from './engine/transfer/transfer.ts'
import {
  type ActOptions,
  type AuthorOptions,
  given,
  libCaller,
  wrong,
} from './engine/write/arguments.ts'
import { oneOf } from './engine/write/write.ts'
import type { SaveRecord, WriteRequest, Written } from './engine/write/write-request.ts'
import type { SearchResult, StackComponent } from './ports/component.ts'
import type { InferencePort } from './ports/models.ts'

type Saved = Promise<MemoryId>
type SavedAll = Promise<readonly MemoryId[]>

/**
 * A self-contained memory with its own ledger, policy and lifecycle, independent of models. An
 * Entity's routed writes are the usual way in; the `save*` methods are low-level. Members on the
 * stack itself are those of the stack protocol; the rest lies in facets, such as `stack.claims`.
 * @example
 * const stack = await openStack('demo', { path: ':memory:' })
 * const found = await stack.search('deploys')
 * await stack.close()
 */
export class Stack implements StackProtocol {
  readonly stackId: StackId
  readonly schemaVersion = SCHEMA_VERSION
  /** Claims and answers. */
  readonly claims: Claims
  /** Audits, signed heads, receipts, entries. */
  readonly ledger: Ledger
  /** Everything that waits for a person. */
  readonly review: ReviewQueue
  /** Destroying content, with proof. */
  readonly erasure: Erasures
  /** Trust in origins: distrust, restored trust, assessments. */
  readonly sources: Sources
  /** Why, trace, impact, diff, and every history. */
  readonly history: History
  /** Changes of a memory beyond the protocol. */
  readonly changes: Changes
  readonly epochs: Epochs
  /** Bundles out, files of other stacks in. */
  readonly transfer: Transfer
  /** Explanations of search results, and results as text for a prompt. */
  readonly lookup: Lookup
  /** The condition of the stack, the clock and the components. */
  readonly health: Health
  readonly control: Control
  /** Other replicas of this stack: rounds, status, trust. */
  readonly replication: Replication
  readonly #core: EngineCore
  readonly #upkeep: Upkeep

  constructor(parts: StackParts) {
    const core = new EngineCore(parts)
    this.#core = core
    this.stackId = core.stackId
    this.#upkeep = new Upkeep(core, parts)
    this.ledger = new Ledger(core, parts)
    this.erasure = new Erasures(core, this.ledger, parts.world.timer)
    this.transfer = new Transfer(parts, { core, ledger: this.ledger, erasures: this.erasure })
    this.changes = new Changes(core)
    this.claims = new Claims(core, this.changes)
    this.review = new ReviewQueue(core, this.#upkeep)
    this.sources = new Sources(core)
    this.history = new History(core)
    this.epochs = new Epochs(core)
    this.lookup = new Lookup(core)
    this.health = new Health(core)
    this.control = new Control(core)
    const { ledger, erasure: erasures, sources } = this
    this.replication = new Replication({ core, ledger, erasures, sources, parts })
  }

  /** The lifecycle state as this process last saw the stack. */
  get state(): LifecycleState {
    return this.#core.standing.state
  }

  /**
   * A routed write, in the open epoch where the request asks. A refusal is a value: `ref` is null.
   */
  async write<K extends RecordKind>(
    request: WriteRequest<K>,
    caller: Caller = libCaller('write'),
  ): Promise<WriteResult> {
    const one = request as unknown as WriteRequest // of the request's kind
    return oneOf(await this.#core.writeRouted([one], caller))
  }

  /** Several writes, all or none. */
  async writeAll(
    requests: readonly WriteRequest[],
    caller: Caller = libCaller('write_all'),
  ): Promise<Written> {
    return this.#core.writeRouted(requests, caller)
  }

  /** Saves one record that brings complete provenance; throws when the gate refuses the record. */
  async save<K extends RecordKind>(
    kind: K,
    record: SaveRecord<K>,
    options?: CallOptions | null,
  ): Saved {
    const [id] = await this.#core.save(kind, [record], options)
    assert(id !== undefined, 'one record has one id')
    return id
  }

  /** Saves several records, all or none. */
  async saveAll<K extends RecordKind>(
    kind: K,
    records: readonly SaveRecord<K>[],
    options?: CallOptions | null,
  ): SavedAll {
    return this.#core.save(kind, records, options)
  }

  saveRaw = this.#saver('raw')
  saveEpisode = this.#saver('episode')
  saveNote = this.#saver('note')
  saveClaim = this.#saver('claim')
  saveBelief = this.#saver('belief')
  saveGoal = this.#saver('goal')
  saveRelationship = this.#saver('relationship')
  saveValue = this.#saver('value')
  saveDrive = this.#saver('drive')
  savePlaybook = this.#saver('playbook')
  saveSummary = this.#saver('summary')
  saveSelfNarrative = this.#saver('self_narrative')
  saveEpoch = this.#saver('epoch')
  saveSuggestion = this.#saver('suggestion')
  saveEpisodesBatch = this.#batchSaver('episode')
  saveBeliefsBatch = this.#batchSaver('belief')
  saveNotesBatch = this.#batchSaver('note')

  async getSuggestion(id: string): Promise<Suggestion | null> {
    return getSuggestion(this.#core, id)
  }

  async getSuggestions(options?: SuggestionsOptions | null): Promise<readonly Suggestion[]> {
    return getSuggestions(this.#core, options)
  }

  /**
   * Makes the proposed memory with all its sources; null where the suggestion cannot be accepted.
   */
  async acceptSuggestion(
    id: string,
    modifications: Readonly<Record<string, unknown>> | null = null,
    options?: ActOptions | null,
  ): Promise<MemoryId | null> {
    return acceptSuggestion(this.#core, id, modifications, options)
  }

  async dismissSuggestion(
    id: string,
    reason: string | null = null,
    options?: ActOptions | null,
  ): Promise<boolean> {
    return dismissSuggestion(this.#core, id, reason, options)
  }

  /** One memory with provenance and numbers, today or as of a past moment. */
  async getMemory<K extends RecordKind>(
    kind: K,
    id: string,
    options?: ExplainOptions,
  ): Promise<Memory<K> | null> {
    return readMemory(this.#core, kind, id, options)
  }

  /** Every memory of a kind, set aside or not unless narrowed, newest first. */
  async list<K extends RecordKind>(kind: K, options?: FindOptions): Listed<K> {
    return readAll(this.#core, kind, options)
  }

  getRaw = async (options?: RawOptions | null): Listed<'raw'> => readRaw(this.#core, options)
  getEpisodes = this.#reader<'episode', TaggedOptions>('episode')
  getNotes = async (options?: NoteOptions | null): Listed<'note'> => readNotes(this.#core, options)
  getClaims = this.#reader<'claim', ReadOptions>('claim')
  getBeliefs = async (options?: BeliefOptions | null): Listed<'belief'> =>
    readBeliefs(this.#core, options)
  getValues = this.#reader<'value', ReadOptions>('value')
  getGoals = async (options?: GoalOptions | null): Listed<'goal'> => readGoals(this.#core, options)
  getPlaybooks = this.#reader<'playbook', ReadOptions>('playbook')
  getSummaries = this.#reader<'summary', ReadOptions>('summary')
  getSelfNarratives = this.#reader<'self_narrative', ReadOptions>('self_narrative')
  getEpochs = this.#reader<'epoch', ListOptions>('epoch')
  getDrives = async (options?: DrivesOptions | null): Listed<'drive'> =>
    readDrives(this.#core, options)
  getRelationships = async (options?: RelationshipsOptions | null): Listed<'relationship'> =>
    readRelationships(this.#core, options)

  /** The drive of a type; the newest where there are several. */
  async getDrive(
    driveType: string,
    options?: (UseOptions & ReadBy) | null,
  ): Promise<Memory<'drive'> | null> {
    return readNamed(this.#core, 'drive', { field: 'driveType', value: driveType }, options)
  }

  /** The relationship with a being; the newest where there are several. */
  async getRelationship(
    entityName: string,
    options?: (UseOptions & ReadBy) | null,
  ): Promise<Memory<'relationship'> | null> {
    const named = { field: 'entityName', value: entityName }
    return readNamed(this.#core, 'relationship', named, options)
  }

  /** Searches all kinds by every signal; components have the last word on order and choice. */
  async search(
    query: string,
    options?: (SearchOptions & ReadBy) | null,
  ): Promise<readonly SearchResult[]> {
    const { results } = await search(this.#core, this.#core.registry, query, options)
    await this.#core.serving.serve('search', options, servedBySearch(results))
    return results
  }

  /** Searches, and estimates the chance that the results answer the query at all. */
  async recall(query: string, options?: (SearchOptions & ReadBy) | null): Promise<RecallResult> {
    const answer = await recall(this.#core, this.#core.registry, query, options)
    await this.#core.serving.serve('search', options, servedBySearch(answer.results))
    return answer
  }

  /** Working memory within a budget of tokens, with every kind represented. */
  async load(options?: (LoadOptions & ReadBy) | null): Promise<Loaded> {
    const loaded = await load(this.#core, options)
    await this.#core.serving.serve('load', options, servedByLoad(loaded))
    const { registry } = this.#core
    if (!registry.listens('onLoad')) return loaded
    return (await registry.dispatchLoad({ ...loaded })) as unknown as Loaded // components only add members
  }

  /** Strengthens on access; reading alone never does. */
  async recordAccess(kind: string, id: string, options?: ActOptions | null): Promise<boolean> {
    return recordAccess(this.changes, { kind, id }, options)
  }

  /** Lowers confidence, or raises confidence on a person's word; replaces tags. */
  async updateMemoryMeta(kind: string, id: string, options?: MetaOptions | null): Promise<boolean> {
    return updateMeta(this.changes, { kind, id }, options)
  }

  /** Sets strength to zero; reversible. A protected memory refuses. */
  async forgetMemory(
    kind: string,
    id: string,
    reason: string,
    options?: ActOptions | null,
  ): Promise<boolean> {
    return forget(this.changes, { kind, id }, { ...given(options), reason })
  }

  async recoverMemory(kind: string, id: string, options?: ChangeOptions | null): Promise<boolean> {
    return recover(this.changes, { kind, id }, options)
  }

  async protectMemory(
    kind: string,
    id: string,
    on = true,
    options?: ChangeOptions | null,
  ): Promise<boolean> {
    return protect(this.changes, { kind, id, on }, options)
  }

  /** True when revised, false when the drive is gone, an error when the version differs. */
  async updateDriveAtomic(
    drive: Revision<'drive'>,
    expectedVersion: number | null = null,
    options?: AuthorOptions | null,
  ): Promise<boolean> {
    return reviseRecord(this.#core, 'drive', drive, { expectedVersion, options })
  }

  async updateRelationshipAtomic(
    relationship: Revision<'relationship'>,
    expectedVersion: number | null = null,
    options?: AuthorOptions | null,
  ): Promise<boolean> {
    return reviseRecord(this.#core, 'relationship', relationship, { expectedVersion, options })
  }

  /** Sets an actor's trust; the gate bounds the tier of the actor's words by this trust. */
  async saveTrustAssessment(assessment: AssessmentInput, options?: ActOptions | null): Saved {
    return saveTrustAssessment(this.#core, assessment, options)
  }

  async getTrustAssessments(
    options?: AssessmentsOptions | null,
  ): Promise<readonly TrustAssessment[]> {
    return getTrustAssessments(this.#core, options)
  }

  async computeTrust(entityId: string, domain?: string | null): Promise<Trust> {
    return computeTrust(this.#core, entityId, domain)
  }

  /** Turns lessons that recur across episodes into beliefs that cite the episodes. */
  async promote(options?: PromoteOptions | null): Promise<Promoted> {
    const { promoted, told } = await promote(this.#core, options)
    await this.#core.serving.serve('promote', options, told)
    return promoted
  }

  /** Forgets dormant memories of low value. */
  async applyForgetting(options?: ForgettingOptions | null): Promise<Forgetting> {
    return applyForgetting(this.#core, options)
  }

  /** Every memory as one text, for people or for programs. */
  async dump(options?: (DumpOptions & ReadBy) | null): Promise<string> {
    return (await dumpServed(this.#core, options)).text
  }

  /**
   * Writes a file. JSON holds the readable memories with the ledger, so that `transfer.import`
   * restores the stack; `bundle` is the ledger alone, for `restoreStack`; markdown is for reading.
   */
  async export(path: string, options?: (ExportOptions & ReadBy) | null): Promise<Exported> {
    return exportFile(this.#core, this.transfer, { path, options })
  }

  /** Pulls and pushes once; a stack without a remote has nothing to send, and reports so. */
  async sync(): Promise<SyncResult> {
    return this.replication.sync()
  }

  async pullChanges(options?: PullOptions | null): Promise<SyncResult> {
    const { since } = given(options)
    if (since !== undefined && !isInstant(since)) throw wrong('since', 'UTC with milliseconds')
    return this.replication.pull(since ?? null)
  }

  async getPendingSyncCount(): Promise<number> {
    return this.replication.pending()
  }

  async isOnline(): Promise<boolean> {
    return this.replication.isOnline()
  }

  async getStats(): Promise<Readonly<Record<string, number>>> {
    return statsOf(this.#core)
  }

  /** Runs due work of the stack and of every component; statistics by component. */
  async maintenance(
    options?: MaintenanceOptions | null,
  ): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
    return this.#upkeep.maintenance(options)
  }

  /** Every component by name, in calling order. */
  get components(): Readonly<Record<string, StackComponent>> {
    return this.#core.registry.asRecord()
  }

  async getComponent(name: string): Promise<StackComponent | null> {
    return this.#core.registry.get(name)
  }

  async addComponent(component: StackComponent): Promise<void> {
    this.#core.registry.add(component)
  }

  async removeComponent(name: string): Promise<void> {
    this.#core.registry.remove(name)
  }

  /** A core attached. Its model, if any, serves the components until a later core brings one. */
  async onAttach(coreId: string, inference: InferencePort | null = null): Promise<void> {
    await this.#core.registry.attached(coreId, inference)
  }

  async onDetach(coreId: string): Promise<void> {
    await this.#core.registry.detached(coreId)
  }

  /** The model of a core changed: of the named core, or else of the latest. */
  async onModelChanged(inference: InferencePort | null = null, coreId?: string): Promise<void> {
    await this.#core.registry.modelChanged(inference, coreId)
  }

  /** Lets every acknowledged write finish; afterwards the stack takes no more work. */
  close(): Promise<void> {
    return this.#core.close()
  }

  #saver<K extends RecordKind>(kind: K) {
    return (record: SaveRecord<K>, options?: CallOptions | null): Saved =>
      this.save(kind, record, options)
  }

  #batchSaver<K extends RecordKind>(kind: K) {
    return (records: readonly SaveRecord<K>[], options?: CallOptions | null): SavedAll =>
      this.saveAll(kind, records, options)
  }

  #reader<K extends RecordKind, Options extends FindOptions>(kind: K) {
    return async (options?: Options | null): Listed<K> => readKind(this.#core, kind, options)
  }
}
