import type { ChangeResult } from '../../domain/change.ts'
import { LimitError } from '../../domain/errors.ts'
import { parseMemoryId, parseRef, type Ref, toRef } from '../../domain/ids.ts'
import { isRecordKind, type RecordKind } from '../../domain/kind-names.ts'
import { tags as tagList } from '../../domain/kinds/fields.ts'
import { LIMITS } from '../../domain/limits.ts'
import { type Accepted, isAccepted } from '../../domain/outcome.ts'
import { tierNow } from '../../fold/effective.ts'
import { noteContradictions } from '../claims/contradiction-notes.ts'
import type { Contradicting } from '../claims/contradictions.ts'
import { DoubtingStack } from '../distrust/distrusting-stack.ts'
import type { ChangeRequest } from '../engine.ts'
import { type NumberChange, numberHistory } from '../history/confidence-history.ts'
import type { ReadBy } from '../read/served.ts'
import { tierMinOf, wordsFor } from '../read/use-gate.ts'
import { flagOf, given, readable, shareOf, wrong } from '../write/arguments.ts'
import { refusalError } from '../write/refusal.ts'
import { type ActOptions, type AuthorOptions, speakerOf } from '../write/speaker.ts'
import { type GoalChange, type UpdateOptions, updateGoal } from './goal-update.ts'
import { type Revision, revise } from './revision.ts'
import { type SupersedeOptions, supersede } from './supersede.ts'

/** Words given for a change are sealed with it, and bounded like any text. */
export interface ChangeOptions extends ActOptions {
  readonly reason?: string
}

export interface MetaOptions extends ChangeOptions {
  readonly confidence?: number
  readonly tags?: readonly string[]
}

export interface EvidenceOptions extends ChangeOptions {
  readonly evidence?: readonly string[]
}

/** What may befall a memory after its birth. Every method here is one entry of the ledger. */
export class ChangingStack extends DoubtingStack {
  /** Strengthens on access; reading alone never does. */
  async recordAccess(kind: string, id: string, options?: ActOptions | null): Promise<boolean> {
    return this.#did(refOf(kind, id), { type: 'access' }, 'record_access', options)
  }

  /** Lowers confidence, or raises it on a person's word; replaces tags. */
  async updateMemoryMeta(kind: string, id: string, options?: MetaOptions | null): Promise<boolean> {
    const ref = refOf(kind, id)
    const { confidence, tags, ...rest } = given(options)
    if (confidence === undefined && tags === undefined) return false
    const change = {
      type: 'describe',
      confidence: confidence === undefined ? null : shareOf('confidence', confidence),
      tags: tags === undefined ? null : tagsOf(tags),
    } as const
    return this.#did(ref, change, 'update_memory_meta', rest)
  }

  /** Strength to zero; reversible. A protected memory refuses. */
  async forgetMemory(
    kind: string,
    id: string,
    reason: string,
    options?: ActOptions | null,
  ): Promise<boolean> {
    const how = { ...given(options), reason }
    return this.#did(refOf(kind, id), { type: 'forget' }, 'forget_memory', how)
  }

  async recoverMemory(kind: string, id: string, options?: ChangeOptions | null): Promise<boolean> {
    return this.#did(refOf(kind, id), { type: 'recover' }, 'recover_memory', options)
  }

  async protectMemory(
    kind: string,
    id: string,
    on = true,
    options?: ChangeOptions | null,
  ): Promise<boolean> {
    const change = { type: 'protect', on: flagOf('protected', on, true) } as const
    return this.#did(refOf(kind, id), change, 'protect_memory', options)
  }

  /** Takes strength away; what was made from it is flagged when it falls below the dormant mark. */
  async weaken(ref: string, amount: number, options?: ChangeOptions | null): Promise<ChangeResult> {
    const change = { type: 'weaken', amount: shareOf('amount', amount) } as const
    return this.change(ref, change, 'weaken', options)
  }

  /** Removes the link by which a memory is grouped with another as a likely rewording. */
  async unlink(ref: string, options?: ChangeOptions | null): Promise<ChangeResult> {
    return this.change(ref, { type: 'overrule' }, 'unlink', options)
  }

  /** Independent first-hand evidence raises confidence; anything else is written down as said. */
  async verifyMemory(ref: string, options?: EvidenceOptions | null): Promise<ChangeResult> {
    const { evidence = [], ...rest } = given(options)
    return this.change(ref, { type: 'verify', evidence: refsOf(evidence) }, 'verify', rest)
  }

  /** The same rule with diminishing returns. */
  async reinforce(ref: string, options?: EvidenceOptions | null): Promise<ChangeResult> {
    const { evidence = [], ...rest } = given(options)
    return this.change(ref, { type: 'reinforce', evidence: refsOf(evidence) }, 'reinforce', rest)
  }

