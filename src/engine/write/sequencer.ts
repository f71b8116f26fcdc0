import type { ChangeType } from '../../domain/change.ts'
import { assert, MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Policy } from '../../domain/policy.ts'
import type { StackState } from '../../domain/state.ts'
import { type Batch, type Head, isSameHead } from '../../domain/waist.ts'
import type { Command, Outcome } from '../../domain/write.ts'
import type { DeskSetting } from '../../gate/desk.ts'
import { decideGroup } from '../../gate/gate.ts'
import { CASCADES, type Proposal } from '../../gate/needs.ts'
import type { Candidate, Likeness, Tools } from '../../gate/stamp.ts'
import type { Reader, Store } from '../../ports/store.ts'
import { Gatherer, type StampedCommand } from './gather.ts'
import { HeadMovedError } from './outcomes.ts'

interface Parts {
  readonly stackId: StackId
  readonly store: Store
  /** Called with a first batch that certainly failed. */
  readonly failed: (batch: Batch) => void
}

/** Attempted first batches of a stack, while the first committed batch is not known. */
class GenesisAttempts {
  readonly #parts: Parts
  #batches: readonly Batch[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  add(batch: Batch): void {
    this.#batches = [...this.#batches, batch]
  }

  /** Other attempted first batches failed, because the ledger began with this stack's uid. */
  begunWith({ uid }: Pick<StackState, 'uid'>, tried: readonly Batch[] = this.#batches): void {
    if (tried.length === 0) return
    this.#batches = this.#batches.filter((batch) => !tried.includes(batch))
    for (const batch of tried) if (batch.stack.uid !== uid) this.#parts.failed(batch)
  }

  /**
   * Finds out whether an attempted first batch exists: certain for a read-only store and under the
   * lock. In doubt, unused keys stay, because a stack must never lose its keys.
   */
  async lookAgain(attempted: Batch, cause: unknown): Promise<void> {
    if (this.#batches.length === 0) return
    if (cause instanceof MunimentError && cause.code === 'store_read_only') {
      this.begunWith({ uid: null }, [attempted])
      return
    }
    const { stackId, store } = this.#parts
    try {
      const standing = await store.exclusively(stackId, (held) =>
        held.read(stackId, { type: 'standing' }),
      )
      this.begunWith(standing.stack)
    } catch {
      // Still unknown; the next write that finds a ledger decides.
    }
  }
}

/** Told of the ledger as the sequencer reads and extends the ledger. */
export interface CommitListener {
  /** The state of the stack, after each gathering. */
  observed?(stack: StackState): void
  /** A ledger that a batch is about to continue; an error prevents the commit. */
  continuing?(ledger: { readonly stack: StackState; readonly head: Head }): Promise<void>
  committing?(batch: Batch): void
  /** A first batch that certainly failed. */
  unfounded?(batch: Batch): void
  /** A commit, before the writers get their results. */
  committed?(batch: Batch): void
  /** The end of a group, with null after no commit. */
  settled?(batch: Batch | null): Promise<void>
}

/** A command, with the number of foreign head moves at the time of its reads. */
interface Submitted {
  readonly stamped: StampedCommand
  readonly expectedMoves: number | null
}

/** The batch of a group and the policy of its decisions; null is the genesis policy. */
export interface GroupBatch {
  readonly batch: Batch
  readonly policy: Policy | null
}

export interface Settled {
  readonly outcome: Outcome
  readonly made: GroupBatch | null
}

interface Waiting extends Submitted {
  readonly resolve: (settled: Settled) => void
  readonly reject: (cause: unknown) => void
}

interface Decided {
  /** Null for a command whose expected head moved. */
  readonly outcomes: readonly (Outcome | null)[]
  readonly made: GroupBatch | null
  readonly expected: Head
}

interface SequencerOptions {
  readonly stackId: StackId
  readonly store: Store
  readonly tools: Tools
  /** Read for every group, because enforcement may change between groups. */
  readonly setting: () => DeskSetting
  readonly listeners?: readonly CommitListener[]
  readonly groupDraftsMax?: number
  /** Finds similar memories of the draft's actor, before the gate decides. */
  readonly recogniser?: { likesOf(candidate: Candidate): Promise<readonly Likeness[]> }
}

/**
 * One order per stack. Waiting writers commit together: gather once, decide in order of arrival,
 * commit once.
 */
