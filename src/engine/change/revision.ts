import { MunimentError } from '../../domain/errors.ts'
import {
  parseMemoryId,
  parseRef,
  type RecordKind,
  type Ref,
  splitRef,
  toRef,
} from '../../domain/ids.ts'
import type { BeliefBody } from '../../domain/kinds/belief.ts'
import { normaliseText } from '../../domain/kinds/content.ts'
import type { GoalInput } from '../../domain/kinds/goal.ts'
import { type JsonValue, sortedJson } from '../../domain/kinds/json-value.ts'
import type { BodyInputOf } from '../../domain/kinds/table.ts'
import { isFirstHand, labelName, label as labels } from '../../domain/labels.ts'
import { type RoutedPayload, sourcesIn } from '../../domain/provenance.ts'
import { type Accepted, isAccepted, type WriteResult } from '../../domain/write.ts'
import { confidenceAt, tierNow } from '../../fold/effective.ts'
import type { Engine } from '../engine.ts'
import { type Memory, openSealed, viewOf } from '../read/memory-view.ts'
import type { ChangeProposal } from '../review/proposals.ts'
import { type ActOptions, type AuthorOptions, authorOf, given, wrong } from '../write/arguments.ts'
import { refusalError } from '../write/outcomes.ts'
import { namesIn, TOLD_ANEW } from '../write/write-request.ts'

/** The next revision of a memory; earlier sources stay, and `derivedFrom` adds to them. */
export type Revision<K extends RecordKind> = BodyInputOf<K> & {
  readonly id: string
  readonly derivedFrom?: readonly string[]
}

interface How {
  readonly expectedVersion: number | null
  /** An accepted proposal or an update never lifts the tier of the memory. */
  readonly keepsTier?: boolean
  readonly orPropose?: boolean
  /** The fields that the caller gave; all fields by default. */
  readonly given?: readonly string[]
  readonly options: AuthorOptions
}

/** Writes a new revision under the same id; null when the memory is gone. */
export async function revise<K extends RecordKind>(
  engine: Engine,
  kind: K,
  record: Revision<K>,
  { expectedVersion, options, keepsTier = false, orPropose = false, given: names }: How,
): Promise<WriteResult | null> {
  const {
    id,
    derivedFrom,
    provenance: _,
    ...body
  } = given(record) as Revision<K> & { provenance?: unknown }
  if (expectedVersion !== null && !(Number.isInteger(expectedVersion) && expectedVersion > 0)) {
    throw wrong('expectedVersion', 'the number of a version')
  }
  const ref = toRef(kind, parseMemoryId(id))
  const stored = await engine.read({ type: 'memory', ref })
  if (!stored?.sealed) return null
  const { provenance, body: before } = openSealed(stored.sealed)
  const { policy, now } = await engine.moment()
  // A revision raises no label: a model's memory stays a model's for every caller.
  const usual = isFirstHand(provenance.label) ? labels.firstHand() : labels.modelDerived()
  const { caller, label, actor } = authorOf(engine.stackId, `update_${kind}`, options, usual)
  const isModel = label.type === 'ModelDerived'
  const isPerson = labelName(label) === 'UserAsserted'
  const payload: RoutedPayload = {
    sourceType: isModel ? 'inference' : provenance.sourceType,
    label,
    sourceId: actor,
    ingestionPath: `${caller.door}:${caller.operation}`,
    // New words are no evidence, so the present confidence stays.
    confidence: confidenceAt(stored.state, policy, now),
    sourceEntity: provenance.sourceEntity,
    llmModel: isModel ? (provenance.llmModel ?? `unknown:${actor}`) : null,
    // The gate keeps the earlier sources; a revision only adds to them.
    derivedFrom: (derivedFrom ?? []) as NonNullable<RoutedPayload['derivedFrom']>, // parsed by the stack
    sourceEpisodes: [...provenance.sourceEpisodes],
    // A change of one field does not restate the rest, so the tier stays; a person confirms all.
    ...(isPerson && !keepsTier ? {} : { trustTier: tierNow(stored.state) }),
  }
  try {
    return await engine.write(
      {
        kind,
        id,
        body: { ...(kind !== TOLD_ANEW && epochIn(before)), ...body } as unknown as BodyInputOf<K>, // parsed by the stack
        provenance: payload,
        revises: { expectedVersion, ...(orPropose ? { orPropose } : {}) },
        ...(names === undefined ? {} : { given: names }),
      },
      caller,
    )
  } catch (cause) {
    if (cause instanceof MunimentError && cause.code === 'not_found') return null
    throw cause
  }
}

/** The epoch of the first revision. */
const epochIn = ({ epochId }: { readonly epochId?: string }) => epochId !== undefined && { epochId }

export interface SupersedeOptions extends AuthorOptions {
  readonly confidence?: number
  /** The reason, saved as a note and cited beside the sources of the old belief. */
  readonly because?: string
  /** Added to the sources of the old belief. */
  readonly derivedFrom?: readonly string[]
  readonly modelId?: string
}

const CONFIDENCE = 0.8 // default of the new belief

