import { MunimentError } from '../../domain/errors.ts'
import {
  isRecordKind,
  parseMemoryId,
  parseRef,
  type RecordKind,
  type Ref,
  toRef,
  tryParseRef,
} from '../../domain/ids.ts'
import { BELIEF_TYPES } from '../../domain/kinds/belief.ts'
import { GOAL_STATUSES } from '../../domain/kinds/goal.ts'
import { NOTE_TYPES } from '../../domain/kinds/note.ts'
import type { Engine } from '../engine.ts'
import { trustOf, viewsOf } from '../history/histories.ts'
import type { ExplainOptions } from '../history/why.ts'
import { flagOf, given, limitOf, nameOf, oneOf, shareOf, textOf } from '../write/arguments.ts'
import { memoryAsOf, momentAsOf } from './as-of.ts'
import { type FindOptions, find, findAll, type ListOptions } from './list.ts'
import type { Memory } from './memory-view.ts'
import type { ReadBy } from './served.ts'
import { gated, type UseOptions, unwithheld } from './use-gate.ts'

type Strength = Pick<FindOptions, 'includeWeak' | 'includeForgotten' | 'includeSetAside'>
export type Listed<K extends Memory['kind']> = Promise<readonly Memory<K>[]>

export type ReadOptions = ListOptions & Strength & Pick<FindOptions, 'context'>
export type TaggedOptions = ReadOptions & Pick<FindOptions, 'tags'>
export type RawOptions = ListOptions & Pick<FindOptions, 'tags' | 'status'>
export type NoteOptions = TaggedOptions & { readonly noteType?: string }
export type GoalOptions = ReadOptions & Pick<FindOptions, 'status'>
export type BeliefOptions = TaggedOptions &
  Pick<FindOptions, 'minConfidence'> & { readonly beliefType?: string }

export interface DrivesOptions extends UseOptions, ReadBy {
  readonly includeExpired?: boolean
}

export interface RelationshipsOptions extends UseOptions, ReadBy, Pick<FindOptions, 'limit'> {
  readonly entityId?: string
  readonly entityType?: string
  readonly minTrust?: number
}

/** The result of a list, with a receipt for each memory where the reader named a session. */
async function listed<K extends RecordKind>(
  engine: Engine,
  operation: string,
  reader: ReadBy | null | undefined,
  memories: readonly Memory<K>[],
): Listed<K> {
  await engine.serving.serve(operation, reader, unwithheld(memories))
  return memories
}

/** One memory with provenance and numbers, today or as of a past moment. */
export async function readMemory<K extends RecordKind>(
  engine: Engine,
  kind: K,
  id: string,
  options: ExplainOptions = {},
): Promise<Memory<K> | null> {
  assertKind(kind)
  const { asOf } = options
  const ref = toRef(kind, parseMemoryId(id))
  const past = asOf === undefined ? null : await momentAsOf(engine, asOf)
  const stored = past
    ? await memoryAsOf(engine, ref, past)
    : await engine.read({ type: 'memory', ref })
  if (!stored) return null
  const [memory] = await viewsOf<K>(engine, [stored], past ?? (await engine.moment()))
  if (!memory) return null
  const shown = gated(memory, (await engine.moment()).policy, options)
  await engine.serving.serve('get_memory', options, unwithheld([shown]))
  return shown
}

/** Every memory of a kind, set aside or not unless narrowed, newest first. */
export async function readAll<K extends RecordKind>(
  engine: Engine,
  kind: K,
  options: FindOptions = {},
): Listed<K> {
  assertKind(kind)
  const all = { includeForgotten: true, includeSetAside: true }
  return listed(engine, 'list', options, await find(engine, kind, { ...all, ...options }))
}

/** Memories of a kind above the strength limit, unless the options say otherwise; newest first. */
export const readKind = async <K extends RecordKind>(
  engine: Engine,
  kind: K,
  options?: FindOptions | null,
): Listed<K> => listed(engine, 'get', options, await find(engine, kind, options))

/** Raw captures are never hidden, whatever their strength. */
export const readRaw = (engine: Engine, options?: RawOptions | null): Listed<'raw'> =>
  readKind(engine, 'raw', { ...given(options), includeForgotten: true })

export async function readNotes(engine: Engine, options?: NoteOptions | null): Listed<'note'> {
  const { noteType, ...asked } = given(options)
  const subtype = knownOf('noteType', noteType, NOTE_TYPES)
  return readKind(engine, 'note', { ...asked, ...(subtype && { subtype }) })
}

