import type { ChangeResult } from '../../domain/change.ts'
import type { LifecycleState } from '../../domain/dispositions.ts'
import { type Caller, parseCaller } from '../../domain/doors.ts'
import type {
  Arrival,
  Arrived,
  Command,
  DistrustCommand,
  EraseCommand,
} from '../../domain/draft.ts'
import { assert, LimitError, MunimentError, RefusedError } from '../../domain/errors.ts'
import { type Hash, parseMemoryId, parseRef, type Ref, type StackId } from '../../domain/ids.ts'
import type { RecordKind } from '../../domain/kind-names.ts'
import { definitionOf } from '../../domain/kinds/table.ts'
import { label, tryParseLabel } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import type {
  ClockResult,
  EntryPointer,
  Outcome,
  PolicyResult,
  StateResult,
  WriteResult,
} from '../../domain/outcome.ts'
import { parseChange } from '../../domain/parse-change.ts'
import { parsePolicy } from '../../domain/parse-policy.ts'
import { EVERYONE, type RoutedPayload } from '../../domain/payload.ts'
import type { Policy } from '../../domain/policy.ts'
import { toMs } from '../../domain/time.ts'
import { isDated } from '../../gate/commands/clock.ts'
import { captureId } from '../../ledger/chance.ts'
import { contentHash } from '../../ledger/ledger.ts'
import type { KnownErasure } from '../../ports/keyring.ts'
import type { ChangeRequest } from '../engine.ts'
import { arrive, type World } from '../world.ts'
import { nameOf, readable, textOf, wrong } from './arguments.ts'
import { ClockWatch } from './clock-watch.ts'
import type { GroupBatch, Sequencer, Settled } from './sequencer.ts'
import { draftOf, type Ids, namesIn, type SaveRecord, type WriteRequest } from './write-request.ts'

export interface WritingParts {
  readonly stackId: StackId
  readonly world: World
  readonly sequencer: Sequencer
  /** False fills in missing provenance, as for a migration. */
  readonly isEnforcing: boolean
}

/** The outcome of drafts: results for all, or the refusal of one. */
export type Written = WrittenAll | Refused

interface WrittenAll {
  readonly refused: false
  readonly results: readonly WriteResult[]
}

interface Refused {
  readonly refused: true
  readonly index: number
  readonly result: WriteResult
}

/** The outcome with the committed batch, for commit listeners. */
export type Committed = (WrittenAll & { readonly made: GroupBatch | null }) | Refused

/** The single result of a single write. */
export const oneOf = (written: Written): WriteResult =>
  written.refused ? written.result : firstOf(written.results)

export function firstOf<T>(items: readonly T[]): T {
  const [first] = items
  assert(first !== undefined, 'one write has one result')
  return first
}

type Answer = Exclude<Outcome, { type: 'error' }>

/** Every way of changing a stack, as commands to the stack's sequencer (PROV-NOBYPASS). */
export class Writing {
  readonly #parts: WritingParts
  readonly #watch: ClockWatch

  constructor(parts: WritingParts) {
    this.#parts = parts
    this.#watch = new ClockWatch(parts.world.clock)
  }

  /** Routed writes: refusals come back as values. */
  async write(
    requests: readonly WriteRequest[],
    caller: Caller,
    expectedMoves: number | null = null,
  ): Promise<Committed> {
    const known = readable(() => parseCaller(caller))
    const list = readable(() => listOf(requests))
    const drafts = list.map((request) => this.#draft(request, known))
    return this.#submitDrafts(drafts, expectedMoves)
  }

  #draft(request: WriteRequest, caller: Caller): Arrived {
    const { world } = this.#parts
    const arrival = arrive(world)
    const draft = readable(() => {
      const {
        kind,
        id,
        body,
        provenance,
        captures = [],
        revises = null,
        consequence = null,
        given = namesIn(body),
      } = request
      const what = { kind, id, body, given, provenance, captures } as const
      const parts = { ...what, revises, consequence, caller } as const
      return draftOf({ ...parts, completeness: 'routed' }, this.#idsAt(arrival))
    })
    return { draft, arrival }
  }

  #idsAt({ time }: Arrival): Ids {
    const { ids, sha256 } = this.#parts.world
    return {
      next: () => ids.next(toMs(time)),
      capture: (of, place) => parseMemoryId(captureId(sha256, of, place)),
    }
  }