/** Derives the new belief from the old belief and its sources. */
export async function supersede(
  engine: Engine,
  old: Ref,
  { statement, options }: { readonly statement: string; readonly options: SupersedeOptions },
): Promise<WriteResult> {
  const stored = await engine.read({ type: 'memory', ref: old })
  if (!stored) throw new MunimentError('not_found', `${old} does not exist in this stack.`)
  const before = viewOf(stored, await engine.moment()) as Memory<'belief'> // kind is checked below
  if (before.kind !== 'belief') {
    throw new MunimentError('invalid_input', 'Only a belief is superseded.', {
      hint: 'Claims are ended or retracted; other kinds are revised.',
    })
  }
  if (normaliseText(String(statement)) === normaliseText(before.text)) {
    throw new MunimentError('invalid_input', 'The new belief says the same as the old one.', {
      hint: 'Verify or reinforce it with evidence; words alone do not make it more likely.',
    })
  }
  const { caller, label, actor } = authorOf(engine.stackId, 'supersede', options)
  const isModel = label.type === 'ModelDerived'
  const { because } = options
  const sources = [old, ...sourcesIn(before.provenance).filter(isNoBelief)]
  const payload: RoutedPayload = {
    sourceType: 'inference',
    label,
    sourceId: actor,
    ingestionPath: `${caller.door}:${caller.operation}`,
    confidence: options.confidence ?? CONFIDENCE,
    llmModel: isModel ? (options.modelId ?? `unknown:${actor}`) : null,
    derivedFrom: [...new Set([...sources, ...((options.derivedFrom ?? []) as readonly Ref[])])],
    sourceEpisodes: [...before.evidence],
  }
  const captures =
    because === undefined
      ? []
      : ([
          { kind: 'raw', body: { content: because } },
          { kind: 'note', body: { content: because } },
        ] as const)
  const { epochId: _, ...kept } = bodyOf(before) // the new belief belongs to the present epoch
  const body = { ...kept, statement }
  const consequence = { type: 'supersedes', ref: old } as const
  return engine.write({ kind: 'belief', body, provenance: payload, captures, consequence }, caller)
}

const isNoBelief = (ref: Ref): boolean => splitRef(ref).kind !== 'belief'

const bodyOf = ({ body }: Memory<'belief'>): BeliefBody => body

/** The fields of a goal that may change; its title names the goal and stays. */
export type GoalChange = Partial<
  Pick<GoalInput, 'status' | 'priority' | 'goalType' | 'description' | 'tags'>
>

export interface UpdateOptions extends ActOptions {
  /** Sources of the change; the goal keeps its earlier sources. */
  readonly derivedFrom?: readonly string[]
}

const TRIES_MAX = 20 // while others revise the same memory

/** Revises the given fields; a caller without the authority proposes them to a person. */
export async function updateGoal(
  engine: Engine,
  ref: string,
  change: GoalChange,
  options: UpdateOptions,
): Promise<Accepted> {
  const parsed = parseRef(ref)
  if (splitRef(parsed).kind !== 'goal') {
    throw new MunimentError('invalid_input', `${ref} is not a goal.`, {
      hint: 'Give the ref of a goal, for example from the list of goals.',
    })
  }
  const fields = given(change)
  const names = namesIn(fields)
  if (names.length === 0) {
    throw new MunimentError('invalid_input', 'Nothing of the goal would change.', {
      hint: 'Give a status: active, completed, paused or dropped.',
    })
  }
  const { derivedFrom = [], ...who } = options
  const result = await revised(engine, parsed, {
    fields,
    derivedFrom,
    options: who,
    isUpdate: true,
  })
  if (!isAccepted(result)) throw refusalError(result)
  return result
}

/** Applies the fields of a proposal that a person accepted. */
export function reviseFields(
  engine: Engine,
  ref: Ref,
  { proposal, options }: { readonly proposal: ChangeProposal; readonly options: ActOptions },
): Promise<WriteResult> {
  const { fields, from } = proposal
  return revised(engine, ref, { fields: fields ?? {}, derivedFrom: from, options, isUpdate: false })
}

const holdsAlready = (
  before: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(fields).every(([name, value]) => textOf(before[name]) === textOf(value))

const textOf = (value: unknown): string => sortedJson((value ?? null) as JsonValue) // a field of a body

const nothingToChange = (): MunimentError =>
  new MunimentError('invalid_input', 'Nothing to change: the goal is so already.', {
    hint: 'Nothing was written. Give what should be another, for example another status.',
  })

interface Revised {
  readonly fields: Readonly<Record<string, unknown>>
  readonly derivedFrom: readonly string[]
  readonly options: ActOptions
  readonly isUpdate: boolean
}

/** Reads, merges and revises, and retries after a version conflict. */
async function revised(
  engine: Engine,
  ref: Ref,
  { fields, derivedFrom, options, isUpdate }: Revised,
): Promise<WriteResult> {
  const { kind, id } = splitRef(ref)
  for (let attempt = 1; ; attempt += 1) {
    const stored = await engine.read({ type: 'memory', ref })
    if (!stored?.sealed) {
      throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
    }
    const { facets, revision, sourceId } = stored.state
    const before = { ...openSealed(stored.sealed).body, tags: facets.tags }
    if (isUpdate && derivedFrom.length === 0 && holdsAlready(before, fields))
      throw nothingToChange()
    const body = { ...before, ...fields }
    const kept = Object.entries(body).filter(([, value]) => value !== null)
    const record = { ...Object.fromEntries(kept), id, derivedFrom } as unknown as Revision<
      typeof kind
    > // parsed by the stack
    try {
      const result = await revise(engine, kind, record, {
        expectedVersion: revision,
        // A host without a named actor updates the goal as its author.
        options:
          isUpdate && options.caller === undefined ? { actor: sourceId, ...options } : options,
        keepsTier: true,
        orPropose: isUpdate,
        given: namesIn(fields),
      })
      if (result !== null) return result
      throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
    } catch (cause) {
      const isRace = cause instanceof MunimentError && cause.code === 'version_conflict'
      if (!isRace || attempt >= TRIES_MAX) throw cause
    }
  }
}