  /** A new belief in the place of an old one, which keeps its evidence and is deactivated. */
  async supersede(
    ref: string,
    statement: string,
    options?: SupersedeOptions | null,
  ): Promise<Accepted> {
    const how = { statement, options: given(options) }
    const result = await supersede(this.uses, parseRef(ref), how)
    if (!isAccepted(result)) throw refusalError(result)
    return result
  }

  /**
   * Looks for what a belief or note cannot be true beside. Each pair goes to the review queue once, at
   * the newer of the two; both stand until a person decides.
   */
  async noteContradictions(ref: string): Promise<readonly Contradicting[]> {
    return noteContradictions(this.uses, parseRef(ref))
  }

  /** True when done, false when it is gone, an error when the version is another. */
  async updateDriveAtomic(
    drive: Revision<'drive'>,
    expectedVersion: number | null = null,
    options?: AuthorOptions | null,
  ): Promise<boolean> {
    return this.#revised('drive', drive, { expectedVersion, options })
  }

  /**
   * Completes, pauses, drops or takes up a goal again, and changes its other fields. A model that
   * updates the goal of another author proposes the change to a person.
   */
  async updateGoal(
    ref: string,
    change: GoalChange,
    options?: UpdateOptions | null,
  ): Promise<Accepted> {
    return updateGoal(this.uses, ref, change, given(options))
  }

  async updateRelationshipAtomic(
    relationship: Revision<'relationship'>,
    expectedVersion: number | null = null,
    options?: AuthorOptions | null,
  ): Promise<boolean> {
    return this.#revised('relationship', relationship, { expectedVersion, options })
  }

  async #revised<K extends RecordKind>(
    kind: K,
    record: Revision<K>,
    how: {
      readonly expectedVersion: number | null
      readonly options: AuthorOptions | null | undefined
    },
  ): Promise<boolean> {
    const options = given(how.options)
    const result = await revise(this.uses, kind, record, { ...how, options })
    if (result === null) return false
    if (!isAccepted(result)) throw refusalError(result)
    return true
  }

  /** Every change of strength, oldest first. */
  async strengthHistory(ref: string, reader?: ReadBy | null): Promise<readonly NumberChange[]> {
    const of = parseRef(ref)
    const told = await numberHistory(this.uses, of, 'strength')
    return this.#readable(of, told, reader)
  }

  async #readable(
    ref: Ref,
    told: readonly NumberChange[],
    reader: ReadBy | null | undefined,
  ): Promise<readonly NumberChange[]> {
    const { caller } = given(reader)
    const stored = caller?.use === undefined ? null : await this.uses.read({ type: 'memory', ref })
    if (caller === undefined || stored === null) return told
    const { policy } = await this.uses.moment()
    return wordsFor(told, { tier: tierNow(stored.state) }, tierMinOf(policy, { caller }, 0))
  }

  /** A change with its answer: whether it happened, and if not, why. */
  async change(
    ref: string,
    change: ChangeRequest['change'],
    operation: string,
    options?: ChangeOptions | null,
  ): Promise<ChangeResult> {
    const { reason = null, ...who } = given(options)
    const speaker = speakerOf(this.stackId, operation, who)
    return this.uses.change({ ref: parseRef(ref), change, text: reason, ...speaker })
  }

  async #did(
    ref: Ref,
    change: ChangeRequest['change'],
    operation: string,
    options?: ChangeOptions | null,
  ): Promise<boolean> {
    const { changed } = await this.change(ref, change, operation, options)
    return changed
  }
}

export function refOf(kind: string, id: string): Ref {
  if (!isRecordKind(kind)) throw wrong('memoryType', 'a kind of memory')
  return toRef(kind, parseMemoryId(id))
}

function refsOf(refs: readonly string[]): readonly Ref[] {
  if (!Array.isArray(refs)) throw wrong('evidence', 'a list of refs')
  if (refs.length > LIMITS.parentsMax) {
    throw new LimitError('parentsMax', LIMITS.parentsMax, refs.length)
  }
  return [...new Set(refs.map((ref) => parseRef(ref)))]
}

function tagsOf(tags: readonly string[]): readonly string[] {
  if (Array.isArray(tags) && tags.length > LIMITS.listItemsMax) {
    throw new LimitError('listItemsMax', LIMITS.listItemsMax, tags.length)
  }
  const parsed = readable(() => tagList().safeParse(tags))
  if (parsed.success && parsed.data.every((tag) => tag.isWellFormed())) return parsed.data
  throw wrong('tags', `texts of at most ${LIMITS.tagCharsMax} characters`)
}
