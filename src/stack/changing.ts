import type { ChangeResult } from '../domain/change.ts'
import { MunimentError, type VersionConflictError } from '../domain/errors.ts'
import { parseMemoryId, parseRef, type Ref, toRef } from '../domain/ids.ts'
import { isRecordKind, type RecordKind } from '../domain/kind-names.ts'
import { tags as tagList } from '../domain/kinds/fields.ts'
import type { BodyInputOf } from '../domain/kinds/table.ts'
import { LIMITS } from '../domain/limits.ts'
import { type Accepted, isAccepted } from '../domain/outcome.ts'
import { type NumberChange, numberHistory } from './confidence-history.ts'
import { ProvedStack } from './proved.ts'
import { refusalError } from './refusal.ts'
import { type Revision, revise } from './revising.ts'
import { type ActOptions, speakerOf } from './speaker.ts'
import { type SupersedeOptions, supersede } from './superseding.ts'

/** Words given for a change are sealed with it, and bounded like any text. */
export interface ChangeOptions extends ActOptions {
  readonly reason?: string
}

type Meta = { readonly confidence?: number; readonly tags?: readonly string[] }

/** What may befall a memory after its birth. Every method here is one entry of the ledger. */
export class ChangingStack extends ProvedStack {
  /** Strengthens on access; reading alone never does. */
  async recordAccess(kind: string, id: string, options?: ActOptions): Promise<boolean> {
    return this.#did(refOf(kind, id), { type: 'access' }, 'record_access', options)
  }

  /** Lowers confidence, or raises it on a person's word; replaces tags. */
  async updateMemoryMeta(
    kind: string,
    id: string,
    { confidence, tags, ...options }: Meta & ChangeOptions = {},
  ): Promise<boolean> {
    if (confidence === undefined && tags === undefined) return false
    const change = {
      type: 'describe',
      confidence: confidence === undefined ? null : share('confidence', confidence),
      tags: tags === undefined ? null : tagsOf(tags),
    } as const
    return this.#did(refOf(kind, id), change, 'update_memory_meta', options)
  }

  /** Strength to zero; reversible. A protected memory refuses. */
  async forgetMemory(
    kind: string,
    id: string,
    reason: string,
    options: ActOptions = {},
  ): Promise<boolean> {
    return this.#did(refOf(kind, id), { type: 'forget' }, 'forget_memory', { ...options, reason })
  }

  async recoverMemory(kind: string, id: string, options?: ChangeOptions): Promise<boolean> {
    return this.#did(refOf(kind, id), { type: 'recover' }, 'recover_memory', options)
  }

  async protectMemory(
    kind: string,
    id: string,
    on = true,
    options?: ChangeOptions,
  ): Promise<boolean> {
    if (typeof on !== 'boolean') throw new MunimentError('invalid_input', 'protected is yes or no.')
    return this.#did(refOf(kind, id), { type: 'protect', on }, 'protect_memory', options)
  }

  /** Takes strength away; what was made from it is flagged when it falls below the dormant mark. */
  async weaken(ref: string, amount: number, options?: ChangeOptions): Promise<ChangeResult> {
    const change = { type: 'weaken', amount: share('amount', amount) } as const
    return this.change(ref, change, 'weaken', options)
  }

  /** Independent first-hand evidence raises confidence; anything else is written down as said. */
  async verifyMemory(
    ref: string,
    { evidence = [], ...options }: ChangeOptions & { readonly evidence?: readonly string[] } = {},
  ): Promise<ChangeResult> {
    return this.change(ref, { type: 'verify', evidence: refsOf(evidence) }, 'verify', options)
  }

  /** The same rule with diminishing returns. */
  async reinforce(
    ref: string,
    { evidence = [], ...options }: ChangeOptions & { readonly evidence?: readonly string[] } = {},
  ): Promise<ChangeResult> {
    const change = { type: 'reinforce', evidence: refsOf(evidence) } as const
    return this.change(ref, change, 'reinforce', options)
  }

