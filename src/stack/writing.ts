import type { LifecycleState } from '../domain/dispositions.ts'
import type { Caller } from '../domain/doors.ts'
import type { Arrived, Command, Draft } from '../domain/draft.ts'
import { assert, LimitError } from '../domain/errors.ts'
import type { Hash, Ref, StackId } from '../domain/ids.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import { definitionOf } from '../domain/kinds/table.ts'
import { label } from '../domain/labels.ts'
import { LIMITS } from '../domain/limits.ts'
import type {
  EntryPointer,
  Outcome,
  PolicyResult,
  StateResult,
  WriteResult,
} from '../domain/outcome.ts'
import type { RoutedPayload } from '../domain/payload.ts'
import type { Policy } from '../domain/policy.ts'
import { toMs } from '../domain/time.ts'
import { contentHash } from '../hash/ledger.ts'
import { draftOf, type SaveRecord, type WriteRequest } from './requests.ts'
import type { Sequencer } from './sequencer.ts'
import { arrive, type World } from './world.ts'

export interface WritingParts {
  readonly stackId: StackId
  readonly world: World
  readonly sequencer: Sequencer
  /** Whether missing provenance is filled in, as for a migration. */
  readonly isEnforcing: boolean
}

/** What became of a command that writes drafts: results for all, or the refusal of one. */
export type Written =
  | { readonly refused: false; readonly results: readonly WriteResult[] }
  | { readonly refused: true; readonly index: number; readonly result: WriteResult }

/** Every way of changing a stack, as commands to its one sequencer (PROV-NOBYPASS). */
export class Writing {
  readonly #parts: WritingParts

  constructor(parts: WritingParts) {
    this.#parts = parts
  }

  /** Routed writes: refusals come back as values. */
  async write(requests: readonly WriteRequest[], caller: Caller): Promise<Written> {
    return this.#submitDrafts(requests.map((request) => this.#draft(request, caller)))
  }

  #draft(request: WriteRequest, caller: Caller): Arrived {
    const { world } = this.#parts
    const arrival = arrive(world)
    const draft = draftOf(
      {
        kind: request.kind,
        id: request.id,
        body: request.body,
        provenance: request.provenance,
        completeness: 'routed',
        captures: request.captures ?? [],
        revises: request.revises ?? null,
        caller,
      },
      () => world.ids.next(toMs(arrival.time)),
    )
    return { draft, arrival }
  }

  /** Low-level saves: the record brings its whole provenance, or the write is refused. */
  async save<K extends RecordKind>(
    kind: K,
    records: readonly SaveRecord<K>[],
    caller: Caller,
  ): Promise<Written> {
    const { world, isEnforcing } = this.#parts
    const drafts = records.map((record): Arrived => {
      const { id, provenance, ...body } = asObject(record)
      const arrival = arrive(world)
      const draft: Draft = draftOf(
        {
          kind,
          id,
          body,
          provenance: isEnforcing ? provenance : this.#filled(kind, provenance),
          completeness: isEnforcing ? 'full' : 'routed',
          captures: [],
          revises: null,
          caller,
        },
        () => world.ids.next(toMs(arrival.time)),
      )
      return { draft, arrival }
    })
    return this.#submitDrafts(drafts)
  }

  /** Without enforcement, provenance that is missing says so: a model's word from a migration. */
  #filled(kind: RecordKind, provenance: unknown): RoutedPayload {
    const given = typeof provenance === 'object' && provenance !== null ? provenance : {}
    return {
      sourceType: 'inference',
      label: label.modelDerived(),
      sourceId: `${this.#parts.stackId}:model`,
      ingestionPath: `migration:save_${kind}`,
      confidence: definitionOf(kind).confidence,
      llmModel: 'label' in given ? null : 'unknown:migration',
      ...given,
    }
  }

  async #submitDrafts(drafts: readonly Arrived[]): Promise<Written> {
    if (drafts.length > LIMITS.batchDraftsMax) {
      throw new LimitError('batchDraftsMax', LIMITS.batchDraftsMax, drafts.length)
    }
    if (drafts.length === 0) return { refused: false, results: [] }
    const outcome = await this.#submit({ type: 'write', drafts })
    if (outcome.type === 'refused') {
      return { refused: true, index: outcome.index, result: outcome.result }
    }
    assert(outcome.type === 'written', 'a write is written or refused')
    return { refused: false, results: outcome.results }
  }

  async setState(to: LifecycleState, actor: string, caller: Caller): Promise<StateResult> {
    const arrival = arrive(this.#parts.world)
    const outcome = await this.#submit({ type: 'state', to, actor, caller, arrival })
    assert(outcome.type === 'state', 'a state change answers with a state')
    return outcome.result
  }

  async setPolicy(policy: Policy, actor: string, caller: Caller): Promise<PolicyResult> {
    const { world } = this.#parts
    const arrival = arrive(world)
    const policyHash = contentHash(world.sha256, policy)
    const command = { type: 'policy', policy, policyHash, actor, caller, arrival } as const
    const outcome = await this.#submit(command)
    assert(outcome.type === 'policy', 'a policy change answers with a policy')
    return outcome.result
  }

  async reject(
    what: { readonly ref: Ref; readonly mark: Hash },
    actor: string,
    caller: Caller,
  ): Promise<EntryPointer> {
    const arrival = arrive(this.#parts.world)
    const outcome = await this.#submit({ type: 'reject', ...what, actor, caller, arrival })
    assert(outcome.type === 'rejected', 'a rejection answers with its entry')
    return outcome.entry
  }

  /** Coded errors are thrown here; refusals stay values. */
  async #submit(command: Command): Promise<Exclude<Outcome, { type: 'error' }>> {
    const outcome = await this.#parts.sequencer.submit(command)
    if (outcome.type === 'error') throw outcome.error
    return outcome
  }
}

/** A record that is not an object has no fields; the parser then names the ones it misses. */
const asObject = (record: unknown): Record<string, unknown> =>
  typeof record === 'object' && record !== null && !Array.isArray(record)
    ? { ...(record as Record<string, unknown>) } // read-only view of unknown members
    : {}