export async function readBeliefs(
  engine: Engine,
  options?: BeliefOptions | null,
): Listed<'belief'> {
  const { beliefType, ...asked } = given(options)
  const subtype = knownOf('beliefType', beliefType, BELIEF_TYPES)
  return readKind(engine, 'belief', { ...asked, ...(subtype && { subtype }) })
}

export async function readGoals(engine: Engine, options?: GoalOptions | null): Listed<'goal'> {
  const asked = given(options)
  knownOf('status', asked.status, GOAL_STATUSES)
  return readKind(engine, 'goal', asked)
}

/** Includes expired drives, at strength 0.2 or below, only on request. */
export async function readDrives(engine: Engine, options?: DrivesOptions | null): Listed<'drive'> {
  const { includeExpired, ...tiers } = given(options)
  const isEveryWanted = flagOf('includeExpired', includeExpired, false)
  const { policy } = await engine.moment()
  const all = await findAll(engine, 'drive', { includeForgotten: true, ...tiers })
  const dormantBelow = policy.numbers.strengthDormantBelow
  const wanted = all.filter(({ strength }) => isEveryWanted || strength > dormantBelow)
  return listed(engine, 'get', options, wanted)
}

/** `minTrust` is the relationship's own trust, from 0 to 1; `minTier` is the provenance's. */
export async function readRelationships(
  engine: Engine,
  options?: RelationshipsOptions | null,
): Listed<'relationship'> {
  const { entityId, entityType, minTrust, limit, ...tiers } = given(options)
  if (entityId !== undefined) textOf('entityId', entityId)
  const trustMin = minTrust === undefined ? 0 : shareOf('minTrust', minTrust)
  const most = limitOf(limit, Infinity)
  const all = await findAll(engine, 'relationship', {
    includeForgotten: true,
    ...(entityType === undefined ? {} : { subtype: textOf('entityType', entityType) }),
    ...tiers,
  })
  const isMeant = ({ body }: Memory<'relationship'>): boolean =>
    (entityId === undefined || body.entityId === entityId) && trustOf(body) >= trustMin
  return listed(engine, 'get', options, all.filter(isMeant).slice(0, most))
}

/**
 * The newest drive of a type or relationship with a being, whatever the strength. Memories that
 * were set aside are not found.
 */
export async function readNamed<K extends 'drive' | 'relationship'>(
  engine: Engine,
  kind: K,
  named: { readonly field: string; readonly value: string },
  options: (UseOptions & ReadBy) | null | undefined,
): Promise<Memory<K> | null> {
  const name = nameOf(named.field, named.value)
  const [first] = await find(engine, kind, { name, limit: 1, includeForgotten: true })
  const { policy } = await engine.moment()
  if (!first) return null
  const shown = gated(first, policy, given(options))
  await listed(engine, 'get', options, [shown])
  return shown
}

/** An unknown filter value is an error, because no memory could match. */
const knownOf = (
  field: string,
  value: string | undefined,
  known: readonly string[],
): string | undefined => (value === undefined ? undefined : oneOf(field, value, known))

function assertKind(kind: unknown): void {
  if (!isRecordKind(kind)) throw new MunimentError('invalid_input', 'There is no such kind.')
}

const REF_PART = /^[0-9a-f-]{4,36}$/

/**
 * The ref for `kind:part` or `part`, where the part starts or ends exactly one id, in full or as
 * lists show ids.
 */
export async function resolveRef({ read }: Pick<Engine, 'read'>, text: string): Promise<Ref> {
  if (tryParseRef(text) || typeof text !== 'string') return parseRef(text)
  const colon = text.indexOf(':')
  const kind = colon < 0 ? null : text.slice(0, colon)
  const part = text.slice(colon + 1).toLowerCase()
  if ((kind !== null && !isRecordKind(kind)) || !REF_PART.test(part)) {
    throw new MunimentError(
      'invalid_ref',
      'That is no memory: give kind:id, or what a list shows of the id: at least four of its characters, which are 0-9 and a-f.',
    )
  }
  const [only, other] = await read({
    type: 'memories',
    as: 'ref',
    where: { idPart: part, ...(kind === null ? {} : { kind: kind }) },
    order: 'oldest',
    limit: 2,
  })
  if (only === undefined) {
    throw new MunimentError('not_found', `Nothing is called ${text}.`, {
      hint: 'Give what a list shows of it, or four characters or more from the start or end of that.',
      facts: { named: text },
    })
  }
  if (other === undefined) return only
  throw new MunimentError('invalid_ref', `${text} could be several memories.`, {
    hint: 'Give more of the id.',
  })
}