  /** Low-level saves: the record brings complete provenance, or the write is refused. */
  async save<K extends RecordKind>(
    kind: K,
    records: readonly SaveRecord<K>[],
    caller: Caller,
  ): Promise<Committed> {
    const { world, isEnforcing } = this.#parts
    const drafts = readable(() => listOf(records)).map((record): Arrived => {
      const { id, provenance, ...body } = readable(() => asObject(record))
      const arrival = arrive(world)
      const parts = {
        kind,
        id,
        body,
        captures: [],
        revises: null,
        consequence: null,
        caller,
      } as const
      const draft = readable(() =>
        draftOf(
          isEnforcing
            ? { ...parts, provenance, completeness: 'full' }
            : { ...parts, provenance: this.#filled(kind, provenance), completeness: 'routed' },
          this.#idsAt(arrival),
        ),
      )
      return { draft, arrival }
    })
    return this.#submitDrafts(drafts)
  }

  /** Without enforcement, missing provenance is filled in as a model's words from a migration. */
  #filled(kind: RecordKind, provenance: unknown): RoutedPayload {
    const members = typeof provenance === 'object' && provenance !== null ? provenance : {}
    const given: Partial<RoutedPayload> = Object.fromEntries(
      Object.entries(members).filter(([, value]) => value !== undefined),
    )
    const chosen = given.label ?? label.modelDerived()
    return {
      sourceType: 'inference',
      label: chosen,
      sourceId: `${this.#parts.stackId}:model`,
      ingestionPath: `migration:save_${kind}`,
      confidence: definitionOf(kind).confidence,
      llmModel: tryParseLabel(chosen)?.type === 'ModelDerived' ? 'unknown:migration' : null,
      ...given,
    }
  }

