import type { MemoryId, RecordKind, Ref, StackId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { BodyInputOf, BodyOf } from '../domain/kinds/table.ts'
import type { Provenance } from '../domain/provenance.ts'
import type { Instant } from '../domain/time.ts'
import type { Embedder, InferencePort } from './models.ts'

type Awaitable<T> = T | PromiseLike<T>

/** Fields that a component keeps with a memory, stored under the component's name. */
export type Fields = JsonObject

/** Figures of one maintenance run. */
export type Stats = JsonObject

/**
 * A memory as components see it. Frozen: a component returns the fields to keep, and changes
 * nothing here.
 */
export interface ComponentMemory<K extends RecordKind = RecordKind> {
  readonly ref: Ref
  readonly kind: K
  readonly id: MemoryId
  readonly body: BodyOf<K>
  /** The content as one text. */
  readonly text: string
  readonly provenance: Provenance
  readonly createdAt: Instant
  readonly confidence: number
  /** Decayed to the present moment. */
  readonly strength: number
  readonly isProtected: boolean
  /** Captured by the stack as the source of another memory; no evidence of its own. */
  readonly isCaptured: boolean
  readonly tags: readonly string[]
  /** Direct parents. */
  readonly madeFrom: readonly Ref[]
  /** Count of recorded accesses, with the time of the last. */
  readonly accessCount: number
  readonly lastAccessed: Instant | null
  /** Annotations of components, each under the component's name. */
  readonly annotations: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A save, as components see it. */
export interface SaveEvent<K extends RecordKind = RecordKind> {
  readonly kind: K
  readonly id: MemoryId
  readonly ref: Ref
  readonly memory: ComponentMemory<K>
}

/** A memory that a search found, with its score. */
export interface SearchResult {
  readonly memoryType: RecordKind
  readonly memoryId: MemoryId
  readonly content: string
  /** Higher is nearer to the query. */
  readonly score: number
  /** Confidence and other details. `addedBy` names the component that added the result. */
  readonly metadata: JsonObject
}

/** A query, as components see it. */
export interface SearchQuery {
  readonly text: string
  readonly limit: number
  readonly recordTypes?: readonly RecordKind[]
  readonly context?: string
  readonly minConfidence?: number
}

export interface HostListOptions {
  /** At most so many of the newest; the stack applies a default and bounds. */
  readonly limit?: number
  /** The last memory of the page before; the list continues behind this memory. */
  readonly after?: MemoryId
  /** Only memories born at this moment or later. */
  readonly since?: Instant
  /** Without captures, and without memories marked as processed. */
  readonly untouched?: true
  /** At least one of the tags. */
  readonly tags?: readonly string[]
}

/** A proposal of a component; becomes a memory only when a person accepts the suggestion. */
export type Proposal = Pick<
  BodyInputOf<'suggestion'>,
  'memoryType' | 'content' | 'confidence' | 'reason'
>

/**
 * The stack as one component sees it: reads, and a few acts. Every act passes the gate and is
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
  /** Unprocessed memories only, oldest first. */
  waiting<K extends RecordKind>(kind: K, limit: number): Promise<readonly ComponentMemory<K>[]>
  /** Direct parents and direct descendants. */
  beside(ref: Ref): Promise<{ readonly from: readonly Ref[]; readonly into: readonly Ref[] }>
  counts(): Promise<Readonly<Partial<Record<RecordKind, number>>>>
  /**
   * Queues a suggestion for review; null where the stack has an equal suggestion or the gate
   * refuses.
   */
  suggest(proposal: Proposal, sources: readonly Ref[]): Promise<Ref | null>
  /** False where the memory is protected, gone or already forgotten. */
  forget(ref: Ref, reason: string): Promise<boolean>
  /** Keeps fields with a memory, as the stack keeps the fields that `onSave` returns. */
  annotate(ref: Ref, fields: Fields): Promise<boolean>
  /** The state that this component last kept in the stack, or null. */
  kept(): Promise<Fields | null>
  /**
   * Keeps the component's state; an unchanged state is not stored again. Numbers and codes, never
   * content.
   */
  keep(fields: Fields): Promise<void>
  /**
   * Turns waiting memories into suggestions, by the model or by rule; returns the figures of the
   * run.
   */
  process(transitions: readonly string[]): Promise<Stats>
  /**
   * Asks the attached model within the daily budget; null where no model is attached. A call that
   * fails, or that the budget refuses, throws with a code that begins with `model_`.
   */
  ask(question: HostQuestion): Promise<HostAnswer | null>
  /** Reports the progress of maintenance to listeners. */
  progress(done: number, total: number): void
  /** Asks a person to look at the memory; changes no number. */
  flag(ref: Ref, reason: string): Promise<void>
  /** One forgetting sweep by the stack's policy. */
  sweep(): Promise<{ readonly swept: number; readonly forgotten: number; readonly kept: number }>
  /** Brings the vectors up to date; null where the stack keeps none. */
  reindex(): Promise<Reindexed | null>
  /** Search uses these vectors from now on; null restores the stack's own embedder. */
  useEmbedder(embedder: Embedder | null): void
}

/** A question to a model, with a schema for the answer. */
export interface HostQuestion {
  readonly system: string
  readonly prompt: string
  readonly schema: JsonObject
  readonly outputTokensMax: number
}

export interface HostAnswer {
  readonly text: string
  readonly model: string
}

export interface Reindexed {
  /** Memories that got a vector in this run. */
  readonly reIndexed: number
  /** The embedder, with the length of the vectors. */
  readonly model: string
  readonly dimension: number
  /** Memories with a vector. */
  readonly indexed: number
}

/**
 * A part that extends one stack. A hook that throws, returns a wrong value or hangs counts as a
 * failure of the component and never breaks the stack's work. Hooks are read once, when the
 * component is added; one instance serves one stack.
 */
export interface StackComponent {
  /** Unique in the stack: lower-case letters, digits, `_` and `-`. */
  readonly name: string
  readonly version: string
  /** A required component cannot be removed. */
  readonly required: boolean
  readonly needsInference: boolean
  /** Called once, before any other hook, when the stack is ready for reads. */
  attach?(host: ComponentHost): void
  /** The model for later use, or null; only for components that need inference. */
  onInference?(inference: InferencePort | null): Awaitable<void>
  /** Kinds that `onSave` is called for; all kinds when omitted. */
  readonly saves?: readonly RecordKind[]
  /** Called after a memory was saved. The stack keeps the returned fields with the memory. */
  onSave?(event: SaveEvent): Awaitable<Fields | null | undefined>
  /**
   * Gets a copy and returns the results to go on with: reordered, filtered, with new scores or
   * further metadata. The content and the original metadata of a result stay. A new result needs
   * `metadata.addedBy` with the component's name, and the stack's consent.
   */
  onSearch?(results: SearchResult[], query: SearchQuery): Awaitable<readonly SearchResult[]>
  /** Adds members to the context. Existing members stay. */
  onLoad?(context: Record<string, unknown>): Awaitable<void>
  /** Background work; returned figures appear in the report. */
  onMaintenance?(): Awaitable<Stats | null | undefined>
  /** Answers a question that a caller puts to the component. */
  report?(question: JsonObject): Awaitable<JsonObject | null | undefined>
}

const TRUSTED = new WeakSet<StackComponent>()

/** Marks a component that comes with the stack: its values are neither copied nor checked. */
export function trusted(component: StackComponent): StackComponent {
  TRUSTED.add(component)
  return component
}

export const isTrusted = (component: StackComponent): boolean => TRUSTED.has(component)
