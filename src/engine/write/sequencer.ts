import type { ChangeType } from '../../domain/change.ts'
import { isSameHead } from '../../domain/continues.ts'
import type { Command } from '../../domain/draft.ts'
import { assert, MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Policy } from '../../domain/policy.ts'
import type { StackState } from '../../domain/state.ts'
import type { Batch, Head } from '../../domain/waist.ts'
import type { DeskSetting } from '../../gate/desk.ts'
import { decideGroup, type Gathered } from '../../gate/gate.ts'
import { CASCADES, completeNeeds, needsOf, type Proposal } from '../../gate/needs.ts'
import { type Candidate, type Likeness, stamp, type Tools } from '../../gate/stamp.ts'
import type { Reader, Store } from '../../ports/store.ts'

/** Another writer moved the head since the reads of this write; nothing was decided. */
export class HeadMovedError extends Error {}

/** A command, with the number of foreign head moves at the time of its reads. */
interface Submitted {
  readonly proposal: Proposal
  readonly expectedMoves: number | null
}

/** The batch of a group and the policy of its decisions; null is the genesis policy. */
export interface GroupBatch {
  readonly batch: Batch
  readonly policy: Policy | null
}

/** The outcome of a command, with the batch of its group. */
export interface Settled {
  readonly outcome: Outcome
  readonly made: GroupBatch | null
}

interface Waiting extends Submitted {
  readonly resolve: (settled: Settled) => void
  readonly reject: (cause: unknown) => void
}

/** A decided group, with the head that the commit expects. */
interface Decided {
  /** Null for a command whose expected head moved. */
  readonly outcomes: readonly (Outcome | null)[]
  readonly made: GroupBatch | null
  readonly expected: Head
}

export interface SequencerOptions {
  readonly stackId: StackId
  readonly store: Store
  readonly tools: Tools
  /** Read for every group, because enforcement may change between groups. */
  readonly setting: () => DeskSetting
  /** Called with the stack's state after each gathering. */
  readonly observed?: (stack: StackState) => void
  /** Checks the ledger before a batch continues it; an error prevents the commit. */
  readonly continuing?: (gathered: {
    readonly stack: StackState
    readonly head: Head
  }) => Promise<void>
  readonly committing?: (batch: Batch) => void
  /** Called with a first batch that certainly failed. */
  readonly unfounded?: (batch: Batch) => void
  /** Called after every commit, before the writers get their results. */
  readonly onCommit?: (batch: Batch) => void
  readonly groupDraftsMax?: number
  /** Finds similar memories of the draft's actor, before the gate decides. */
  readonly recogniser?: {
    likesOf(candidate: Candidate): Promise<readonly Likeness[]>
    /** Called after the commit, or with null after no commit. */
    decided(batch: Batch | null): Promise<void>
  }
}

/**
 * One order per stack. Waiting writers commit together: gather once, decide in order of arrival,
 * commit once.
 */
export class Sequencer {
  readonly #options: SequencerOptions
  readonly #groupMax: number
  #queue: Waiting[] = []
  #working: Promise<void> | null = null
  /** Rows that the ledger holds seldom; gathered only after the first sign of them. */
  #known = { tombstones: false, sessions: false }
  /** The last known head; a different head in the store means a foreign writer. */
  #head: Head | null = null
  #foreignMoves = 0
  /** Attempted first batches, while the first committed batch is not known. */
  #begun: readonly Batch[] = []

  constructor(options: SequencerOptions) {
    this.#options = options
    this.#groupMax = options.groupDraftsMax ?? LIMITS.groupDraftsMax
  }

  get foreignMoves(): number {
    return this.#foreignMoves
  }