  async #submitDrafts(
    drafts: readonly Arrived[],
    expectedMoves: number | null = null,
  ): Promise<Committed> {
    if (drafts.length > LIMITS.batchDraftsMax) {
      throw new LimitError('batchDraftsMax', LIMITS.batchDraftsMax, drafts.length)
    }
    if (drafts.length === 0) return { refused: false, results: [], made: null }
    const isAlone = ({ draft }: Arrived): boolean =>
      draft.revises !== null || draft.consequence?.type === 'supersedes'
    if (drafts.length > 1 && drafts.some(isAlone)) {
      throw new MunimentError('invalid_input', 'A batch saves; it does not revise.', {
        hint: 'Revise one memory at a time.',
      })
    }
    const { outcome, made } = await this.#settle({ type: 'write', drafts }, expectedMoves)
    if (outcome.type === 'refused') {
      return { refused: true, index: outcome.index, result: outcome.result }
    }
    if (outcome.type === 'changed') throw proposedError(outcome.result)
    assert(outcome.type === 'written', 'a write is written or refused')
    return { refused: false, results: outcome.results, made }
  }

  async setState(
    change: { readonly to: LifecycleState; readonly from: LifecycleState | null },
    actor: string,
    by: Caller,
  ): Promise<StateResult> {
    const caller = parseCaller(by)
    const arrival = arrive(this.#parts.world)
    const outcome = await this.#submit({ type: 'state', ...change, actor, caller, arrival })
    assert(outcome.type === 'state', 'a state change answers with a state')
    return outcome.result
  }

  async setPolicy(policy: Policy, actor: string, by: Caller): Promise<PolicyResult> {
    const { world } = this.#parts
    const caller = parseCaller(by)
    const parsed = readable(() => parsePolicy(policy))
    const arrival = arrive(world)
    const policyHash = contentHash(world.sha256, parsed)
    const command = { type: 'policy', policy: parsed, policyHash, actor, caller, arrival } as const
    const outcome = await this.#submit(command)
    assert(outcome.type === 'policy', 'a policy change answers with a policy')
    return outcome.result
  }

  async reject(
    what: { readonly ref: Ref; readonly mark: Hash },
    actor: string,
    by: Caller,
  ): Promise<EntryPointer> {
    const caller = parseCaller(by)
    const arrival = arrive(this.#parts.world)
    const outcome = await this.#submit({ type: 'reject', ...what, actor, caller, arrival })
    assert(outcome.type === 'rejected', 'a rejection answers with its entry')
    return outcome.entry
  }

  async release(
    what: Pick<Extract<Command, { type: 'release' }>, 'ref' | 'line' | 'identity' | 'burst'>,
    actor: string,
    by: Caller,
  ): Promise<Extract<Outcome, { type: 'released' }>> {
    const caller = parseCaller(by)
    const arrival = arrive(this.#parts.world)
    const outcome = await this.#submit({ type: 'release', ...what, actor, caller, arrival })
    assert(outcome.type === 'released', 'a release answers with its entry')
    return outcome
  }

  /** Erases content, or keeps a model's proposal for a person; the outcome names the entry. */
  async erase(
    request: Omit<EraseCommand, 'type' | 'arrival'>,
  ): Promise<Extract<Outcome, { type: 'erased' | 'changed' }>> {
    const arrival = arrive(this.#parts.world)
    const outcome = await this.#submit({ type: 'erase', ...request, arrival })
    assert(
      outcome.type === 'erased' || outcome.type === 'changed',
      'an erasure is made or wished for',
    )
    return outcome
  }

  /** Changes trust in an origin, or keeps a model's proposal for a person. */
  async setTrust(
    request: Omit<DistrustCommand, 'type' | 'arrival'>,
  ): Promise<Extract<Outcome, { type: 'turned' | 'changed' }>> {
    const arrival = arrive(this.#parts.world)
    const outcome = await this.#submit({ type: 'distrust', ...request, arrival })
    assert(outcome.type === 'turned' || outcome.type === 'changed', 'trust is turned or wished for')
    return outcome
  }

  async readmit(marks: readonly Hash[], actor: string, by: Caller): Promise<EntryPointer | null> {
    const caller = parseCaller(by)
    const arrival = arrive(this.#parts.world)
    const outcome = await this.#submit({ type: 'readmit', marks, actor, caller, arrival })
    assert(outcome.type === 'readmitted', 'letting words back in answers with its entry')
    return outcome.entry
  }

  async keepOut(
    { tombstones: marks, basis }: Pick<KnownErasure, 'tombstones' | 'basis'>,
    { actor, caller }: { readonly actor: string; readonly caller: Caller },
  ): Promise<EntryPointer | null> {
    const arrival = arrive(this.#parts.world)
    const outcome = await this.#submit({ type: 'keepOut', marks, basis, actor, caller, arrival })
    assert(outcome.type === 'keptOut', 'keeping words out answers with its entry')
    return outcome.entry
  }

  async tidy(actor: string, caller: Caller): Promise<void> {
    const arrival = arrive(this.#parts.world)
    await this.#submit({ type: 'tidy', actor, caller, arrival })
  }

  /** A person confirms the clock. */
  async correctClock(actor: string, by: Caller): Promise<ClockResult> {
    const caller = parseCaller(by)
    const arrival = arrive(this.#parts.world)
    const outcome = await this.#submit({ type: 'clock', actor, caller, arrival })
    assert(outcome.type === 'corrected', 'a clock correction answers with its entry')
    this.#watch.confirm()
    return outcome.result
  }

  /** Changes one memory; a change without effect is an answer too. */
  async change(request: ChangeRequest): Promise<ChangeResult> {
    // Everything is parsed before the gate: a command that cannot be sealed would fail its whole
    // group.
    const { ref, change, by } = readable(() => ({
      ref: parseRef(request.ref),
      change: parseChange(request.change),
      by: speakerIn(request),
    }))
    const arrival = arrive(this.#parts.world)
    const outcome = await this.#submit({ type: 'change', ref, change, ...by, arrival })
    assert(outcome.type === 'changed', 'a change answers with what changed')
    return outcome.result
  }

  async #submit(command: Command): Promise<Answer> {
    return (await this.#settle(command)).outcome
  }

  /** Coded errors are thrown here; refusals stay values. */
  async #settle(
    command: Command,
    expectedMoves: number | null = null,
  ): Promise<{ readonly outcome: Answer; readonly made: Settled['made'] }> {
    if (isDated(command.type)) this.#watch.check()
    const { outcome, made } = await this.#parts.sequencer.submit(command, expectedMoves)
    if (outcome.type === 'error') throw outcome.error
    return { outcome, made }
  }
}

/** A change without authority becomes a proposal, up to the actor's limit of proposals. */
const proposedError = ({ entry, reason }: ChangeResult): RefusedError =>
  new RefusedError(
    'refused',
    'Nothing was superseded: the caller lacks the authority over this memory.',
    {
      hint:
        reason === 'proposals_full'
          ? 'As many proposals of this actor wait for a person as may (proposalsPerActorMax).'
          : 'The change was put up for review, where a person decides.',
      facts: { reason, entry },
    },
  )

/** The author and the reason of a change: sealed and signed, so bounded like any text. */
function speakerIn({
  text = null,
  label: said,
  actor,
  caller,
}: Pick<ChangeRequest, 'text' | 'label' | 'actor' | 'caller'>) {
  const known = tryParseLabel(said)
  if (!known) throw wrong('label', 'a label')
  const name = nameOf('actor', actor)
  if (name === EVERYONE) throw wrong('actor', 'somebody: this stands for everyone, and nobody is')
  const words = text === null || text === '' ? null : textOf('reason', text)
  return { text: words, label: known, actor: name, caller: parseCaller(caller) }
}

function listOf<T>(items: readonly T[]): readonly T[] {
  if (Array.isArray(items)) return items
  throw new MunimentError('invalid_input', 'Several are given as a list.')
}

/** A record that is not an object has no fields; the parser then names the missing fields. */
const asObject = (record: unknown): Record<string, unknown> =>
  typeof record === 'object' && record !== null && !Array.isArray(record)
    ? { ...(record as Record<string, unknown>) } // read-only view of unknown members
    : {}
