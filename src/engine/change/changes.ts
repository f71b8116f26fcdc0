import type { ChangeResult } from '../../domain/change.ts'
import { parseRef } from '../../domain/ids.ts'
import { type Accepted, isAccepted } from '../../domain/write.ts'
import type { Engine } from '../engine.ts'
import { given, shareOf } from '../write/arguments.ts'
import { refusalError } from '../write/refusal.ts'
import { speakerOf } from '../write/speaker.ts'
import type { ChangeRequest } from '../write/write-request.ts'
import { type ChangeOptions, type EvidenceOptions, evidenceOf } from './change-arguments.ts'
import { type GoalChange, type UpdateOptions, updateGoal } from './goal-update.ts'
import { type SupersedeOptions, supersede } from './supersede.ts'

/** Changes of a memory after its birth. Every change is one entry of the ledger. */
export class Changes {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Requests a change; a refusal is a value with its reason. */
  async change(
    ref: string,
    change: ChangeRequest['change'],
    operation: string,
    options?: ChangeOptions | null,
  ): Promise<ChangeResult> {
    const { reason = null, ...who } = given(options)
    const speaker = speakerOf(this.#engine.stackId, operation, who)
    return this.#engine.change({ ref: parseRef(ref), change, text: reason, ...speaker })
  }

  /** Lowers strength; children are flagged when the memory falls below the dormant mark. */
  async weaken(ref: string, amount: number, options?: ChangeOptions | null): Promise<ChangeResult> {
    const change = { type: 'weaken', amount: shareOf('amount', amount) } as const
    return this.change(ref, change, 'weaken', options)
  }

  /** Removes the link that groups a memory with another as a likely rewording. */
  async unlink(ref: string, options?: ChangeOptions | null): Promise<ChangeResult> {
    return this.change(ref, { type: 'overrule' }, 'unlink', options)
  }

  /** Independent first-hand evidence raises confidence; other evidence is recorded only. */
  async verify(ref: string, options?: EvidenceOptions | null): Promise<ChangeResult> {
    const { evidence = [], ...rest } = given(options)
    return this.change(ref, { type: 'verify', evidence: evidenceOf(evidence) }, 'verify', rest)
  }

  /** Raises confidence by the rule of verify, with diminishing returns. */
  async reinforce(ref: string, options?: EvidenceOptions | null): Promise<ChangeResult> {
    const { evidence = [], ...rest } = given(options)
    return this.change(
      ref,
      { type: 'reinforce', evidence: evidenceOf(evidence) },
      'reinforce',
      rest,
    )
  }

  /** Replaces a belief by a new belief, which keeps the evidence; the old belief is deactivated. */
  async supersede(
    ref: string,
    statement: string,
    options?: SupersedeOptions | null,
  ): Promise<Accepted> {
    const how = { statement, options: given(options) }
    const result = await supersede(this.#engine, parseRef(ref), how)
    if (!isAccepted(result)) throw refusalError(result)
    return result
  }

  /**
   * Completes, pauses, drops or reactivates a goal, and changes its other fields. A model that
   * updates the goal of another author proposes the change to a person.
   */
  async updateGoal(
    ref: string,
    change: GoalChange,
    options?: UpdateOptions | null,
  ): Promise<Accepted> {
    return updateGoal(this.#engine, ref, change, given(options))
  }
}
