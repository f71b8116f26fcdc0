import type { Caller } from '../domain/doors.ts'
import type { Hash, MemoryId, RecordKind } from '../domain/ids.ts'
import type { BodyInputOf } from '../domain/kinds/table.ts'
import type { Policy } from '../domain/policy.ts'
import type { LifecycleState } from '../domain/vocabulary.ts'
import type { PolicyResult, StateResult } from '../domain/write.ts'
import type { EngineCore } from './core.ts'
import { libCaller } from './write/arguments.ts'
import type { IdempotentAnswer, IdempotentCall } from './write/idempotency.ts'

/** Settings of a stack that the ledger records: lifecycle state and policy. */
export class Control {
  readonly #core: EngineCore

  constructor(core: EngineCore) {
    this.#core = core
  }

  /**
   * The lifecycle state that the ledger holds now, whichever process set it.
   * @example const state = await stack.control.getState()
   */
  async getState(): Promise<LifecycleState> {
    return (await this.#core.read({ type: 'standing' })).stack.state
  }

  /**
   * Puts the stack into maintenance, and back.
   * @example
   * await stack.control.setState('MAINTENANCE')
   * await stack.control.setState('ACTIVE')
   */
  async setState(
    to: LifecycleState,
    caller: Caller = libCaller('set_state'),
  ): Promise<StateResult> {
    return this.#core.setState(to, null, caller)
  }

  /**
   * Ends INITIALIZING for good; a stack in any other state, such as maintenance, stays unchanged.
   * @example await stack.control.activate()
   */
  async activate(caller: Caller = libCaller('activate')): Promise<StateResult> {
    return this.#core.setState('ACTIVE', 'INITIALIZING', caller)
  }

  /**
   * Puts a policy in force, by an entry of the ledger.
   * @example
   * const { policy } = await stack.control.getPolicy()
   * await stack.control.setPolicy(policy)
   */
  async setPolicy(policy: Policy, caller: Caller = libCaller('set_policy')): Promise<PolicyResult> {
    return this.#core.setPolicy(policy, caller)
  }

  /**
   * The policy in force; the genesis policy before the first entry.
   * @example const { policy, policyHash } = await stack.control.getPolicy()
   */
  async getPolicy(): Promise<{ readonly policy: Policy; readonly policyHash: Hash }> {
    return this.#core.getPolicy()
  }

  /**
   * The hashes that the low-level `save*` methods need; the engine computes the hashes again.
   * @example
   * const { contentHash } = await stack.control.certify('note', { content: 'We deploy on Tuesdays' })
   */
  async certify<K extends RecordKind>(
    kind: K,
    body: BodyInputOf<K>,
  ): Promise<{ readonly contentHash: Hash; readonly policyHash: Hash }> {
    return this.#core.certify(kind, body)
  }

  /**
   * Runs work once under an idempotency key, and returns the stored answer for a day, in any
   * process. A memory that the work makes takes the given id, so a repeat makes no second memory.
   * @example
   * const asked = { key: 'order-7', request: 'a note' }
   * const { answer } = await stack.control.once(asked, async (id) => `note:${id}`)
   */
  async once(
    asked: IdempotentCall,
    work: (id: MemoryId) => Promise<string>,
  ): Promise<IdempotentAnswer> {
    return this.#core.serving.once.run(asked, work)
  }
}