  /** A new belief in the place of an old one, which keeps its evidence and is deactivated. */
  async supersede(
    ref: string,
    statement: string,
    options: SupersedeOptions = {},
  ): Promise<Accepted> {
    const result = await supersede(this.uses, parseRef(ref), { statement, options })
    if (!isAccepted(result)) throw refusalError(result)
    return result
  }

  /** True when done, false when it is gone, an error when the version is another. */
  async updateDriveAtomic(
    drive: Revision<'drive'>,
    expectedVersion: number | null = null,
    options: ActOptions = {},
  ): Promise<boolean> {
    return this.#revised('drive', drive, { expectedVersion, options })
  }

  async updateRelationshipAtomic(
    relationship: Revision<'relationship'>,
    expectedVersion: number | null = null,
    options: ActOptions = {},
  ): Promise<boolean> {
    return this.#revised('relationship', relationship, { expectedVersion, options })
  }

  async #revised<K extends RecordKind>(
    kind: K,
    record: Revision<K>,
    how: { readonly expectedVersion: number | null; readonly options: ActOptions },
  ): Promise<boolean> {
    const result = await revise(this.uses, kind, record, how)
    if (result === null) return false
    if (!isAccepted(result)) throw refusalError(result)
    return true
  }

  /** Every change of strength, oldest first. */
  async strengthHistory(ref: string): Promise<readonly NumberChange[]> {
    return numberHistory(this.uses, parseRef(ref), 'strength')
  }

  /** A change with its answer: whether it happened, and if not, why. */
  async change(
    ref: string,
    change: ChangeRequestOf,
    operation: string,
    options: ChangeOptions = {},
  ): Promise<ChangeResult> {
    const { reason, ...who } = options
    const text = reason === undefined || reason === '' ? null : textOf(reason)
    const speaker = speakerOf(this.stackId, operation, who)
    return this.uses.change({ ref: parseRef(ref), change, text, ...speaker })
  }

  async #did(
    ref: Ref,
    change: ChangeRequestOf,
    operation: string,
    options?: ChangeOptions,
  ): Promise<boolean> {
    const { changed } = await this.change(ref, change, operation, options)
    return changed
  }
}

type ChangeRequestOf = Parameters<ChangingStack['uses']['change']>[0]['change']

export type { BodyInputOf, VersionConflictError }

export function refOf(kind: string, id: string): Ref {
  if (!isRecordKind(kind)) throw new MunimentError('invalid_input', 'There is no such kind.')
  return toRef(kind, parseMemoryId(id))
}

const refsOf = (refs: readonly string[]): readonly Ref[] => {
  if (!Array.isArray(refs)) throw new MunimentError('invalid_input', 'evidence is a list of refs.')
  if (refs.length > LIMITS.parentsMax) {
    throw new MunimentError('limit_exceeded', `At most ${LIMITS.parentsMax} are taken.`)
  }
  return [...new Set(refs.map((ref) => parseRef(ref)))]
}

function share(name: string, value: number): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  throw new MunimentError('invalid_input', `${name} is a number from 0 to 1.`)
}

function tagsOf(tags: readonly string[]): readonly string[] {
  const parsed = tagList.safeParse(tags)
  if (parsed.success && parsed.data.every((tag) => tag.isWellFormed())) return parsed.data
  throw new MunimentError('invalid_input', 'tags are short texts, and not too many.')
}

function textOf(text: string): string {
  if (typeof text !== 'string' || !text.isWellFormed()) {
    throw new MunimentError('invalid_input', 'A reason is text.')
  }
  if (text.length <= LIMITS.shortTextCharsMax) return text
  throw new MunimentError(
    'limit_exceeded',
    `A reason has at most ${LIMITS.shortTextCharsMax} characters (shortTextCharsMax).`,
  )
}