export class Sequencer {
  readonly #options: SequencerOptions
  readonly #listeners: readonly CommitListener[]
  readonly #groupMax: number
  readonly #gatherer: Gatherer
  readonly #genesis: GenesisAttempts
  #queue: Waiting[] = []
  #working: Promise<void> | null = null
  /** The last known head; a different head in the store means a foreign writer. */
  #head: Head | null = null
  #foreignMoves = 0

  constructor(options: SequencerOptions) {
    const { stackId, store, tools, listeners = [] } = options
    this.#options = options
    this.#listeners = listeners
    this.#groupMax = options.groupDraftsMax ?? LIMITS.groupDraftsMax
    this.#genesis = new GenesisAttempts({
      stackId,
      store,
      failed: (batch) => {
        for (const each of listeners) each.unfounded?.(batch)
      },
    })
    this.#gatherer = new Gatherer({
      stackId,
      tools,
      observed: (stack) => {
        if (stack.uid !== null) this.#genesis.begunWith(stack)
        for (const each of listeners) each.observed?.(stack)
      },
    })
  }

  /** Number of head moves by other writers. Reads the head first, because earlier moves do not count. */
  async readForeignMoves(): Promise<number> {
    if (this.#head === null) {
      const { stackId, store } = this.#options
      const { tip } = await store.read(stackId, { type: 'standing' })
      if (this.#head === null) this.#meet(tip.head)
    }
    return this.#foreignMoves
  }

  /**
   * Joins the order at once; the promise settles with the commit. The command fails when the number
   * of foreign head moves differs from `expectedMoves`.
   */
  submit(command: Command, expectedMoves: number | null = null): Promise<Settled> {
    if (this.#queue.length >= LIMITS.queueCommandsMax) {
      const message = 'Too many writes are waiting for this stack.'
      const facts = { limit: 'queueCommandsMax', max: LIMITS.queueCommandsMax }
      const hint = 'Wait for some to finish.'
      const error = new MunimentError('backpressure', message, { hint, facts })
      return Promise.resolve(failed(error))
    }
    const stamped = this.#stamp(command)
    if (stamped instanceof MunimentError) return Promise.resolve(failed(stamped))
    return new Promise((resolve, reject) => {
      this.#queue.push({ stamped, expectedMoves, resolve, reject })
      this.#working ??= this.#work()
    })
  }

  async idle(): Promise<void> {
    while (this.#working) await this.#working
  }

  /** A command that cannot be stamped gets its own error, before the group gathers. */
  #stamp(command: Command): StampedCommand | MunimentError {
    try {
      return this.#gatherer.stamp(command)
    } catch (cause) {
      if (cause instanceof MunimentError && cause.code !== 'invariant') return cause
      throw cause
    }
  }

  async #work(): Promise<void> {
    // Commands submitted in one turn of the event loop join the first group.
    await null
    while (this.#queue.length > 0) await this.#commitGroup(this.#take())
    this.#working = null
  }

  #take(): readonly Waiting[] {
    let drafts = 0
    let count = 0
    for (const { stamped } of this.#queue) {
      const { proposal } = stamped
      drafts += proposal.type === 'write' ? proposal.candidates.length : 1
      if (count > 0 && (drafts > this.#groupMax || isAlone(proposal))) break
      count += 1
      if (isAlone(proposal)) break
    }
    return this.#queue.splice(0, count)
  }

  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const submitted: Submitted[] = []
      for (const { stamped, expectedMoves } of group) {
        submitted.push({ stamped: await this.#recognised(stamped), expectedMoves })
      }
      const { outcomes, made } = await this.#decideAndCommit(submitted)
      for (const each of this.#listeners) await each.settled?.(made?.batch ?? null)
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index]
        assert(outcome !== undefined, 'every proposal has an outcome')
        if (outcome === null) reject(new HeadMovedError())
        else resolve({ outcome, made })
      }
    } catch (cause) {
      for (const { reject } of group) reject(cause)
    }
  }

  async #recognised(stamped: StampedCommand): Promise<StampedCommand> {
    const { recogniser } = this.#options
    const { proposal } = stamped
    if (!recogniser || proposal.type !== 'write') return stamped
    const candidates: Candidate[] = []
    for (const candidate of proposal.candidates)
      candidates.push({ ...candidate, likes: await recogniser.likesOf(candidate) })
    return { ...stamped, proposal: { type: 'write', candidates } }
  }

  /** One optimistic try; after losing the race, the lock is taken before gathering. */
  async #decideAndCommit(submitted: readonly Submitted[]): Promise<Decided> {
    const { stackId, store } = this.#options
    const first = await this.#decide(store, submitted)
    if (first.made === null) return first
    const { expected } = first
    const { batch } = first.made
    const isCommitted = await this.#unlessThere(
      () => batch,
      async () => (await store.commit(stackId, batch, expected)).committed,
    )
    return isCommitted ? this.#done(first) : this.#underLock(submitted)
  }

  async #underLock(submitted: readonly Submitted[]): Promise<Decided> {
    const { stackId, store } = this.#options
    let last: Decided | null = null
    // A store that loses its connection runs the work again from the start; the last run counts.
    const work = (): Promise<boolean> =>
      store.exclusively(stackId, async (held) => {
        const second = await this.#decide(held, submitted)
        last = second
        if (second.made === null) return true
        const { committed } = await held.commit(stackId, second.made.batch, second.expected)
        return committed
      })
    // The store commits when the lock is released, so a real or apparent failure shows only then.
    const decided = (): Decided | null => last
    const isCommitted = await this.#unlessThere(() => decided()?.made?.batch ?? null, work)
    const done = decided()
    assert(isCommitted && done !== null, 'nobody commits while the lock is held')
    return this.#done(done)
  }

  #done(decided: Decided): Decided {
    if (decided.made !== null) {
      const { batch } = decided.made
      this.#head = batch.tip.head
      this.#gatherer.committed(batch, decided.expected)
      this.#genesis.begunWith(batch.stack)
      for (const each of this.#listeners) each.committed?.(batch)
    }
    return decided
  }

  async #decide(store: Reader, submitted: readonly Submitted[]): Promise<Decided> {
    const stamped = submitted.map((each) => each.stamped)
    const { group, gathered } = await this.#gatherer.gather(store, stamped)
    const { tip, stack, policy } = gathered.context
    const { head } = tip
    this.#meet(head)
    const isInTime = submitted.map(
      ({ expectedMoves }) => expectedMoves === null || expectedMoves === this.#foreignMoves,
    )
    const proposals = group.filter((_, at) => isInTime[at]).map(({ proposal }) => proposal)
    const decided = decideGroup(proposals, gathered, this.#options.setting())
    const { batch } = decided
    if (batch !== null) {
      for (const each of this.#listeners) await each.continuing?.({ stack, head })
      for (const each of this.#listeners) each.committing?.(batch)
      if (head.seq < 0) this.#genesis.add(batch)
    }
    let next = 0
    const outcomes = isInTime.map((isIn) => {
      if (!isIn) return null
      const outcome = decided.outcomes[next]
      assert(outcome !== undefined, 'every proposal has an outcome')
      next += 1
      return outcome
    })
    return { outcomes, made: batch && { batch, policy }, expected: head }
  }

  #meet(head: Head): void {
    // A first look cannot tell whether the head moved, so the look counts as a move.
    if (this.#head === null || !isSameHead(this.#head, head)) this.#foreignMoves += 1
    this.#head = head
  }

  /** A fault may strike after the commit: a batch found in the ledger counts as committed. */
  async #unlessThere(batch: () => Batch | null, commit: () => Promise<boolean>): Promise<boolean> {
    try {
      return await commit()
    } catch (cause) {
      const attempted = batch()
      if (attempted !== null && (await this.#isThere(attempted))) return true
      if (attempted !== null) await this.#genesis.lookAgain(attempted, cause)
      throw cause
    }
  }

  async #isThere(batch: Batch): Promise<boolean> {
    const { store } = this.#options
    const last = batch.entries.at(-1)
    if (!last) return false
    const query = { type: 'entries', from: last.entry.seq, limit: 1 } as const
    try {
      const [row] = await store.read(this.#options.stackId, query)
      return row?.hash === last.hash
    } catch {
      return false // the first fault is the fault to report
    }
  }
}

const failed = (error: MunimentError): Settled => ({
  outcome: { type: 'error', error },
  made: null,
})

/** Changes that need children or ancestors; all of them must be gathered before the decision. */
const REACHES_FAR: ReadonlySet<ChangeType> = new Set([...CASCADES, 'verify', 'reinforce'])

/**
 * A revision may add edges between existing memories and needs its ancestry gathered alone. A new
 * policy decides what is gathered, so a policy takes effect between two groups.
 */
const isAlone = (proposal: Proposal): boolean =>
  proposal.type === 'policy' ||
  proposal.type === 'clock' ||
  proposal.type === 'erase' ||
  proposal.type === 'distrust' ||
  proposal.type === 'release' ||
  proposal.type === 'receive' ||
  (proposal.type === 'change' && REACHES_FAR.has(proposal.change.type)) ||
  (proposal.type === 'write' && proposal.candidates.some(({ draft }) => draft.revises !== null))
