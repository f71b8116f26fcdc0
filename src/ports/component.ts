import type { MemoryId, Ref, StackId } from '../domain/ids.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { BodyInputOf, BodyOf } from '../domain/kinds/table.ts'
import type { Provenance } from '../domain/provenance.ts'
import type { Instant } from '../domain/time.ts'
import type { Embedder } from './embedder.ts'
import type { InferencePort } from './inference.ts'

type Awaitable<T> = T | PromiseLike<T>

/** What a component wants kept with a memory; stored under the component's name. */
export type Fields = JsonObject

/** Figures of one run of maintenance. */
export type Stats = JsonObject

/** A memory as components see it. Frozen: a component says what it wants kept by returning it. */
export interface ComponentMemory<K extends RecordKind = RecordKind> {
  readonly ref: Ref
  readonly kind: K
  readonly id: MemoryId
  readonly body: BodyOf<K>
  /** What it says, as one text. */
  readonly text: string
  readonly provenance: Provenance
  readonly createdAt: Instant
  /** As it stands now, faded by the time that has passed. */
  readonly confidence: number
  /** As it stands now, faded by the time that has passed. */
  readonly strength: number
  readonly isProtected: boolean
  /** Written down for another memory, by the stack: as sure as that, and a witness of nothing. */
  readonly isCaptured: boolean
  /** As they stand now. */
  readonly tags: readonly string[]
  /** What it was made from. */
  readonly madeFrom: readonly Ref[]
  /** How often it was called to mind, and when last. */
  readonly accessCount: number
  readonly lastAccessed: Instant | null
  /** What components noted of it, each under its name. */
  readonly annotations: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export interface SaveEvent<K extends RecordKind = RecordKind> {
  readonly kind: K
  readonly id: MemoryId
  readonly ref: Ref
  readonly memory: ComponentMemory<K>
}

export interface SearchResult {
  readonly memoryType: RecordKind
  readonly memoryId: MemoryId
  /** Human-readable content. */
  readonly content: string
  /** The higher, the nearer to what was asked. */
  readonly score: number
  /** Confidence and the like. `addedBy` names the component that put the result in. */
  readonly metadata: JsonObject
}

export interface SearchQuery {
  readonly text: string
  readonly limit: number
  readonly recordTypes?: readonly RecordKind[]
  readonly context?: string
  readonly minConfidence?: number
}

export interface HostListOptions {
  /** Newest this many; the stack's own default and bounds apply. */
  readonly limit?: number
  /** Continue after this memory: the last one of the page before. */
  readonly after?: MemoryId
  /** Only what was born at this moment or later. */
  readonly since?: Instant
  /** Only what was written for its own sake and nothing is said to have come of. */
  readonly untouched?: true
  /** Any of these. */
  readonly tags?: readonly string[]
}

/** What a component proposes; it becomes a memory only when somebody accepts it. */
export type Proposal = Pick<
  BodyInputOf<'suggestion'>,
  'memoryType' | 'content' | 'confidence' | 'reason'
>

/**
 * The stack as one component sees it: reading, and a few acts. Every act passes the gate and is
 * signed with the component's name, so a component can do nothing that leaves no entry.
 */
export interface ComponentHost {
  readonly stackId: StackId
  now(): Instant
  /** Live memories only, newest first. */
  list<K extends RecordKind>(
    kind: K,
    options?: HostListOptions,
  ): Promise<readonly ComponentMemory<K>[]>
  get(ref: Ref): Promise<ComponentMemory | null>
  /** The same from the other end: oldest first, only what nothing is said to have come of. */
  waiting<K extends RecordKind>(kind: K, limit: number): Promise<readonly ComponentMemory<K>[]>
  /** What it was made from, and what was made from it. */
  beside(ref: Ref): Promise<{ readonly from: readonly Ref[]; readonly into: readonly Ref[] }>
  /** How many memories of each kind there are. */
  counts(): Promise<Readonly<Partial<Record<RecordKind, number>>>>
  /** Puts a suggestion up for review; null where the same was suggested, or the gate keeps it out. */
  suggest(proposal: Proposal, sources: readonly Ref[]): Promise<Ref | null>
  /** False where it is protected, gone or forgotten already. */
  forget(ref: Ref, reason: string): Promise<boolean>
  /** Keeps fields with a memory, as those that `onSave` returns are kept. */
  annotate(ref: Ref, fields: Fields): Promise<boolean>
  /** What this component last kept of its own, in the stack, or null. */
  kept(): Promise<Fields | null>
  /** Keeps it from now on; what is the same is not kept twice. Numbers and codes, never content. */
  keep(fields: Fields): Promise<void>
  /** Makes suggestions of what waits, by the model or by rule; says what came of it. */
  process(transitions: readonly string[]): Promise<Stats>
  /**
   * Asks the attached model, within what a day may cost; null where no model is attached. A call that
   * fails, or that the budget does not allow, throws with a code that begins with `model_`.
   */
  ask(question: HostQuestion): Promise<HostAnswer | null>
  /** Says how far maintenance has come, to whoever watches. */
  progress(done: number, total: number): void
  /** Asks a person to look at it; changes no number. */
  flag(ref: Ref, reason: string): Promise<void>
  /** One forgetting sweep by the stack's policy: how many were looked at, how many let go. */
  sweep(): Promise<{ readonly swept: number; readonly forgotten: number; readonly kept: number }>
  /** Brings the vectors up to date, or answers null where the stack keeps none. */
  reindex(): Promise<Reindexed | null>
  /** Search uses these vectors from now on; null is the stack's own. */
  useEmbedder(embedder: Embedder | null): void
}

/** A question to a model whose answer shall have a shape. */
export interface HostQuestion {
  readonly system: string
  readonly prompt: string
  /** A JSON Schema. */
  readonly schema: JsonObject
  readonly outputTokensMax: number
}

export interface HostAnswer {
  readonly text: string
  /** Id of the model that answered. */
  readonly model: string
}

export interface Reindexed {
  /** Memories that got a vector just now. */
  readonly reIndexed: number
  /** Who made the vectors, and how long they are. */
  readonly model: string
  readonly dimension: number
  /** Memories that have one. */
  readonly indexed: number
}

/**
 * A part that extends one stack. What its hooks throw, return amiss or leave hanging is counted
 * against it and never breaks what the stack was doing. Hooks are read once, when it is added; one
 * instance serves one stack.
 */
export interface StackComponent {
  /** Unique in its stack: lower-case letters, digits, `_` and `-`. */
  readonly name: string
  readonly version: string
  /** A required component cannot be taken out. */
  readonly required: boolean
  readonly needsInference: boolean
  /** Called once, before any other hook, when the stack is ready to be read. */
  attach?(host: ComponentHost): void
  /** The model it may use from now on, or null; only for components that need inference. */
  onInference?(inference: InferencePort | null): Awaitable<void>
  /** Kinds that `onSave` is called for; all of them when left out. */
  readonly saves?: readonly RecordKind[]
  /** After a memory was saved. Nothing returned, nothing kept. */
  onSave?(event: SaveEvent): Awaitable<Fields | null | undefined>
  /**
   * Gets a copy and returns the results to go on with: in another order, fewer, with new scores or
   * further metadata. What a memory says and the metadata it came with stay. A result that was not
   * given needs `metadata.addedBy` with the component's name, and the stack's consent.
   */
  onSearch?(results: SearchResult[], query: SearchQuery): Awaitable<readonly SearchResult[]>
  /** Puts members of its own into the context. Those that are there already stay. */
  onLoad?(context: Record<string, unknown>): Awaitable<void>
  /** Background work. Nothing returned, nothing reported. */
  onMaintenance?(): Awaitable<Stats | null | undefined>
  /** What it has to say when somebody asks. */
  report?(question: JsonObject): Awaitable<JsonObject | null | undefined>
}
