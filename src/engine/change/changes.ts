import type { ChangeResult } from '../../domain/change.ts'
import { isBelieved } from '../../domain/distrust.ts'
import { LimitError } from '../../domain/errors.ts'
import {
  isRecordKind,
  parseMemoryId,
  parseRef,
  type RecordKind,
  type Ref,
  toRef,
} from '../../domain/ids.ts'
import { tags as tagList } from '../../domain/kinds/fields.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type Accepted, isAccepted } from '../../domain/write.ts'
import { salienceAt, strengthAt } from '../../fold/effective.ts'
import type { Engine } from '../engine.ts'
import type { Moment } from '../world.ts'
import {
  type ActOptions,
  type AuthorOptions,
  flagOf,
  given,
  readable,
  shareOf,
  speakerOf,
  wrong,
} from '../write/arguments.ts'
import { refusalError } from '../write/outcomes.ts'
import type { ChangeRequest } from '../write/write-request.ts'
import {
  type GoalChange,
  type Revision,
  revise,
  type SupersedeOptions,
  supersede,
  type UpdateOptions,
  updateGoal,
} from './revision.ts'

/** The reason of a change is sealed with the change and bounded like any text. */
export interface ChangeOptions extends ActOptions {
  readonly reason?: string
}

export interface MetaOptions extends ChangeOptions {
  readonly confidence?: number
  readonly tags?: readonly string[]
}

interface EvidenceOptions extends ChangeOptions {
  readonly evidence?: readonly string[]
}

export function refOf(kind: string, id: string): Ref {
  if (!isRecordKind(kind)) throw wrong('memoryType', 'a kind of memory')
  return toRef(kind, parseMemoryId(id))
}