  /** Reads the head first, because writes before the first read do not count. */
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
    const proposal = this.#stamp(command)
    if (proposal instanceof MunimentError) {
      return Promise.resolve(failed(proposal))
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ proposal, expectedMoves, resolve, reject })
      this.#working ??= this.#work()
    })
  }

  async idle(): Promise<void> {
    while (this.#working) await this.#working
  }

  /** A command that cannot be stamped gets its own error, before the group gathers. */
  #stamp(command: Command): Proposal | MunimentError {
    const { tools } = this.#options
    if (command.type !== 'write') return command
    try {
      const candidates = command.drafts.map((arrived) => stamp(arrived, tools))
      return { type: 'write', candidates }
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
    for (const { proposal } of this.#queue) {
      drafts += proposal.type === 'write' ? proposal.candidates.length : 1
      if (count > 0 && (drafts > this.#groupMax || isAlone(proposal))) break
      count += 1
      if (isAlone(proposal)) break
    }
    return this.#queue.splice(0, count)
  }

  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const recognised = await this.#recognised(group.map(({ proposal }) => proposal))
      const submitted = group.map(({ proposal, expectedMoves }, index) => {
        return { proposal: recognised[index] ?? proposal, expectedMoves }
      })
      const { outcomes, made } = await this.#decideAndCommit(submitted)
      await this.#options.recogniser?.decided(made?.batch ?? null)
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

  async #recognised(proposals: readonly Proposal[]): Promise<readonly Proposal[]> {
    const { recogniser } = this.#options
    if (!recogniser) return proposals
    const known: Proposal[] = []
    for (const proposal of proposals) {
      if (proposal.type !== 'write') {
        known.push(proposal)
        continue
      }
      const candidates: Candidate[] = []
      for (const candidate of proposal.candidates)
        candidates.push({ ...candidate, likes: await recogniser.likesOf(candidate) })
      known.push({ type: 'write', candidates })
    }
    return known
  }

  /** One optimistic try; after losing the race, the lock is taken before gathering. */
  async #decideAndCommit(submitted: readonly Submitted[]): Promise<Decided> {
    const { stackId, store } = this.#options
    const first = await this.#decide(store, submitted)
    if (first.made === null) return first
    const { expected } = first
    const { batch } = first.made
    const isCommitted = await this.#unlessThere(batch, async () => {
      const { committed } = await store.commit(stackId, batch, expected)
      return committed
    })
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
      this.#begins(batch.stack)
      this.#options.onCommit?.(batch)
    }
    return decided
  }

  async #decide(store: Reader, submitted: readonly Submitted[]): Promise<Decided> {
    const gathered = await this.#gather(
      store,
      submitted.map(({ proposal }) => proposal),
    )
    const { head } = gathered.context.tip
    this.#meet(head)
    const isInTime = ({ expectedMoves }: Submitted): boolean =>
      expectedMoves === null || expectedMoves === this.#foreignMoves
    const proposals = submitted.filter(isInTime).map(({ proposal }) => proposal)
    const decided = decideGroup(proposals, gathered, this.#options.setting())
    const { batch } = decided
    if (batch !== null) await this.#options.continuing?.({ stack: gathered.context.stack, head })
    if (batch !== null) this.#options.committing?.(batch)
    if (batch !== null && head.seq < 0) this.#begun = [...this.#begun, batch]
    let next = 0
    const outcomes = submitted.map((one) => {
      if (!isInTime(one)) return null
      const outcome = decided.outcomes[next]
      assert(outcome !== undefined, 'every proposal has an outcome')
      next += 1
      return outcome
    })
    const made = batch && { batch, policy: gathered.context.policy }
    return { outcomes, made, expected: head }
  }

  #meet(head: Head): void {
    // A first look cannot tell whether the head moved, so the look counts as a move.
    if (this.#head === null || !isSameHead(this.#head, head)) this.#foreignMoves += 1
    this.#head = head
  }

  /** A fault may strike after the commit: a batch found in the ledger counts as committed. */
  async #unlessThere(
    batch: Batch | (() => Batch | null),
    commit: () => Promise<boolean>,
  ): Promise<boolean> {
    try {
      return await commit()
    } catch (cause) {
      const attempted = typeof batch === 'function' ? batch() : batch
      if (attempted !== null && (await this.#isThere(attempted))) return true
      if (attempted !== null && this.#begun.length > 0) await this.#lookAgain(attempted, cause)
      throw cause
    }
  }

  /**
   * Finds out whether an attempted first batch exists: certain for a read-only store and under the
   * lock. In doubt, unused keys stay, because a stack must never lose its keys.
   */
  async #lookAgain(attempted: Batch, cause: unknown): Promise<void> {
    if (cause instanceof MunimentError && cause.code === 'store_read_only') {
      this.#begins({ uid: null }, [attempted])
      return
    }
    const { stackId, store } = this.#options
    try {
      const standing = await store.exclusively(stackId, (held) =>
        held.read(stackId, { type: 'standing' }),
      )
      this.#begins(standing.stack)
    } catch {
      // Still unknown; the next write that finds a ledger decides.
    }
  }

  /** Other attempted first batches failed, because the ledger began with this stack's uid. */
  #begins({ uid }: Pick<StackState, 'uid'>, tried: readonly Batch[] = this.#begun): void {
    this.#begun = this.#begun.filter((batch) => !tried.includes(batch))
    for (const batch of tried) if (batch.stack.uid !== uid) this.#options.unfounded?.(batch)
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

  /** Rows may name further rows: a rewording its original, and the original its counter. */
  async #completed(
    store: Reader,
    proposals: readonly Proposal[],
    gathered: Gathered,
  ): Promise<Gathered> {
    const needs = completeNeeds(gathered.needs, proposals, gathered.context)
    if (needs === gathered.needs) return gathered
    const context = await store.gather(this.#options.stackId, needs)
    return this.#completed(store, proposals, { needs, context })
  }

  async #gather(store: Reader, proposals: readonly Proposal[]): Promise<Gathered> {
    const { stackId } = this.#options
    for (;;) {
      const known = this.#known
      const first = needsOf(proposals, known)
      const found = await store.gather(stackId, first)
      const { needs, context } = await this.#completed(store, proposals, {
        needs: first,
        context: found,
      })
      if (context.stack.uid !== null) this.#begins(context.stack)
      this.#options.observed?.(context.stack)
      const { tombstones, distrusted } = context.stack
      const has = {
        tombstones: known.tombstones || tombstones > 0,
        sessions: known.sessions || distrusted.some(({ origin }) => origin === 'session'),
      }
      this.#known = has
      if (known.tombstones === has.tombstones && known.sessions === has.sessions) {
        return { needs, context }
      }
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
  (proposal.type === 'change' && REACHES_FAR.has(proposal.change.type)) ||
  (proposal.type === 'write' && proposal.candidates.some(({ draft }) => draft.revises !== null))
