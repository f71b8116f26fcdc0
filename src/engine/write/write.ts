import { type ChangeResult, parseChange } from '../../domain/change.ts'
import { type Caller, parseCaller } from '../../domain/doors.ts'
import { assert, LimitError, MunimentError, RefusedError } from '../../domain/errors.ts'
import { parseRef, type RecordKind, type StackId } from '../../domain/ids.ts'
import { tryParseLabel } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import { EVERYONE } from '../../domain/provenance.ts'
import type { Arrived, Command, Outcome, WriteResult } from '../../domain/write.ts'
import { isDated } from '../../gate/commands/clock.ts'
import { arrive, type World } from '../world.ts'
import { nameOf, readable, textOf, wrong } from './arguments.ts'
import { ClockWatch } from './clock.ts'
import { type CommandRequest, type CommandType, type OutcomeOf, outcomeOf } from './outcomes.ts'
import type { GroupBatch, Sequencer, Settled } from './sequencer.ts'
import {
  type ChangeRequest,
  listOf,
  routedDraft,
  type SaveRecord,
  savedDraft,
  type WriteRequest,
  type Written,
  type WrittenAll,
} from './write-request.ts'

interface WriterParts {
  readonly stackId: StackId
  readonly world: World
  readonly sequencer: Sequencer
  /** False fills in missing provenance, as for a migration. */
  readonly isEnforcing: boolean
  /** Tells components and the oracle of a commit, before the caller gets the result. */
  readonly notify: (committed: Committed) => Promise<Written>
}

export type Committed =
  | (WrittenAll & { readonly made: GroupBatch | null })
  | Extract<Written, { readonly refused: true }>

/**
 * The only way in (PROV-NOBYPASS), step by step:
 *
 * - parse: a request becomes a draft or a command, or is refused (`routedDraft`, `savedDraft`)
 * - submit: the sequencer keeps one order per stack and joins waiting writers into a group
 * - gather: the group's needs are read once, with the head (`Gatherer`)
 * - decide: the pure gate answers each proposal and plans one batch (`decideGroup`)
 * - commit: the store takes the batch whole, where the head is still the expected head
 * - notify: listeners, components and the oracle hear of the commit before the caller
 *
 * This class parses, submits and notifies; the sequencer gathers, decides and commits.
 */
export class Writer {
  readonly #parts: WriterParts
  readonly #watch: ClockWatch

  constructor(parts: WriterParts) {
    this.#parts = parts
    this.#watch = new ClockWatch(parts.world.clock)
  }

  /** Routed writes: refusals come back as values. */
  async write(
    requests: readonly WriteRequest[],
    by: Caller,
    expectedMoves: number | null,
  ): Promise<Written> {
    const { world, notify } = this.#parts
    const caller = readable(() => parseCaller(by))
    const drafts = readable(() => listOf(requests)).map((request): Arrived => {
      const arrival = arrive(world)
      return { draft: readable(() => routedDraft(request, caller, { world, arrival })), arrival }
    })
    return notify(await this.#submitDrafts(drafts, expectedMoves))
  }

  /** Low-level saves: the record brings complete provenance, or the write is refused. */
  async save<K extends RecordKind>(
    kind: K,
    records: readonly SaveRecord<K>[],
    caller: Caller,
  ): Promise<Written> {
    const { world, notify, stackId, isEnforcing } = this.#parts
    const drafts = readable(() => listOf(records)).map((record): Arrived => {
      const arrival = arrive(world)
      const migratesTo = isEnforcing ? null : stackId
      const at = { world, arrival, migratesTo }
      return { draft: savedDraft(kind, record, { ...at, caller }), arrival }
    })
    return notify(await this.#submitDrafts(drafts, null))
  }

  async #submitDrafts(
    drafts: readonly Arrived[],
    expectedMoves: number | null,
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

  /** Changes one memory; a change without effect is an answer too. */
  async change(request: ChangeRequest): Promise<ChangeResult> {
    // A command that cannot be sealed would fail its whole group, so everything is parsed before.
    const parsed = readable(() => ({
      ref: parseRef(request.ref),
      change: parseChange(request.change),
      ...speakerIn(request),
    }))
    return (await this.submit('change', parsed)).result
  }

  /** Every other command, such as an erasure or a new policy. */
  async submit<T extends CommandType>(type: T, request: CommandRequest<T>): Promise<OutcomeOf<T>> {
    const caller = parseCaller(request.caller)
    const arrival = arrive(this.#parts.world)
    const command = { ...request, type, caller, arrival } as unknown as Command // of this type
    const { outcome } = await this.#settle(command, null)
    if (type === 'clock') this.#watch.confirm()
    return outcomeOf(type, outcome)
  }

  /** Coded errors are thrown here; refusals stay values. */
  async #settle(
    command: Command,
    expectedMoves: number | null,
  ): Promise<Settled & { readonly outcome: Exclude<Outcome, { readonly type: 'error' }> }> {
    if (isDated(command.type)) this.#watch.check()
    const { outcome, made } = await this.#parts.sequencer.submit(command, expectedMoves)
    if (outcome.type === 'error') throw outcome.error
    return { outcome, made }
  }
}

export function oneOf(written: Written): WriteResult {
  const [first] = written.refused ? [written.result] : written.results
  assert(first !== undefined, 'one write has one result')
  return first
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
function speakerIn({ text = null, label: said, actor, caller }: ChangeRequest) {
  const label = tryParseLabel(said)
  if (!label) throw wrong('label', 'a label')
  const name = nameOf('actor', actor)
  if (name === EVERYONE) throw wrong('actor', 'somebody: this stands for everyone, and nobody is')
  const words = text === null || text === '' ? null : textOf('reason', text)
  return { text: words, label, actor: name, caller }
}