function evidenceOf(refs: readonly string[]): readonly Ref[] {
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

/** Changes of a memory after its birth. Every change is one entry of the ledger. */
export class Changes {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * Requests a change; a refusal is a value with its reason.
   * @example
   * const { changed, reason } = await stack.changes.change(note, { type: 'protect', on: true }, 'protect')
   */
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

  /**
   * Lowers strength; children are flagged when the memory falls below the dormant mark.
   * @example await stack.changes.weaken(belief, 0.2)
   */
  async weaken(ref: string, amount: number, options?: ChangeOptions | null): Promise<ChangeResult> {
    const change = { type: 'weaken', amount: shareOf('amount', amount) } as const
    return this.change(ref, change, 'weaken', options)
  }

  /**
   * Removes the link that groups a memory with another as a likely rewording.
   * @example const { changed } = await stack.changes.unlink(belief)
   */
  async unlink(ref: string, options?: ChangeOptions | null): Promise<ChangeResult> {
    return this.change(ref, { type: 'overrule' }, 'unlink', options)
  }

  /**
   * Independent first-hand evidence raises confidence; other evidence is recorded only.
   * @example await stack.changes.verify(belief, { evidence: [note] })
   */
  async verify(ref: string, options?: EvidenceOptions | null): Promise<ChangeResult> {
    const { evidence = [], ...rest } = given(options)
    return this.change(ref, { type: 'verify', evidence: evidenceOf(evidence) }, 'verify', rest)
  }

  /**
   * Raises confidence by the rule of verify, with diminishing returns.
   * @example await stack.changes.reinforce(belief, { evidence: [note] })
   */
  async reinforce(ref: string, options?: EvidenceOptions | null): Promise<ChangeResult> {
    const { evidence = [], ...rest } = given(options)
    return this.change(
      ref,
      { type: 'reinforce', evidence: evidenceOf(evidence) },
      'reinforce',
      rest,
    )
  }

  /**
   * Replaces a belief by a new belief, which keeps the evidence; the old belief is deactivated.
   * @example
   * const { ref } = await stack.changes.supersede(belief, 'Migrations go a day before', { observed: true })
   */
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
   * @example await stack.changes.updateGoal(goal, { status: 'completed' })
   */
  async updateGoal(
    ref: string,
    change: GoalChange,
    options?: UpdateOptions | null,
  ): Promise<Accepted> {
    return updateGoal(this.#engine, ref, change, given(options))
  }
}

interface NamedMemory {
  readonly kind: string
  readonly id: string
}

/** Strengthens a memory on access; reading alone never does. */
export async function recordAccess(
  changes: Changes,
  { kind, id }: NamedMemory,
  options?: ActOptions | null,
): Promise<boolean> {
  const of = refOf(kind, id)
  return (await changes.change(of, { type: 'access' }, 'record_access', options)).changed
}

/** Lowers confidence, or raises confidence for a person; replaces tags. */
export async function updateMeta(
  changes: Changes,
  { kind, id }: NamedMemory,
  options?: MetaOptions | null,
): Promise<boolean> {
  const of = refOf(kind, id)
  const { confidence, tags, ...rest } = given(options)
  if (confidence === undefined && tags === undefined) return false
  const change = {
    type: 'describe',
    confidence: confidence === undefined ? null : shareOf('confidence', confidence),
    tags: tags === undefined ? null : tagsOf(tags),
  } as const
  return (await changes.change(of, change, 'update_memory_meta', rest)).changed
}

/** Sets strength to zero; reversible. A protected memory refuses. */
export async function forget(
  changes: Changes,
  { kind, id }: NamedMemory,
  options: ChangeOptions,
): Promise<boolean> {
  const of = refOf(kind, id)
  return (await changes.change(of, { type: 'forget' }, 'forget_memory', options)).changed
}

export async function recover(
  changes: Changes,
  { kind, id }: NamedMemory,
  options?: ChangeOptions | null,
): Promise<boolean> {
  const of = refOf(kind, id)
  return (await changes.change(of, { type: 'recover' }, 'recover_memory', options)).changed
}

export async function protect(
  changes: Changes,
  { kind, id, on }: NamedMemory & { readonly on: boolean },
  options?: ChangeOptions | null,
): Promise<boolean> {
  const of = refOf(kind, id)
  const change = { type: 'protect', on: flagOf('protected', on, true) } as const
  return (await changes.change(of, change, 'protect_memory', options)).changed
}

/** True when revised, false when the memory is gone; another version is an error. */
export async function reviseRecord<K extends RecordKind>(
  engine: Engine,
  kind: K,
  record: Revision<K>,
  how: {
    readonly expectedVersion: number | null
    readonly options: AuthorOptions | null | undefined
  },
): Promise<boolean> {
  const options = given(how.options)
  const result = await revise(engine, kind, record, { ...how, options })
  if (result === null) return false
  if (!isAccepted(result)) throw refusalError(result)
  return true
}

export interface ForgettingOptions extends ActOptions {
  readonly protectIdentity?: boolean
  /** List the memories to forget without forgetting them. */
  readonly dryRun?: boolean
}

export interface Forgetting {
  /** Dormant memories considered by the sweep. */
  readonly swept: number
  readonly forgotten: number
  readonly refs: readonly Ref[]
  /** Dormant memories that stay, because they are protected or part of the identity. */
  readonly kept: number
}

/** Kinds of identity: the sweep spares them by default. */
const IDENTITY: ReadonlySet<RecordKind> = new Set(['value', 'drive', 'self_narrative', 'summary'])
/** Kinds on which other memories rest, and records about memory: a sweep never forgets them. */
const GROUND: ReadonlySet<RecordKind> = new Set([
  'raw',
  'claim',
  'epoch',
  'suggestion',
  'assessment',
  'report',
])
const PAGE = 1_000

/** Forgets dormant memories of low salience. A second run finds nothing to do. */
export async function applyForgetting(
  engine: Engine,
  options?: ForgettingOptions | null,
): Promise<Forgetting> {
  const { protectIdentity: spare, dryRun: rehearse, ...who } = given(options)
  const protectIdentity = flagOf('protectIdentity', spare, true)
  const dryRun = flagOf('dryRun', rehearse, false)
  const moment = await engine.moment()
  const { numbers } = moment.policy
  const speaker = speakerOf(engine.stackId, 'apply_forgetting', who)
  const refs: Ref[] = []
  let swept = 0
  let kept = 0
  for await (const state of dormant(engine, moment)) {
    if (GROUND.has(state.kind)) continue
    if (state.isProtected || (protectIdentity && IDENTITY.has(state.kind))) {
      kept += 1
      continue
    }
    swept += 1
    if (salienceAt(state, moment.policy, moment.now) >= numbers.forgetSalienceBelow) continue
    const change = { type: 'forget' } as const
    const text = 'dormant and hardly missed'
    const goes =
      dryRun || (await engine.change({ ref: state.ref, change, text, ...speaker })).changed
    if (goes) refs.push(state.ref)
  }
  return { swept, forgotten: dryRun ? 0 : refs.length, refs, kept }
}

/** Flags each dormant memory once, so that its children are flagged too. */
export async function noteDormant(engine: Engine): Promise<number> {
  const moment = await engine.moment()
  const speaker = speakerOf(engine.stackId, 'maintenance')
  let noted = 0
  for await (const { ref, flags } of dormant(engine, moment)) {
    if (flags.some(({ code }) => code === 'dormant')) continue
    const { changed } = await engine.change({ ref, change: { type: 'note_dormant' }, ...speaker })
    if (changed) noted += 1
  }
  return noted
}

/** Memories below the dormant mark that are not forgotten yet, oldest first. */
async function* dormant(engine: Engine, { policy, now }: Moment): AsyncGenerator<MemoryState> {
  for (let after = -1; ; ) {
    const page = await engine.read({
      type: 'memories',
      as: 'state',
      order: 'oldest',
      after,
      limit: PAGE,
    })
    for (const state of page) {
      const strength = strengthAt(state, policy, now)
      if (state.strength.value === 0 || strength >= policy.numbers.strengthDormantBelow) continue
      if (isBelieved(state.disposition, policy)) yield state
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.seq
  }
}
